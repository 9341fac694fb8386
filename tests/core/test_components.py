"""Components of row masks against a plain flood."""

import numpy as np
import pytest

from bitblossom_env.core import components
from bitblossom_env.core.bitboard import touches_rim
from tests.core.sets import SHAPES, flood, random_cells, to_cells, to_masks


@pytest.mark.parametrize("shape", SHAPES)
def test_components_are_those_of_a_plain_flood(shape):
    rng = np.random.default_rng(1)
    for density in (0.3, 0.5, 0.6, 0.8, 1.0):
        cells = random_cells(rng, shape, density)
        masks = to_masks(cells, shape)
        while cells:
            expected = flood(min(cells), cells)
            assert components.take_first_component(masks, 0, 1) == len(expected)
            assert to_cells(masks, 1) == expected
            on_rim = any(r in (0, shape[0] - 1) or c in (0, shape[1] - 1) for r, c in expected)
            assert touches_rim(masks, 1, shape[1]) == on_rim
            cells -= expected
        assert components.take_first_component(masks, 0, 1) == 0


def serpentine():
    """A path through all of a 32x32 board, two cells wide nowhere."""
    cells = {(r, c) for r in range(0, 32, 2) for c in range(32)}
    return cells | {(r, 31 if r % 4 == 1 else 0) for r in range(1, 31, 2)}


def test_a_serpentine_is_one_component():
    masks = to_masks(serpentine(), (32, 32))
    assert components.take_first_component(masks, 0, 1) == len(serpentine())


def is_connected_around(cells, cell):
    """Whether the neighbours of a removed cell are in one component of the rest."""
    r, c = cell
    around = {(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)} & cells
    return not around or around <= flood(min(around), cells)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_cell_holds_its_component_together_or_not(shape):
    rng = np.random.default_rng(2)
    seen = {True: 0, False: 0}
    for density in (0.4, 0.6, 0.75, 0.9, 1.0):
        cells = random_cells(rng, shape, density)
        for cell in sorted(cells)[:: max(1, len(cells) // 60)]:
            rest = cells - {cell}
            masks = to_masks(rest, shape)
            expected = is_connected_around(rest, cell)
            bit = np.uint64(1) << np.uint64(cell[1])
            assert components.is_still_connected(masks, 0, cell[0], bit, 1) == expected
            assert to_cells(masks, 0) == rest, "the set itself is only read"
            seen[expected] += 1
    assert min(seen.values()) > 0


def test_every_inner_cell_of_a_serpentine_holds_it_together():
    cells = serpentine()
    for cell in sorted(cells)[::7]:
        masks = to_masks(cells - {cell}, (32, 32))
        bit = np.uint64(1) << np.uint64(cell[1])
        expected = is_connected_around(cells - {cell}, cell)
        assert components.is_still_connected(masks, 0, cell[0], bit, 1) == expected
