"""Numbers that look random, made of words passed in: the key of a position, and the chance of rollouts.

Only shifts, exclusive or and products of 32-bit halves are used, so that no product is too great for a word.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bitblossom_env.core.bitboard import ONE, Word
from bitblossom_env.core.bits import lowest_bit
from bitblossom_env.core.jit import small_kernel

Chance = NDArray[np.uint64]  # uint64 [1], never 0: what the next number is made of

HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_FIRST_FACTOR = np.uint64(0x9E3779B1)  # odd, its bits well mixed: 2**32 divided by the golden ratio, made prime
_SECOND_FACTOR = np.uint64(0x85EBCA6B)
START = np.uint64(0x2545F4914F6CDD1D)
_THIRTEEN, _SEVEN, _SEVENTEEN = np.uint64(13), np.uint64(7), np.uint64(17)


@small_kernel
def mixed(key: Word, word: Word) -> Word:
    """Returns a word that depends on all bits of `key` and `word`."""
    both = key ^ word
    first = (both & _LOW) * _FIRST_FACTOR
    second = (both >> HALF) * _SECOND_FACTOR
    both = first ^ ((second << HALF) | (second >> HALF))
    return both ^ (both << _SEVENTEEN) ^ (both >> _SEVEN)


@small_kernel
def draw_below(chance: Chance, limit: int) -> int:
    """Returns a number of 0..limit-1 and goes on to the next (Marsaglia's xorshift); `limit` is below 2**31."""
    word = chance[0]
    word ^= word << _THIRTEEN
    word ^= word >> _SEVEN
    word ^= word << _SEVENTEEN
    chance[0] = word
    number: int = np.int64(((word >> HALF) * np.uint64(limit)) >> HALF)  # type: ignore[assignment]  # an int to Numba
    return number


@small_kernel
def draw_bit(word: Word, num_bits: int, chance: Chance) -> int:
    """Returns the number of one of the `num_bits` > 0 set bits of a word, each as likely."""
    return find_bit(word, draw_below(chance, num_bits))


@small_kernel
def find_bit(word: Word, index: int) -> int:
    """Returns the number of the set bit of a word that `index` set bits are below."""
    left = word
    for _ in range(index):
        left &= left - ONE
    return lowest_bit(left)
