"""Sets of cells as row masks: `uint64 [rows]`, bit c of word r is cell (r, c); at most 32 columns are used.

A game keeps its sets in one array `masks uint64 [M, rows]`; kernels name a set by its field index. All constants are
`np.uint64`: a mixed width means one thing to Numba and another to NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bits import count_bits
from .jit import small_kernel

Masks = NDArray[np.uint64]
Word = Any  # np.uint64; scalar arithmetic has other types for Numba than for a type checker

ZERO = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)
FOUR = np.uint64(4)
EIGHT = np.uint64(8)
SIXTEEN = np.uint64(16)


@small_kernel
def full_row(num_columns: int) -> Word:
    """Returns the row mask of a whole row."""
    return (ONE << np.uint64(num_columns)) - ONE


@small_kernel
def cell_bit(column: int) -> Word:
    """Returns the row mask of one cell."""
    return ONE << np.uint64(column)


@small_kernel
def row_of(cell: int, num_columns: int) -> int:
    """Returns the row of a cell that is counted row by row."""
    # Without signs: Python's division of signed numbers rounds down, which costs more than dividing.
    row: int = np.int64(np.uint64(cell) // np.uint64(num_columns))  # type: ignore[assignment]  # an int to Numba
    return row


@small_kernel
def shifted(masks: Masks, field: int, row: int, down: int, right: int) -> Word:
    """Returns the cells (row, c) whose cell (row + down, c + right) is in the set; off-board is never in a set.

    `right` is -2..2; bits beyond the last column are never set, because no set has any.
    """
    source = row + down
    if source < 0 or source >= masks.shape[1]:
        return ZERO
    word = masks[field, source]
    if right >= 0:
        return word >> np.uint64(right)
    return word << np.uint64(-right)


@small_kernel
def moved(word: Word, right: int) -> Word:
    """Returns a row mask moved right by -2..2 columns; may reach beyond the last column."""
    if right >= 0:
        return word << np.uint64(right)
    return word >> np.uint64(-right)


@small_kernel
def neighbours_in_row(word: Word) -> Word:
    """Returns the cells of a row mask and those left and right of them; may reach one bit beyond the last column."""
    return word | (word << ONE) | (word >> ONE)


@small_kernel
def spread_along_row(seeds: Word, allowed: Word) -> Word:
    """Returns every cell of the runs of `allowed` that hold a cell of `seeds` (a subset of `allowed`)."""
    # Towards higher columns a carry runs through each run; adding other seeds on its way only sets their own bits.
    reached = seeds | (allowed & ~(allowed + seeds))
    # Towards lower columns: occluded fill, doubling the reach (Kogge and Stone).
    open_cells = allowed
    reached |= open_cells & (reached >> ONE)
    open_cells &= open_cells >> ONE
    reached |= open_cells & (reached >> TWO)
    open_cells &= open_cells >> TWO
    reached |= open_cells & (reached >> FOUR)
    open_cells &= open_cells >> FOUR
    reached |= open_cells & (reached >> EIGHT)
    open_cells &= open_cells >> EIGHT
    reached |= open_cells & (reached >> SIXTEEN)
    return reached


@small_kernel
def first_run(word: Word) -> Word:
    """Returns the lowest run of neighbouring cells in a row mask that is not empty."""
    return word & ~(word + (word & (~word + ONE)))  # a carry runs through that run alone


@small_kernel
def is_empty(masks: Masks, field: int) -> bool:
    """Returns whether the set has no cell."""
    for r in range(masks.shape[1]):
        if masks[field, r] != ZERO:
            return False
    return True


@small_kernel
def count_cells(masks: Masks, field: int) -> int:
    """Returns the number of cells in the set."""
    total = 0
    for r in range(masks.shape[1]):
        total += count_bits(masks[field, r])
    return total


@small_kernel
def touches_rim(masks: Masks, field: int, num_columns: int) -> bool:
    """Returns whether the set holds a cell of the board's rim."""
    last = masks.shape[1] - 1
    if masks[field, 0] != ZERO or masks[field, last] != ZERO:
        return True
    sides = ONE | cell_bit(num_columns - 1)
    for r in range(1, last):
        if masks[field, r] & sides != ZERO:
            return True
    return False


@small_kernel
def clear(masks: Masks, field: int) -> None:
    """Empties the set."""
    for r in range(masks.shape[1]):
        masks[field, r] = ZERO


@small_kernel
def copy(masks: Masks, source: int, target: int) -> None:
    """Makes set `target` equal to set `source`."""
    for r in range(masks.shape[1]):
        masks[target, r] = masks[source, r]


@small_kernel
def unite(masks: Masks, source: int, target: int) -> None:
    """Adds the cells of set `source` to set `target`."""
    for r in range(masks.shape[1]):
        masks[target, r] |= masks[source, r]
