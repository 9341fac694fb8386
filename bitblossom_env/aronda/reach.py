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
def find_near(fields: Word) -> Word:
    """Returns the neighbours of all fields of a set."""
    near, left = ZERO, fields
    while left != ZERO:
        near |= NEIGHBOURS[lowest_bit(left)]
        left &= left - ONE
    return near


@kernel
def find_chain(masks: Masks, seat: int) -> Word:
    """Returns the fields with stones of a seat, or owned by it, that are linked to the outer ring by others of them."""
    support = masks[OWNED + seat] | masks[ONES + seat] | masks[TWOS + seat]
    chain = support & OUTER
    latest = chain
    while latest != ZERO:
        latest = find_near(latest) & support & ~chain
        chain |= latest
    return chain


@kernel
def find_places(masks: Masks, seat: int) -> Word:
    """Returns the fields where a seat may place if it is its turn."""
    return (OUTER | find_near(find_chain(masks, seat))) & find_unowned(masks)


@kernel
def mark_legal(masks: Masks, counters: Counters) -> None:
    """Renews LEGAL for the seat to move."""
    masks[LEGAL] = find_places(masks, counters[TO_MOVE])
