"""Numbers that look random, made of words passed in: the key of a position, and the chance of rollouts.

Only shifts, exclusive or and products of 32-bit halves are used, so that no product is too great for a word.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bitblossom_env.bitblossom.state import (
    NUM_COLUMNS,
    NUM_SEATS,
    OVERLAYS,
    PASSES,
    STAMP,
    STONES,
    TO_MOVE,
    TURN,
    TURNS_TAKEN,
    Counters,
    Masks,
    Stamps,
)
from bitblossom_env.core.bitboard import Word
from bitblossom_env.core.bits import count_bits, lowest_bit
from bitblossom_env.core.jit import kernel, small_kernel

Chance = NDArray[np.uint64]  # uint64 [1], never 0: what the next number is made of

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_FIRST_FACTOR = np.uint64(0x9E3779B1)  # odd, its bits well mixed: 2**32 divided by the golden ratio, made prime
_SECOND_FACTOR = np.uint64(0x85EBCA6B)
_START = np.uint64(0x2545F4914F6CDD1D)
_ONE = np.uint64(1)
_THIRTEEN, _SEVEN, _SEVENTEEN = np.uint64(13), np.uint64(7), np.uint64(17)


@small_kernel
def mixed(key: Word, word: Word) -> Word:
    """Returns a word that depends on all bits of `key` and `word`."""
    both = key ^ word
    first = (both & _LOW) * _FIRST_FACTOR
    second = (both >> _HALF) * _SECOND_FACTOR
    both = first ^ ((second << _HALF) | (second >> _HALF))
    return both ^ (both << _SEVENTEEN) ^ (both >> _SEVEN)


@kernel
def key_of(masks: Masks, stamps: Stamps, counters: Counters) -> Word:
    """Returns 64 bits of the position, as `Game.hash()` does: the order of this turn's placements does not enter it.

    Retractions are left out: no search takes a stone back.
    """
    key = _START
    for field in range(STONES, STONES + counters[NUM_SEATS]):
        for r in range(masks.shape[1]):
            key = mixed(key, masks[field, r])
    for r in range(masks.shape[1]):
        key = mixed(key, masks[OVERLAYS, r])
    num_cells = stamps.shape[1]
    for cell in range(1, num_cells, 2):
        pair = np.uint64(stamps[STAMP, cell - 1] + 2) | (np.uint64(stamps[STAMP, cell] + 2) << _HALF)
        key = mixed(key, pair)
    key = mixed(key, np.uint64(stamps[STAMP, num_cells - 1] + 2))
    key = mixed(key, np.uint64(counters[TURN]) | (np.uint64(counters[PASSES]) << _HALF))
    for seat in range(counters[NUM_SEATS]):
        key = mixed(key, np.uint64(counters[TURNS_TAKEN + seat]))
    return mixed(key, np.uint64(counters[TO_MOVE]))


@small_kernel
def draw_below(chance: Chance, limit: int) -> int:
    """Returns a number of 0..limit-1 and goes on to the next (Marsaglia's xorshift); `limit` is below 2**31."""
    word = chance[0]
    word ^= word << _THIRTEEN
    word ^= word >> _SEVEN
    word ^= word << _SEVENTEEN
    chance[0] = word
    number: int = np.int64(((word >> _HALF) * np.uint64(limit)) >> _HALF)  # type: ignore[assignment]  # an int to Numba
    return number


@kernel
def draw_cell(masks: Masks, counters: Counters, field: int, num_cells: int, chance: Chance) -> int:
    """Returns one of the `num_cells` > 0 cells of a set, each as likely."""
    index = draw_below(chance, num_cells)
    row = 0
    while index >= count_bits(masks[field, row]):
        index -= count_bits(masks[field, row])
        row += 1
    word = masks[field, row]
    for _ in range(index):
        word &= word - _ONE
    return int(row * counters[NUM_COLUMNS] + lowest_bit(word))
