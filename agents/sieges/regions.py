"""Walls of several stones that convert a region of their builder's sea, base or no base in it.

A goal is a cell of the builder's sea. The cheapest wall around it within a square of a few sizes (`walls.py`) encloses
what the paths from the goal reach; finished, it converts that, if it is the smaller part of the sea.

Dimension letter: N cells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.sieges.conversions import PIECE_VALUE
from agents.sieges.walls import STRIDE, Room, Rows, add_paths, has_place, is_inside, is_of_wall, start_paths
from bitblossom_env.bitblossom.state import NUM_COLUMNS, NUM_SEATS, STONES, Counters, Masks
from bitblossom_env.core.bitboard import ZERO, cell_bit, count_cells
from bitblossom_env.core.jit import kernel, small_kernel

MAX_RADIUS = 3  # of the squares around a goal
SPACING = 2  # every other cell is a goal, as on one colour of a chess board: the next one sees much the same walls

Worths = NDArray[np.float64]  # float64 [N], in cells
Builder = tuple[int, Rows]


@small_kernel
def is_held(masks: Masks, counters: Counters, row: int, column: int) -> bool:
    """Returns whether a piece lies on a cell."""
    pieces = ZERO
    for seat in range(counters[NUM_SEATS]):
        pieces |= masks[STONES + seat, row]
    return bool(pieces & cell_bit(column) != ZERO)


@kernel
def count_enclosed(masks: Masks, counters: Counters, room: Room, goal: int, radius: int) -> float:
    """Returns what the cells are worth that the last search, which led nowhere, has reached from `goal`.

    No stone of the builder is among them: its own stones are not part of its sea.
    """
    worth = 0.0
    column = goal % STRIDE
    for row in range(max(0, goal // STRIDE - radius), min(masks.shape[1] - 1, goal // STRIDE + radius) + 1):
        for c in range(max(0, column - radius), min(STRIDE - 1, column + radius) + 1):
            if is_inside(room, row * STRIDE + c):
                worth += 1.0 + PIECE_VALUE * is_held(masks, counters, row, c)
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
def raise_region_worths(
    masks: Masks, counters: Counters, builder: Builder, room: Room, plan: tuple[int, float, float], worths: Worths
) -> None:
    """Raises cells to what they are worth as a stone of a builder's wall around a region: the most that it converts.

    Args:
        masks: of the position.
        counters: of the position.
        builder: number of the field that is its sea, and where it may build in it.
        room: to write in.
        plan: stones beyond which no wall is seen, what one stone more divides the worth of a wall by, and what a cell
            that it converts is worth.
        worths: in cells.
    """
    sea, free = builder
    limit, decay, share = plan
    num_columns = counters[NUM_COLUMNS]
    board = (masks.shape[1], num_columns)
    sea_size = count_cells(masks, sea)
    for cell in range(worths.shape[0]):
        goal = cell // num_columns * STRIDE + cell % num_columns
        if (goal // STRIDE + goal % STRIDE) % SPACING != 0 or not has_place(masks[sea], goal):
            continue
        num_stones = start_paths(masks[sea], (goal, MAX_RADIUS, limit), room)
        radius = MAX_RADIUS
        while radius > 0:
            num_stones, least = add_paths(masks[sea], free, (goal, radius, limit), room, num_stones)
            if num_stones > limit:
                break
            worth = count_enclosed(masks, counters, room, goal, least)
            if num_stones > 0 and 2 * worth < sea_size:
                raise_worths(room, board, goal, least, share * worth * decay ** (1 - num_stones), worths)
            radius = least - 1
