"""R3.3, territory: what a player has walled off, and what falls in it."""

from __future__ import annotations

from ..core.bitboard import ZERO, Masks, Word, count_cells, touches_rim
from ..core.components import is_still_connected
from ..core.jit import kernel, small_kernel
from .sea import UNDIVIDED, mark_refined_sea
from .state import (
    FRESH,
    NOW_PARTS,
    NOW_RUNNER_UP,
    NOW_SEA,
    NUM_COLUMNS,
    NUM_SEATS,
    SEA_PARTS,
    STONES,
    TO_MOVE,
    WORK_B,
    Counters,
)


@small_kernel
def sea_field(counters: Counters, seat: int) -> int:
    """Returns the field of a seat's sea at the start of the turn."""
    return STONES + counters[NUM_SEATS] + seat


@small_kernel
def now_sea_field(counters: Counters, seat: int) -> int:
    """Returns the field of a seat's sea on the provisional board: only the mover's has changed in this turn."""
    if seat == counters[TO_MOVE]:
        return NOW_SEA
    return sea_field(counters, seat)


@kernel
def mark_now_sea(masks: Masks, counters: Counters) -> None:
    """Fills NOW_SEA, NOW_PARTS, NOW_RUNNER_UP: the stones of this turn are one more stamp of the mover's replay."""
    mover = counters[TO_MOVE]
    parts, runner_up = mark_refined_sea(masks, counters[NUM_COLUMNS], sea_field(counters, mover), FRESH, NOW_SEA)
    counters[NOW_PARTS] = counters[SEA_PARTS + mover] if parts == UNDIVIDED else parts
    counters[NOW_RUNNER_UP] = runner_up


@kernel
def add_stone_to_now_sea(masks: Masks, counters: Counters, row: int, bit: Word) -> None:
    """Renews NOW_SEA after a stone of this turn has been added: the cell alone where the division stays, else all."""
    if masks[NOW_SEA, row] & bit == ZERO:
        return
    if keeps_division(masks, counters, row, bit):
        masks[NOW_SEA, row] ^= bit
    else:
        mark_now_sea(masks, counters)


@kernel
def keeps_division(masks: Masks, counters: Counters, row: int, bit: Word) -> bool:
    """Returns whether a stone on a cell of NOW_SEA takes that cell alone from the sea, by the exact test of RULES.md.

    All must hold: the cell's component is the only greatest one and stays greater than the next; it keeps a rim cell;
    the cell is no cut vertex of it.
    """
    if counters[NOW_PARTS] != 1:
        return False
    if counters[NOW_RUNNER_UP] > 0 and count_cells(masks, NOW_SEA) - 1 <= counters[NOW_RUNNER_UP]:
        return False
    masks[NOW_SEA, row] ^= bit
    keeps = touches_rim(masks, NOW_SEA, counters[NUM_COLUMNS]) and is_still_connected(masks, NOW_SEA, row, bit, WORK_B)
    masks[NOW_SEA, row] ^= bit
    return keeps


@small_kernel
def territory_in_row(masks: Masks, sea: int, stones: int, row: int) -> Word:
    """Returns a player's territory: cells outside its sea that hold none of its pieces; bits off the board are set."""
    return ~(masks[sea, row] | masks[stones, row])


@small_kernel
def standing_in_row(masks: Masks, sea: int, stones: int, row: int) -> Word:
    """Returns the mover's territory at the start of the turn, like `territory_in_row`.

    Nothing in it is newly captured by territory.
    """
    return ~(masks[sea, row] | (masks[stones, row] & ~masks[FRESH, row]))


@small_kernel
def lost_sea_in_row(masks: Masks, sea: int, row: int) -> Word:
    """Returns the cells that were in `sea`, the mover's at the start of the turn, and are no more.

    An enemy piece on one is captured: its cell is territory of the mover now and was not at the start.
    """
    return masks[sea, row] & ~masks[NOW_SEA, row]
