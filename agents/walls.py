"""How many more stones wall a base in, and where they go: a minimum vertex cut in the builder's sea.

A base falls when stones of one player cut it off from the larger part of that player's sea (R3.3, R4.2). The sea is
4-connected; the builder's own stones are not part of it any more, the rim costs nothing, and cells that others hold let
the sea through and can never be built upon. So the cheapest wall is a cut of cells on which the builder may place,
between the base and everything outside a square around it. A greater square may have a cheaper wall, a smaller one
leaves no doubt which side is the smaller.

Paths that share no buildable cell are found one by one (Ford and Fulkerson, 1956), and no more than matter; the cut
nearest to the base is the answer (Menger's theorem).

Dimension letter: C cells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bitblossom_env.core.bitboard import ZERO, cell_bit
from bitblossom_env.core.jit import kernel

Rows = NDArray[np.uint64]  # a set of cells, uint64 [rows]
Room = NDArray[np.int32]  # int32 [NUM_LAYERS, 2 * C], what the search writes in

# --- layers of the room --------------------------------------------------------------------------------------------
_THROUGH = 0  # [C] paths through a cell
_ALONG = 1  # + direction, [C] paths that leave a cell in that direction
_PARENT = 5  # [2 C] node from which a node was reached, UNSEEN, or itself for the source
_QUEUE = 6  # [2 C]
NUM_LAYERS = 7
_UNSEEN = -1
# A cell is two nodes: 2 * cell is where paths come in, 2 * cell + 1 where they go out.


def new_room(num_cells: int) -> Room:
    """Returns room for one search at a time on a board of `num_cells`."""
    return np.zeros((NUM_LAYERS, 2 * num_cells), np.int32)


@kernel
def _neighbour(cell: int, direction: int, num_rows: int, num_columns: int) -> int:
    """Returns the cell above, right of, below or left of a cell, -1 off the board."""
    row, column = cell // num_columns, cell % num_columns
    if direction == 0:
        return cell - num_columns if row > 0 else -1
    if direction == 1:
        return cell + 1 if column < num_columns - 1 else -1
    if direction == 2:
        return cell + num_columns if row < num_rows - 1 else -1
    return cell - 1 if column > 0 else -1


@kernel
def _has(rows: Rows, cell: int, num_columns: int) -> bool:
    """Returns whether a set holds a cell."""
    return bool(rows[cell // num_columns] & cell_bit(cell % num_columns) != ZERO)


@kernel
def _is_outside(cell: int, base: int, radius: int, num_columns: int) -> bool:
    """Returns whether a cell lies outside the square of `radius` around the base."""
    down = cell // num_columns - base // num_columns
    right = cell % num_columns - base % num_columns
    return max(abs(down), abs(right)) > radius


@kernel
def _visit(room: Room, node: int, parent: int, size: int) -> int:
    """Notes that a node is reached, if it is for the first time; returns the length of the queue."""
    if room[_PARENT, node] != _UNSEEN:
        return size
    room[_PARENT, node] = parent
    room[_QUEUE, size] = node
    return size + 1


@kernel
def _visit_neighbours(sea: Rows, node: int, num_columns: int, room: Room, size: int) -> int:
    """Visits what a node leads to in other cells; returns the length of the queue."""
    for direction in range(4):
        other = _neighbour(node // 2, direction, sea.shape[0], num_columns)
        if other < 0 or not _has(sea, other, num_columns):
            continue
        if node % 2 == 1:  # going out, a path may step on
            size = _visit(room, 2 * other, node, size)
        elif room[_ALONG + (direction + 2) % 4, other] > 0:  # coming in, it may undo the step that came in here
            size = _visit(room, 2 * other + 1, node, size)
    return size


@kernel
def _find_path(sea: Rows, free: Rows, base: int, radius: int, num_columns: int, room: Room) -> int:
    """Searches the residual network from the base on; returns the node reached outside the square, -1 if none is."""
    for node in range(2 * sea.shape[0] * num_columns):
        room[_PARENT, node] = _UNSEEN
    size = _visit(room, 2 * base + 1, 2 * base + 1, 0)
    next_in_queue = 0
    while next_in_queue < size:
        node = room[_QUEUE, next_in_queue]
        next_in_queue += 1
        cell = node // 2
        if _is_outside(cell, base, radius, num_columns):
            return int(node)
        size = _visit_neighbours(sea, node, num_columns, room, size)
        if node % 2 == 1 and room[_THROUGH, cell] > 0:
            size = _visit(room, 2 * cell, node, size)
        if node % 2 == 0 and (room[_THROUGH, cell] == 0 or not _has(free, cell, num_columns)):
            size = _visit(room, 2 * cell + 1, node, size)
    return -1


@kernel
def _add_path(room: Room, node: int, num_columns: int) -> None:
    """Books the path that the last search found to `node`."""
    while room[_PARENT, node] != node:
        parent = room[_PARENT, node]
        cell, before = node // 2, parent // 2
        if cell == before:
            room[_THROUGH, cell] += 1 if node % 2 == 1 else -1
        else:
            step = cell - before
            direction = 0 if step == -num_columns else 2 if step == num_columns else 1 if step == 1 else 3
            if node % 2 == 0:
                room[_ALONG + direction, before] += 1
            else:
                room[_ALONG + (direction + 2) % 4, cell] -= 1
        node = parent


@kernel
def find_wall(sea: Rows, free: Rows, siege: tuple[int, int, int], num_columns: int, room: Room, wall: Rows) -> int:
    """Returns the fewest stones that cut a base off within a square, limit + 1 if more are needed.

    Args:
        sea: the builder's sea.
        free: cells of it on which the builder may place.
        siege: cell of the base (if it lies outside the sea already, 0 is returned), radius of the square around it
            (Chebyshev), limit (stones beyond which the answer does not matter).
        num_columns: of the board.
        room: to write in.
        wall: gets the cells; empty if there are more than `limit`.
    """
    base, radius, limit = siege
    num_rows = sea.shape[0]
    for r in range(num_rows):
        wall[r] = ZERO
    if not _has(sea, base, num_columns):
        return 0
    for layer in range(_ALONG + 4):
        for cell in range(num_rows * num_columns):
            room[layer, cell] = 0
    num_stones = 0
    node = _find_path(sea, free, base, radius, num_columns, room)
    while node >= 0:
        num_stones += 1
        if num_stones > limit:
            return num_stones
        _add_path(room, node, num_columns)
        node = _find_path(sea, free, base, radius, num_columns, room)
    for cell in range(num_rows * num_columns):
        if room[_PARENT, 2 * cell] != _UNSEEN and room[_PARENT, 2 * cell + 1] == _UNSEEN:
            wall[cell // num_columns] |= cell_bit(cell % num_columns)
    return num_stones
