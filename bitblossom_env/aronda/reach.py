"""Where a player may place (A2.2): unowned fields of the outer ring, and those that touch its chain."""

from __future__ import annotations

from ..core.bitboard import ONE, ZERO, Word
from ..core.bits import lowest_bit
from ..core.jit import kernel, small_kernel
from .board import ALL, NEIGHBOURS, OUTER
from .state import LEGAL, ONES, OWNED, TO_MOVE, TWOS, Counters, Masks


@small_kernel
def find_unowned(masks: Masks) -> Word:
    """Returns the fields that nobody owns."""
    return ALL & ~(masks[OWNED] | masks[OWNED + 1])


@kernel
def find_places(masks: Masks, seat: int) -> Word:
    """Returns the fields where a seat may place if it is its turn."""
    support = masks[OWNED + seat] | masks[ONES + seat] | masks[TWOS + seat]
    chain = support & OUTER
    touched = OUTER
    left = chain
    while left != ZERO:
        near = NEIGHBOURS[lowest_bit(left)]
        left &= left - ONE
        touched |= near
        left |= near & support & ~chain
        chain |= near & support
    return touched & find_unowned(masks)


@kernel
def mark_legal(masks: Masks, counters: Counters) -> None:
    """Renews LEGAL for the seat to move."""
    masks[LEGAL] = find_places(masks, counters[TO_MOVE])
