"""The planes of one observer, uint8 [F, rows, cols], and their names in the same order."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..core.bitboard import ONE, ZERO, Masks, Word, cell_bit, is_empty
from ..core.jit import kernel
from .config import Config
from .scoring import count_areas
from .state import (
    BASES,
    DOOMED,
    ELIMINATED,
    END_REASON,
    FRESH,
    LAST_TURN,
    MAX_RETRACTIONS,
    MAX_TURNS,
    NO_PIECE,
    NUM_COLUMNS,
    NUM_SEATS,
    OVERLAYS,
    PASSES,
    PLACEABLE,
    RECENCY,
    REMAINING,
    RETRACTABLE,
    RETRACTIONS,
    RUNNING,
    STAMP,
    STONES,
    TO_MOVE,
    TURN,
    TURNS_TAKEN,
    UNLIMITED,
    Counters,
    Stamps,
)
from .territory import now_sea_field, standing_in_row, territory_in_row

Planes = NDArray[np.uint8]

SEAT_PLANES = ("stones", "home_base", "territory", "doomed", "eliminated", "active", "area", "first_turn")
BOARD_PLANES = ("fresh", "overlay", "standing", "last_turn", "age")
COUNT_PLANES = ("remaining", "retractions_left", "turns_left", "passes")
LARGEST = 255
LARGEST_AGE = 254  # bases are 255


@cache
def plane_names(config: Config) -> tuple[str, ...]:
    """Returns the names of the planes; `k` counts seats from the observer, 0 is the observer itself.

    Optional planes follow at the end: `sea` (0/1, `sea/k`: seat k's sea on the provisional board) and `placeable`
    (0/1: cells where the seat to move may place).
    """
    names = [f"{name}/{k}" for name in SEAT_PLANES for k in range(config.num_players)]
    names += [*BOARD_PLANES, *COUNT_PLANES]
    for name in config.extra_planes:
        names += [f"sea/{k}" for k in range(config.num_players)] if name == "sea" else [name]
    return tuple(names)


@kernel
def write_row(planes: Planes, plane: int, row: int, word: Word) -> None:
    """Writes one row mask into a plane as 0 and 1."""
    for c in range(planes.shape[2]):
        planes[plane, row, c] = np.uint8((word >> np.uint64(c)) & ONE)


@kernel
def write_constant(planes: Planes, plane: int, value: int) -> None:
    """Fills a plane with a number, clipped to 0..255."""
    clipped = np.uint8(min(max(value, 0), LARGEST))
    for r in range(planes.shape[1]):
        for c in range(planes.shape[2]):
            planes[plane, r, c] = clipped


@kernel
def fill_planes(
    masks: Masks, stamps: Stamps, counters: Counters, observer: int, areas: NDArray[np.int32], planes: Planes
) -> None:
    """Fills the F = 8P + 9 planes as seat `observer` sees them; `areas` int32 [P] is scratch."""
    num_seats = counters[NUM_SEATS]
    count_areas(masks, counters, areas)
    for k in range(num_seats):
        seat = (observer + k) % num_seats
        _fill_seat_planes(masks, counters, seat, k, planes)
        num_cells = planes.shape[1] * planes.shape[2]
        write_constant(planes, 6 * num_seats + k, LARGEST * areas[seat] // num_cells)
    first = 8 * num_seats
    for r in range(masks.shape[1]):
        write_row(planes, first, r, masks[FRESH, r])
        write_row(planes, first + 1, r, masks[OVERLAYS, r])
        write_row(planes, first + 2, r, standing_in_row(masks, counters, r))
        write_row(planes, first + 3, r, masks[LAST_TURN, r])
    _fill_age(masks, stamps, planes, first + 4)
    _fill_counts(counters, planes, first + 5)


@kernel
def _fill_seat_planes(masks: Masks, counters: Counters, seat: int, k: int, planes: Planes) -> None:
    """Fills the planes of one seat, all but its area."""
    num_seats = counters[NUM_SEATS]
    for r in range(masks.shape[1]):
        stones = masks[STONES + seat, r]
        write_row(planes, k, r, stones)
        write_row(planes, num_seats + k, r, stones & masks[BASES, r])
        write_row(planes, 2 * num_seats + k, r, territory_in_row(masks, counters, seat, r))
        write_row(planes, 3 * num_seats + k, r, stones & masks[DOOMED, r])
    write_constant(planes, 4 * num_seats + k, counters[ELIMINATED + seat])
    write_constant(planes, 5 * num_seats + k, 1 if seat == counters[TO_MOVE] else 0)
    write_constant(planes, 7 * num_seats + k, 1 if counters[TURNS_TAKEN + seat] == 0 else 0)


@kernel
def _fill_age(masks: Masks, stamps: Stamps, planes: Planes, plane: int) -> None:
    """Fills `age`: 0 empty, else 1 + distinct stamps on the board newer than the piece's, at most 254; bases 255."""
    has_new = 0 if is_empty(masks, FRESH) and is_empty(masks, OVERLAYS) else 1
    for r in range(masks.shape[1]):
        for c in range(planes.shape[2]):
            bit = cell_bit(c)
            age = 0
            if masks[BASES, r] & bit != ZERO:
                age = LARGEST
            elif masks[FRESH, r] & bit != ZERO:
                age = 1
            elif stamps[STAMP, r, c] != NO_PIECE:
                age = min(LARGEST_AGE, 1 + stamps[RECENCY, r, c] + has_new)
            planes[plane, r, c] = np.uint8(age)


@kernel
def _fill_counts(counters: Counters, planes: Planes, first: int) -> None:
    """Fills the four planes of numbers; 255 where there is no limit."""
    write_constant(planes, first, counters[REMAINING])
    retractions_left = counters[MAX_RETRACTIONS] - counters[RETRACTIONS]
    write_constant(planes, first + 1, LARGEST if counters[MAX_RETRACTIONS] == UNLIMITED else retractions_left)
    turns_left = counters[MAX_TURNS] - counters[TURN]
    write_constant(planes, first + 2, LARGEST if counters[MAX_TURNS] == UNLIMITED else turns_left)
    write_constant(planes, first + 3, counters[PASSES])


@kernel
def fill_sea_planes(masks: Masks, counters: Counters, observer: int, planes: Planes, first: int) -> None:
    """Fills the optional planes `sea/k`."""
    num_seats = counters[NUM_SEATS]
    for k in range(num_seats):
        field = now_sea_field(counters, (observer + k) % num_seats)
        for r in range(masks.shape[1]):
            write_row(planes, first + k, r, masks[field, r])


@kernel
def fill_placeable_plane(masks: Masks, planes: Planes, plane: int) -> None:
    """Fills the optional plane `placeable`."""
    for r in range(masks.shape[1]):
        write_row(planes, plane, r, masks[PLACEABLE, r])


@kernel
def fill_action_mask(masks: Masks, counters: Counters, mask: NDArray[np.int8]) -> None:
    """Fills int8 [2N + 1]: 1 exactly where the seat to move may act; all 0 after the end."""
    num_columns = counters[NUM_COLUMNS]
    num_cells = masks.shape[1] * num_columns
    for r in range(masks.shape[1]):
        for c in range(num_columns):
            column = np.uint64(c)
            mask[r * num_columns + c] = np.int8((masks[PLACEABLE, r] >> column) & ONE)
            mask[num_cells + r * num_columns + c] = np.int8((masks[RETRACTABLE, r] >> column) & ONE)
    mask[2 * num_cells] = 1 if counters[END_REASON] == RUNNING else 0
