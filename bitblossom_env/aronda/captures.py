"""What a stone captures (A3): its own field from inside, then waves of fields from outside."""

from __future__ import annotations

from ..core.bitboard import ONE, ZERO, Word, cell_bit
from ..core.bits import count_bits, lowest_bit
from ..core.jit import kernel, small_kernel
from .board import NEIGHBOURS, THRESHOLDS
from .reach import find_near, find_unowned
from .state import LAST_TURN, ONES, OWNED, TWOS, Masks, Waves


@small_kernel
def count_stones(masks: Masks, seat: int, field: int) -> int:
    """Returns how many stones of a seat lie in a field, 0..3."""
    bit = cell_bit(field)
    return (1 if masks[ONES + seat] & bit != ZERO else 0) + (2 if masks[TWOS + seat] & bit != ZERO else 0)


@small_kernel
def take_fields(masks: Masks, seat: int, fields: Word) -> None:
    """Gives fields to a seat and removes all stones from them (A3.3)."""
    masks[OWNED + seat] |= fields
    for other in range(2):
        masks[ONES + other] &= ~fields
        masks[TWOS + other] &= ~fields
    masks[LAST_TURN] &= ~fields


@kernel
def find_wave(masks: Masks, seat: int, taken: Word) -> Word:
    """Returns the unowned fields that a seat takes from outside (A3.2), given those that it has taken just now."""
    wave = ZERO
    left = find_near(taken) & find_unowned(masks)  # elsewhere nothing has changed
    while left != ZERO:
        field = lowest_bit(left)
        left &= left - ONE
        if count_bits(NEIGHBOURS[field] & masks[OWNED + seat]) >= THRESHOLDS[field]:
            wave |= cell_bit(field)
    return wave


@kernel
def note_wave(waves: Waves, taken: Word, wave: int) -> None:
    """Notes in which wave fields were taken."""
    left = taken
    while left != ZERO:
        waves[lowest_bit(left)] = wave
        left &= left - ONE


@kernel
def put_stone(masks: Masks, waves: Waves, seat: int, field: int) -> None:
    """Puts a stone of a seat into an unowned field and takes what that captures, wave by wave."""
    for other in range(waves.shape[0]):
        waves[other] = 0
    bit = cell_bit(field)
    masks[LAST_TURN] |= bit
    if count_stones(masks, seat, field) + 1 < THRESHOLDS[field]:
        masks[TWOS + seat] ^= masks[ONES + seat] & bit
        masks[ONES + seat] ^= bit
        return
    taken, wave = bit, 1
    while taken != ZERO:
        take_fields(masks, seat, taken)
        note_wave(waves, taken, wave)
        taken = find_wave(masks, seat, taken)
        wave += 1
