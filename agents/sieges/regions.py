"""Walls of several stones that convert a region of the mover's sea, base or no base in it.

A goal is a cell of the mover's sea. The cheapest wall around it within a square of a few sizes (`walls.py`) encloses
what the paths from the goal reach; finished, it converts that, if it is the smaller part of the sea.

Dimension letter: N cells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.sieges.walls import STRIDE, Room, Rows, add_paths, has_place, is_inside, is_of_wall, start_paths
from bitblossom_env.bitblossom.state import ENEMIES, NOW_SEA, NUM_COLUMNS, Counters, Masks
from bitblossom_env.core.bitboard import cell_bit, count_cells
from bitblossom_env.core.bits import count_bits
from bitblossom_env.core.jit import kernel

MAX_RADIUS = 3  # of the squares around a goal
SPACING = 2  # every other cell is a goal, as on one colour of a chess board: the next one sees much the same walls
PIECE_VALUE = 1.0  # cells that a captured piece is worth beside the cell it leaves

Worths = NDArray[np.float64]  # float64 [N], in cells


@kernel
def count_enclosed(masks: Masks, room: Room, goal: int, radius: int) -> float:
    """Returns what the cells are worth that the last search, which led nowhere, has reached from `goal`."""
    worth = 0.0
    column = goal % STRIDE
    for row in range(max(0, goal // STRIDE - radius), min(masks.shape[1] - 1, goal // STRIDE + radius) + 1):
        for c in range(max(0, column - radius), min(STRIDE - 1, column + radius) + 1):
            if is_inside(room, row * STRIDE + c):
                worth += 1.0 + PIECE_VALUE * count_bits(masks[ENEMIES, row] & cell_bit(c))
    return worth


@kernel
def raise_worths(room: Room, board: tuple[int, int], goal: int, radius: int, worth: float, worths: Worths) -> None:
    """Raises the cells of the wall that the last search met to `worth`; `board` is its rows and columns."""
    num_rows, num_columns = board
    column = goal % STRIDE
    for row in range(max(0, goal // STRIDE - radius), min(num_rows - 1, goal // STRIDE + radius) + 1):
        for c in range(max(0, column - radius), min(num_columns - 1, column + radius) + 1):
            if is_of_wall(room, row * STRIDE + c):
                worths[row * num_columns + c] = max(worths[row * num_columns + c], worth)


@kernel
def fill_region_worths(
    masks: Masks, counters: Counters, free: Rows, room: Room, plan: tuple[int, float], worths: Worths
) -> None:
    """Fills in what each cell is worth as a stone of a wall around a region: the most that such a wall converts.

    Args:
        masks: of the position.
        counters: of the position.
        free: where the mover may build in its sea.
        room: to write in.
        plan: stones beyond which no wall is seen, and what one stone more divides the worth of a wall by.
        worths: in cells; 0 for a stone of no wall.
    """
    limit, decay = plan
    num_columns = counters[NUM_COLUMNS]
    board = (masks.shape[1], num_columns)
    sea_size = count_cells(masks, NOW_SEA)
    for cell in range(worths.shape[0]):
        worths[cell] = 0.0
    for cell in range(worths.shape[0]):
        goal = cell // num_columns * STRIDE + cell % num_columns
        if (goal // STRIDE + goal % STRIDE) % SPACING != 0 or not has_place(masks[NOW_SEA], goal):
            continue
        start_paths(room, goal, MAX_RADIUS)
        num_stones = 0
        for radius in range(MAX_RADIUS, 0, -1):
            num_stones = add_paths(masks[NOW_SEA], free, (goal, radius, limit), room, num_stones)
            if num_stones > limit:
                break
            worth = count_enclosed(masks, room, goal, radius)
            if num_stones > 0 and 2 * worth < sea_size:
                raise_worths(room, board, goal, radius, worth * decay ** (1 - num_stones), worths)
