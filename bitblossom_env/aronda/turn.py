"""A stone, and what follows from it: captures, the end (A4), whose turn it is (A2)."""

from __future__ import annotations

from ..core.bitboard import ZERO, cell_bit
from ..core.bits import count_bits
from ..core.jit import kernel, small_kernel
from .board import MAJORITY
from .captures import put_stone
from .reach import find_places, find_unowned, mark_legal
from .state import (
    ALL_PASSED,
    BLOCKADE,
    END_REASON,
    FULL_BOARD,
    HAS_BEGUN,
    LAST_TURN,
    LEGAL,
    MAJORITY_OWNED,
    OWNED,
    RUNNING,
    STONES_LEFT,
    STOP_AT_MAJORITY,
    TO_MOVE,
    TURN,
    TURN_STONES,
    WITH_BLOCKADE,
    Counters,
    Masks,
    Waves,
)


@small_kernel
def is_legal(masks: Masks, action: int) -> bool:
    """Returns whether the seat to move may place in field `action`, any number."""
    return bool(0 <= action < 64 and masks[LEGAL] & cell_bit(action) != ZERO)


@kernel
def find_end(masks: Masks, counters: Counters) -> int:
    """Returns how the game ends after a stone of the seat to move, in the order of A4; RUNNING if it does not."""
    mover = counters[TO_MOVE]
    if find_unowned(masks) == ZERO:
        return FULL_BOARD
    if counters[STOP_AT_MAJORITY] == 1 and count_bits(masks[OWNED + mover]) >= MAJORITY:
        return MAJORITY_OWNED
    if find_places(masks, 1 - mover) != ZERO:
        return RUNNING
    if counters[WITH_BLOCKADE] == 1:
        return BLOCKADE
    return RUNNING if find_places(masks, mover) != ZERO else ALL_PASSED


@small_kernel
def _begin_turn(counters: Counters) -> None:
    """Gives the turn to the other seat."""
    counters[TO_MOVE] = 1 - counters[TO_MOVE]
    counters[TURN] += 1
    counters[STONES_LEFT] = TURN_STONES
    counters[HAS_BEGUN] = 0


@kernel
def play(masks: Masks, waves: Waves, counters: Counters, field: int) -> None:
    """Plays a stone of the seat to move into a legal field, and renews what is derived."""
    if counters[HAS_BEGUN] == 0:
        masks[LAST_TURN] = ZERO
        counters[HAS_BEGUN] = 1
    put_stone(masks, waves, counters[TO_MOVE], field)
    counters[END_REASON] = find_end(masks, counters)
    if counters[END_REASON] != RUNNING:
        masks[LEGAL] = ZERO
        return
    counters[STONES_LEFT] -= 1
    if counters[STONES_LEFT] == 0:
        _begin_turn(counters)
    mark_legal(masks, counters)
    while masks[LEGAL] == ZERO:  # A2.4: the other seat has a field, or the game would be over
        _begin_turn(counters)
        mark_legal(masks, counters)
