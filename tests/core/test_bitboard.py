"""Row masks against plain sets of cells."""

import numpy as np
import pytest

from bitblossom_env.core import bitboard
from bitblossom_env.core.bits import (
    LONG,
    NARROW,
    SHORT,
    WIDE,
    count_bits,
    fill_bytes,
    lowest_bit,
    write_bits,
)
from tests.core.sets import SHAPES, random_cells, to_masks


@pytest.mark.parametrize("word", [1, 2, 3, 0b1011000, 2**31, 2**32 - 1])
def test_bits_of_a_word(word):
    assert count_bits(np.uint64(word)) == bin(word).count("1")
    assert lowest_bit(np.uint64(word)) == (word & -word).bit_length() - 1


def test_no_bits_of_the_empty_word():
    assert count_bits(np.uint64(0)) == 0


def test_spread_along_row_takes_whole_runs():
    rng = np.random.default_rng(0)
    for _ in range(2000):
        allowed = int(rng.integers(2**32))
        seeds = allowed & int(rng.integers(2**32)) & int(rng.integers(2**32))
        expected, c = 0, 0
        while c < 32:
            if not allowed >> c & 1:
                c += 1
                continue
            run = 0
            while allowed >> c & 1:
                run |= 1 << c
                c += 1
            expected |= run if run & seeds else 0
        assert int(bitboard.spread_along_row(np.uint64(seeds), np.uint64(allowed))) == expected


@pytest.mark.parametrize("shape", SHAPES)
def test_shifts_drop_what_leaves_the_board(shape):
    rng = np.random.default_rng(2)
    cells = random_cells(rng, shape, 0.5)
    masks = to_masks(cells, shape)
    full = int(bitboard.full_row(shape[1]))
    for down in range(-2, 3):
        for right in range(-2, 3):
            for r in range(shape[0]):
                word = int(bitboard.shifted(masks, 0, r, down, right)) & full
                assert word == sum(1 << c for c in range(shape[1]) if (r + down, c + right) in cells)


@pytest.mark.parametrize("num_bits", [3, 9, NARROW, NARROW + 1, WIDE])
@pytest.mark.parametrize("start", [0, 1, 7])
def test_bits_are_spread_to_bytes(num_bits, start):
    room = NARROW if num_bits <= NARROW else WIDE
    rng = np.random.default_rng(num_bits)
    for dtype in (np.uint8, np.int8):
        out = np.full(start + room + 5, 9, dtype)
        word = int(rng.integers(2**num_bits))
        write_bits(out, start, np.uint64(word), num_bits)
        assert out[start : start + num_bits].tolist() == [word >> i & 1 for i in range(num_bits)]
        assert set(out[start + num_bits : start + room].tolist()) <= {0, 9}, "zeros, or nothing, in its room"
        assert set(out[:start].tolist() + out[start + room :].tolist()) == {9}, "nothing beyond its room"


@pytest.mark.parametrize("count", [SHORT, SHORT + 1, 3 * SHORT, LONG - 1, LONG, LONG + 1, 81, 2 * LONG, 1024])
@pytest.mark.parametrize("value", [0, 1, 255])
def test_bytes_are_filled_exactly(count, value):
    out = np.full(count + 10, 7, np.uint8)
    fill_bytes(out, 5, count, value)
    assert out.tolist() == [7] * 5 + [value] * count + [7] * 5
