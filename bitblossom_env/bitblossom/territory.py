"""R3.3, territory: what a player has walled off, and what falls in it."""

from __future__ import annotations

from ..core.bitboard import Masks, Word, full_row
from ..core.jit import kernel
from .sea import mark_refined_sea
from .state import ENEMIES, FRESH, NOW_SEA, NUM_COLUMNS, NUM_SEATS, STONES, TO_MOVE, Counters


@kernel
def sea_field(counters: Counters, seat: int) -> int:
    """Returns the field of a seat's sea at the start of the turn."""
    return STONES + counters[NUM_SEATS] + seat


@kernel
def now_sea_field(counters: Counters, seat: int) -> int:
    """Returns the field of a seat's sea on the provisional board: only the mover's has changed in this turn."""
    if seat == counters[TO_MOVE]:
        return NOW_SEA
    return sea_field(counters, seat)


@kernel
def mark_now_sea(masks: Masks, counters: Counters) -> None:
    """Fills NOW_SEA: this turn's stones, overlays left out, are one more stamp of the mover's replay."""
    mark_refined_sea(masks, counters[NUM_COLUMNS], sea_field(counters, counters[TO_MOVE]), FRESH, NOW_SEA)


@kernel
def territory_in_row(masks: Masks, counters: Counters, seat: int, row: int) -> Word:
    """Returns a seat's territory on the provisional board: cells outside its sea that hold none of its pieces."""
    outside = ~masks[now_sea_field(counters, seat), row] & full_row(counters[NUM_COLUMNS])
    return outside & ~masks[STONES + seat, row]


@kernel
def standing_in_row(masks: Masks, counters: Counters, row: int) -> Word:
    """Returns the mover's territory at the start of the turn; nothing in it is newly captured by territory."""
    mover = counters[TO_MOVE]
    outside = ~masks[sea_field(counters, mover), row] & full_row(counters[NUM_COLUMNS])
    return outside & ~(masks[STONES + mover, row] & ~masks[FRESH, row])


@kernel
def captured_in_row(masks: Masks, counters: Counters, row: int) -> Word:
    """Returns the enemy pieces whose cell is the mover's territory now and was not at the start of the turn."""
    lost_sea = masks[sea_field(counters, counters[TO_MOVE]), row] & ~masks[NOW_SEA, row]
    return masks[ENEMIES, row] & lost_sea
