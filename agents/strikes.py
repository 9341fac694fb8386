"""Strikes: stones that would take something by a cut or a ring, found on the board as it lies.

A strike is the cells that are still lacking: of three in a line whose two links might take an enemy piece (R3.2), or of
the four around an enemy stone (R3.1). Whether it then really takes something is for the rules to say.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bitblossom_env.bitblossom.state import (
    BASES,
    ENEMIES,
    FRESH,
    NUM_COLUMNS,
    NUM_SEATS,
    PLACEABLE,
    REMAINING,
    STONES,
    TO_MOVE,
    Counters,
    Masks,
)
from bitblossom_env.core.bitboard import ZERO, cell_bit
from bitblossom_env.core.jit import kernel

MAX_STRIKES = 64  # of one position; the first ones in reading order
STONES_IN_RING = 4
NOBODY = -1
NO_CELL = -1

Strikes = NDArray[np.int64]  # int64 [MAX_STRIKES + 1, 4], the cells to place on, NO_CELL for the rest


@kernel
def _holds(masks: Masks, counters: Counters, field: int, row: int, column: int) -> bool:
    """Returns whether a set holds a cell, False off the board."""
    is_on_board = 0 <= row < masks.shape[1] and 0 <= column < counters[NUM_COLUMNS]
    return bool(is_on_board and masks[field, row] & cell_bit(column) != ZERO)


@kernel
def _is_open(masks: Masks, counters: Counters, row: int, column: int) -> bool:
    """Returns whether the mover may place on a cell that is empty: an overlay is no part of a cut or a ring."""
    return bool(_holds(masks, counters, PLACEABLE, row, column) and not _holds(masks, counters, ENEMIES, row, column))


@kernel
def _add_cell(masks: Masks, counters: Counters, own: int, place: tuple[int, int], strike: NDArray[np.int64]) -> bool:
    """Adds a cell to a strike unless `own` holds it already; returns False where no stone can be or comes to be."""
    row, column = place
    if _holds(masks, counters, own, row, column):
        return True
    if not _is_open(masks, counters, row, column):
        return False
    for index in range(strike.shape[0]):
        if strike[index] == NO_CELL:
            strike[index] = row * counters[NUM_COLUMNS] + column
            break
    return True


@kernel
def _owner(masks: Masks, counters: Counters, row: int, column: int) -> int:
    """Returns the enemy that holds a cell, NOBODY if none does."""
    for seat in range(counters[NUM_SEATS]):
        if seat != counters[TO_MOVE] and _holds(masks, counters, STONES + seat, row, column):
            return int(seat)
    return NOBODY


@kernel
def _takes_something(masks: Masks, counters: Counters, link: tuple[int, int, int, int], length: int) -> bool:
    """Returns whether a link (row, column, down, right) of `length` 1 or 2 between own stones might take a piece."""
    row, column, down, right = link
    if length == 2:
        return _owner(masks, counters, row + down, column + right) != NOBODY
    first = _owner(masks, counters, row + down, column)
    return bool(down != 0 and right != 0 and first != NOBODY and first == _owner(masks, counters, row, column + right))


@kernel
def _fill_cut(
    masks: Masks,
    counters: Counters,
    link: tuple[int, int, int, int],
    lengths: tuple[int, int],
    strike: NDArray[np.int64],
) -> bool:
    """Fills the cells that a cut of two links lacks; returns whether it can be made and might take something."""
    row, column, down, right = link
    first, second = lengths
    middle_row, middle_column = row + first * down, column + first * right
    if first == 2 and _owner(masks, counters, row + down, column + right) == NOBODY:
        return False
    if second == 2 and _owner(masks, counters, middle_row + down, middle_column + right) == NOBODY:
        return False
    takes = _takes_something(masks, counters, link, first)
    takes = takes or _takes_something(masks, counters, (middle_row, middle_column, down, right), second)
    return bool(
        takes
        and _add_cell(masks, counters, FRESH, (row, column), strike)
        and _add_cell(masks, counters, FRESH, (middle_row, middle_column), strike)
        and _add_cell(masks, counters, FRESH, (middle_row + second * down, middle_column + second * right), strike)
    )


@kernel
def _fill_ring(
    masks: Masks, counters: Counters, row: int, column: int, is_diagonal: int, strike: NDArray[np.int64]
) -> bool:
    """Fills the cells that a ring around an enemy stone lacks; returns whether it can be closed."""
    if not _holds(masks, counters, ENEMIES, row, column) or _holds(masks, counters, BASES, row, column):
        return False
    own = STONES + counters[TO_MOVE]
    for side in range(STONES_IN_RING):
        sign = 1 - 2 * (side % 2)
        down = sign if is_diagonal == 1 or side < 2 else 0
        right = (sign if side < 2 else -sign) if is_diagonal == 1 else (sign if side >= 2 else 0)
        if not _add_cell(masks, counters, own, (row + down, column + right), strike):
            return False
    return True


@kernel
def _keep(counters: Counters, strikes: Strikes, count: int) -> int:
    """Returns the number of strikes with the last one, if it lacks at least a stone and no more than there are left."""
    lacking = 0
    for index in range(strikes.shape[1]):
        lacking += 1 if strikes[count, index] != NO_CELL else 0
    if 0 < lacking <= counters[REMAINING]:
        return count + 1
    return count


@kernel
def fill_strikes(masks: Masks, counters: Counters, strikes: Strikes) -> int:
    """Fills int64 [MAX_STRIKES + 1, 4] with the cells of each strike; returns how many there are."""
    count = 0
    for cell in range(masks.shape[1] * counters[NUM_COLUMNS]):
        row, column = cell // counters[NUM_COLUMNS], cell % counters[NUM_COLUMNS]
        for kind in range(18):  # 4 directions x 4 pairs of lengths, 2 rings
            if count == MAX_STRIKES:
                return count
            for index in range(strikes.shape[1]):
                strikes[count, index] = NO_CELL
            if kind < 16:
                direction = kind % 4
                down = 0 if direction == 0 else 1
                right = 1 if direction == 0 else direction - 2
                lengths = (1 + (kind // 4) % 2, 1 + kind // 8)
                is_one = _fill_cut(masks, counters, (row, column, down, right), lengths, strikes[count])
            else:
                is_one = _fill_ring(masks, counters, row, column, kind - 16, strikes[count])
            if is_one:
                count = _keep(counters, strikes, count)
    return count
