"""The planes of one observer, uint8 [F * N], one after the other, and their names in the same order."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.bitboard import ZERO, Masks, cell_bit, full_row, is_empty
from ..core.bits import NARROW, WIDE, fill_bytes, write_bits
from ..core.jit import kernel, small_kernel
from .config import Config
from .scoring import count_areas
from .sea_replay import AREAS, Work
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
    NUM_CELLS,
    NUM_COLUMNS,
    NUM_SEATS,
    OVERLAYS,
    PASSES,
    PLACEABLE,
    PRE_GAME,
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
from .territory import now_sea_field, sea_field, standing_in_row, territory_in_row

Planes = NDArray[np.uint8]  # [F * N], the planes one after the other

SEAT_PLANES = ("stones", "home_base", "territory", "doomed", "eliminated", "active", "area", "first_turn")
BOARD_PLANES = ("fresh", "overlay", "standing", "last_turn", "age")
COUNT_PLANES = ("remaining", "retractions_left", "turns_left", "passes")
SEA_PLANES, PLACEABLE_PLANE = 0, 1  # entries of `extra_plane_numbers`
NO_PLANE = -1
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


def extra_plane_numbers(config: Config) -> NDArray[np.int64]:
    """Returns int64 [2]: the number of the first plane `sea/k` and of `placeable`, NO_PLANE where there is none."""
    names = plane_names(config)
    return np.array([names.index(name) if name in names else NO_PLANE for name in ("sea/0", "placeable")])


@small_kernel
def seat_from(observer: int, k: int, num_seats: int) -> int:
    """Returns the seat that is `k` = 0..P-1 after the observer in turn order."""
    seat = observer + k
    return seat if seat < num_seats else seat - num_seats  # a division would cost more than writing a plane


@small_kernel
def write_constant(counters: Counters, plane: int, value: int, planes: Planes) -> None:
    """Fills a plane with a number, clipped to 0..255."""
    num_cells = counters[NUM_CELLS]
    fill_bytes(planes, plane * num_cells, num_cells, min(max(value, 0), LARGEST))


@small_kernel
def write_set(masks: Masks, field: int, num_columns: int, first: int, planes: Planes) -> None:
    """Writes a set as 0 and 1 from planes[first] on; like every writer of sets it may write zeros beyond the plane."""
    for r in range(masks.shape[1]):
        write_bits(planes, first + r * num_columns, masks[field, r], num_columns)


@kernel
def fill_planes(masks: Masks, stamps: Stamps, counters: Counters, observer: int, work: Work, planes: Planes) -> None:
    """Fills the F = 8P + 9 planes as seat `observer` sees them.

    Sets are written first, in the order of planes, because they may spill into the next plane: the last ones are
    followed by planes of numbers.
    """
    num_seats = counters[NUM_SEATS]
    num_cells = counters[NUM_CELLS]
    for k in range(num_seats):
        seat = seat_from(observer, k, num_seats)
        write_set(masks, STONES + seat, counters[NUM_COLUMNS], k * num_cells, planes)
    for k in range(num_seats):
        _write_base(masks, counters, seat_from(observer, k, num_seats), (num_seats + k) * num_cells, planes)
    for k in range(num_seats):
        _write_territory(masks, counters, seat_from(observer, k, num_seats), (2 * num_seats + k) * num_cells, planes)
    for k in range(num_seats):
        _write_doomed(masks, counters, seat_from(observer, k, num_seats), (3 * num_seats + k) * num_cells, planes)
    _fill_board_planes(masks, stamps, counters, 8 * num_seats, planes)
    count_areas(masks, counters, work)
    for k in range(num_seats):
        seat = seat_from(observer, k, num_seats)
        write_constant(counters, 4 * num_seats + k, counters[ELIMINATED + seat], planes)
        write_constant(counters, 5 * num_seats + k, 1 if seat == counters[TO_MOVE] else 0, planes)
        write_constant(counters, 6 * num_seats + k, LARGEST * work[AREAS, seat] // num_cells, planes)
        write_constant(counters, 7 * num_seats + k, 1 if counters[TURNS_TAKEN + seat] == 0 else 0, planes)
    _fill_counts(counters, 8 * num_seats + 5, planes)


@small_kernel
def _write_base(masks: Masks, counters: Counters, seat: int, first: int, planes: Planes) -> None:
    """Writes a seat's home base."""
    num_columns = counters[NUM_COLUMNS]
    for r in range(masks.shape[1]):
        write_bits(planes, first + r * num_columns, masks[STONES + seat, r] & masks[BASES, r], num_columns)


@small_kernel
def _write_territory(masks: Masks, counters: Counters, seat: int, first: int, planes: Planes) -> None:
    """Writes a seat's territory on the provisional board."""
    num_columns = counters[NUM_COLUMNS]
    board = full_row(num_columns)
    sea = now_sea_field(counters, seat)
    for r in range(masks.shape[1]):
        territory = territory_in_row(masks, sea, STONES + seat, r) & board
        write_bits(planes, first + r * num_columns, territory, num_columns)


@small_kernel
def _write_doomed(masks: Masks, counters: Counters, seat: int, first: int, planes: Planes) -> None:
    """Writes a seat's pieces that would be captured if the turn ended now."""
    num_columns = counters[NUM_COLUMNS]
    for r in range(masks.shape[1]):
        write_bits(planes, first + r * num_columns, masks[STONES + seat, r] & masks[DOOMED, r], num_columns)


@kernel
def _fill_board_planes(masks: Masks, stamps: Stamps, counters: Counters, plane: int, planes: Planes) -> None:
    """Fills the planes that belong to no seat, from number `plane` on, up to `age`."""
    num_columns = counters[NUM_COLUMNS]
    num_cells = counters[NUM_CELLS]
    board = full_row(num_columns)
    mover = counters[TO_MOVE]
    sea = sea_field(counters, mover)
    write_set(masks, FRESH, num_columns, plane * num_cells, planes)
    write_set(masks, OVERLAYS, num_columns, (plane + 1) * num_cells, planes)
    for r in range(masks.shape[1]):
        standing = standing_in_row(masks, sea, STONES + mover, r) & board
        write_bits(planes, (plane + 2) * num_cells + r * num_columns, standing, num_columns)
    write_set(masks, LAST_TURN, num_columns, (plane + 3) * num_cells, planes)
    has_new = 0 if is_empty(masks, FRESH) and is_empty(masks, OVERLAYS) else 1
    _fill_age(stamps, counters[TURN], has_new, planes, (plane + 4) * num_cells)


@small_kernel
def _fill_age(stamps: Stamps, turn: int, has_new: int, planes: Planes, first: int) -> None:
    """Fills `age`: 0 empty, else 1 + distinct stamps on the board newer than the piece's, at most 254; bases 255."""
    for cell in range(stamps.shape[1]):
        stamp = stamps[STAMP, cell]
        age = min(LARGEST_AGE, 1 + stamps[RECENCY, cell] + (0 if stamp == turn else has_new))
        age = LARGEST if stamp == PRE_GAME else age
        planes[first + cell] = np.uint8(0 if stamp == NO_PIECE else age)


@kernel
def _fill_counts(counters: Counters, plane: int, planes: Planes) -> None:
    """Fills the four planes of numbers from number `plane` on; 255 where there is no limit."""
    write_constant(counters, plane, counters[REMAINING], planes)
    retractions_left = counters[MAX_RETRACTIONS] - counters[RETRACTIONS]
    retractions_left = LARGEST if counters[MAX_RETRACTIONS] == UNLIMITED else retractions_left
    write_constant(counters, plane + 1, retractions_left, planes)
    turns_left = counters[MAX_TURNS] - counters[TURN]
    write_constant(counters, plane + 2, LARGEST if counters[MAX_TURNS] == UNLIMITED else turns_left, planes)
    write_constant(counters, plane + 3, counters[PASSES], planes)


@kernel
def fill_sea_planes(masks: Masks, counters: Counters, observer: int, planes: Planes, plane: int) -> None:
    """Fills the optional planes `sea/k`, from number `plane` on."""
    num_seats = counters[NUM_SEATS]
    for k in range(num_seats):
        field = now_sea_field(counters, seat_from(observer, k, num_seats))
        write_set_exactly(masks, field, counters[NUM_COLUMNS], (plane + k) * counters[NUM_CELLS], planes)


@kernel
def fill_placeable_plane(masks: Masks, counters: Counters, planes: Planes, plane: int) -> None:
    """Fills the optional plane `placeable`, number `plane`."""
    write_set_exactly(masks, PLACEABLE, counters[NUM_COLUMNS], plane * counters[NUM_CELLS], planes)


@kernel
def write_set_exactly(masks: Masks, field: int, num_columns: int, first: int, out: NDArray[Any]) -> None:
    """Writes a set as 0 and 1 from out[first] on, and nothing beyond it."""
    spill = NARROW if num_columns <= NARROW else WIDE
    end = first + masks.shape[1] * num_columns
    for r in range(masks.shape[1]):
        start = first + r * num_columns
        if start + spill <= end:
            write_bits(out, start, masks[field, r], num_columns)
        else:
            for c in range(num_columns):
                out[start + c] = 1 if masks[field, r] & cell_bit(c) != ZERO else 0


@kernel
def fill_action_mask(masks: Masks, counters: Counters, mask: NDArray[np.int8]) -> None:
    """Fills int8 [2N + 1]: 1 exactly where the seat to move may act; all 0 after the end."""
    num_columns = counters[NUM_COLUMNS]
    num_cells = counters[NUM_CELLS]
    write_set_exactly(masks, PLACEABLE, num_columns, 0, mask)
    write_set_exactly(masks, RETRACTABLE, num_columns, num_cells, mask)
    mask[2 * num_cells] = 1 if counters[END_REASON] == RUNNING else 0
