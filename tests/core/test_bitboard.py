"""Row masks against plain sets of cells."""

import numpy as np
import pytest

from bitblossom_env.core import bitboard
from bitblossom_env.core.bits import count_bits, lowest_bit

SHAPES = [(3, 3), (3, 32), (32, 3), (9, 9), (5, 12), (32, 32)]


def to_masks(cells, shape, fields=3):
    masks = np.zeros((fields, shape[0]), np.uint64)
    for r, c in cells:
        masks[0, r] |= np.uint64(1) << np.uint64(c)
    return masks


def to_cells(masks, field):
    return {(r, c) for r in range(masks.shape[1]) for c in range(64) if int(masks[field, r]) >> c & 1}


def random_cells(rng, shape, density):
    return {(int(r), int(c)) for r, c in np.argwhere(rng.random(shape) < density)}


def flood(start, allowed):
    reached, todo = {start}, [start]
    while todo:
        r, c = todo.pop()
        for cell in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
            if cell in allowed and cell not in reached:
                reached.add(cell)
                todo.append(cell)
    return reached


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
def test_components_are_those_of_a_plain_flood(shape):
    rng = np.random.default_rng(1)
    for density in (0.3, 0.5, 0.6, 0.8, 1.0):
        cells = random_cells(rng, shape, density)
        masks = to_masks(cells, shape)
        while cells:
            expected = flood(min(cells), cells)
            assert bitboard.take_first_component(masks, 0, 1) == len(expected)
            assert to_cells(masks, 1) == expected
            on_rim = any(r in (0, shape[0] - 1) or c in (0, shape[1] - 1) for r, c in expected)
            assert bitboard.touches_rim(masks, 1, shape[1]) == on_rim
            cells -= expected
        assert bitboard.take_first_component(masks, 0, 1) == 0


def test_a_serpentine_is_one_component():
    shape = (32, 32)
    cells = {(r, c) for r in range(0, 32, 2) for c in range(32)}
    cells |= {(r, 31 if r % 4 == 1 else 0) for r in range(1, 31, 2)}
    masks = to_masks(cells, shape)
    assert bitboard.take_first_component(masks, 0, 1) == len(cells)


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
