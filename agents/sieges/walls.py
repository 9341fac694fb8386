"""How many more stones wall a base in, and where they go: a minimum vertex cut in the builder's sea.

A base falls when stones of one player cut it off from the larger part of that player's sea (R3.3, R4.2). The sea is
4-connected; the builder's own stones are not part of it any more, the rim costs nothing, and cells that others hold let
the sea through and can never be built upon. So the cheapest wall is a cut of cells on which the builder may place,
between the base and everything outside a square around it. A greater square may have a cheaper wall, a smaller one
leaves no doubt which side is the smaller.

Paths that share no buildable cell are found one by one (Ford and Fulkerson, 1956), and no more than matter; the cut
nearest to the base is the answer (Menger's theorem), the same whichever paths were found. Paths out of a square lead
out of every smaller one as well, so the search goes from the greatest square inwards and only adds to them.

Dimension letter: S squares around a base.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bitblossom_env.core.bitboard import ZERO, cell_bit
from bitblossom_env.core.jit import kernel, small_kernel

Rows = NDArray[np.uint64]  # a set of cells, uint64 [rows]
Room = NDArray[np.int32]  # int32 [NUM_LAYERS, 2 * STRIDE * rows], what the search writes in

STRIDE = 32  # a place is row * STRIDE + column, whatever the board's width: rows and columns come without a division
# --- layers of the room --------------------------------------------------------------------------------------------
_THROUGH = 0  # [place] paths through a cell
_ALONG = 1  # + direction (up, right, down, left), [place] paths that leave a cell in that direction
_PARENT = 5  # [node] node from which a node was reached, UNSEEN, or itself for the source
_STACK = 6  # [node] nodes that are seen and still to be gone on from
NUM_LAYERS = 7
_UNSEEN = -1
# A cell is two nodes: 2 * place is where paths come in, 2 * place + 1 where they go out.


def new_room(num_rows: int) -> Room:
    """Returns room for one search at a time on a board of `num_rows`."""
    return np.zeros((NUM_LAYERS, 2 * STRIDE * num_rows), np.int32)


@small_kernel
def row_at(place: int) -> int:
    """Returns the row of a place: its quotient by STRIDE, without the care that a sign would need."""
    return place >> 5


@small_kernel
def column_at(place: int) -> int:
    """Returns the column of a place: its rest by STRIDE."""
    return place & 31


@small_kernel
def has_place(rows: Rows, place: int) -> bool:
    """Returns whether a set holds a cell."""
    return bool(rows[row_at(place)] & cell_bit(column_at(place)) != ZERO)


@small_kernel
def _neighbour(place: int, direction: int, num_rows: int) -> int:
    """Returns the place above, right of, below or left of one, -1 off the board; beyond the last column is no cell."""
    if direction == 0:
        return place - STRIDE if place >= STRIDE else -1
    if direction == 1:
        return place + 1 if column_at(place) < STRIDE - 1 else -1
    if direction == 2:
        return place + STRIDE if place < STRIDE * (num_rows - 1) else -1
    return place - 1 if column_at(place) > 0 else -1


@small_kernel
def _distance(place: int, base: int) -> int:
    """Returns how far a place is from the base (Chebyshev)."""
    down = row_at(place) - row_at(base)
    right = column_at(place) - column_at(base)
    return max(abs(down), abs(right))


@small_kernel
def _visit(room: Room, node: int, parent: int, size: int) -> int:
    """Notes that a node is reached, if it is for the first time; returns the height of the stack."""
    if room[_PARENT, node] != _UNSEEN:
        return size
    room[_PARENT, node] = parent
    room[_STACK, size] = node
    return size + 1


@kernel
def _visit_neighbours(sea: Rows, node: int, room: Room, size: int) -> int:
    """Visits what a node leads to in other cells; returns the height of the stack."""
    for direction in range(4):
        other = _neighbour((node >> 1), direction, sea.shape[0])
        if other < 0 or not has_place(sea, other):
            continue
        if node & 1 == 1:  # going out, a path may step on
            size = _visit(room, 2 * other, node, size)
        elif room[_ALONG + (direction + 2) % 4, other] > 0:  # coming in, it may undo the step that came in here
            size = _visit(room, 2 * other + 1, node, size)
    return size


@kernel
def _clear_layers(room: Room, first: int, last: int, base: int, radius: int) -> None:
    """Writes zeros into the layers first..last (UNSEEN into parents), as far as a search of `radius` can see."""
    low = max(0, column_at(base) - radius - 1)
    high = min(STRIDE - 1, column_at(base) + radius + 1)
    top = max(0, row_at(base) - radius - 1)
    bottom = min(room.shape[1] // (2 * STRIDE) - 1, row_at(base) + radius + 1)
    for layer in range(first, last + 1):
        width, value = (2, _UNSEEN) if layer == _PARENT else (1, 0)
        for row in range(top, bottom + 1):
            for index in range(width * (STRIDE * row + low), width * (STRIDE * row + high + 1)):
                room[layer, index] = value


@kernel
def _find_path(sea: Rows, free: Rows, base: int, radius: int, room: Room) -> int:
    """Searches the residual network from the base on.

    Returns the node reached outside the square; if none is, -1 less the greatest distance that has been reached.
    """
    _clear_layers(room, _PARENT, _PARENT, base, radius)
    size = _visit(room, 2 * base + 1, 2 * base + 1, 0)
    reach = 0
    while size > 0:
        size -= 1
        node = room[_STACK, size]
        place = node >> 1
        distance = _distance(place, base)
        if distance > radius:
            return int(node)
        reach = max(reach, distance)
        if node & 1 == 1 and room[_THROUGH, place] > 0:
            size = _visit(room, 2 * place, node, size)
        if node & 1 == 0 and (room[_THROUGH, place] == 0 or not has_place(free, place)):
            size = _visit(room, 2 * place + 1, node, size)
        size = _visit_neighbours(sea, node, room, size)
    return -1 - reach


@kernel
def _add_path(room: Room, node: int) -> None:
    """Books the path that the last search found to `node`."""
    while room[_PARENT, node] != node:
        parent = room[_PARENT, node]
        place, before = (node >> 1), (parent >> 1)
        if place == before:
            room[_THROUGH, place] += 1 if node & 1 == 1 else -1
        else:
            step = place - before
            direction = 0 if step == -STRIDE else 2 if step == STRIDE else 1 if step == 1 else 3
            if node & 1 == 0:
                room[_ALONG + direction, before] += 1
            else:
                room[_ALONG + (direction + 2) % 4, place] -= 1
        node = parent


@kernel
def add_paths(sea: Rows, free: Rows, siege: tuple[int, int, int], room: Room, num_paths: int) -> tuple[int, int]:
    """Adds paths out of the square to the `num_paths` there are.

    `siege` is place of the base, radius, limit. Returns how many paths there are, limit + 1 at most, and the distance
    from which on a square has the same wall. With no more than `limit` paths the last search has led nowhere.
    """
    base, radius, limit = siege
    while num_paths <= limit:
        node = _find_path(sea, free, base, radius, room)
        if node < 0:
            return num_paths, -1 - node
        _add_path(room, node)
        num_paths += 1
    return num_paths, radius


@kernel
def _leads_straight_out(sea: Rows, base: int, direction: int, radius: int) -> bool:
    """Returns whether the cells from a base to the first one outside the square lie in the sea."""
    place = base
    for _ in range(radius + 1):
        place = _neighbour(place, direction, sea.shape[0])
        if place < 0 or not has_place(sea, place):
            return False
    return True


@kernel
def start_paths(sea: Rows, siege: tuple[int, int, int], room: Room) -> int:
    """Empties the room and adds the paths that lead straight out of the square; returns how many, limit + 1 at most.

    `siege` is place of the base, radius of the greatest square that will be searched, limit. Straight paths share no
    cell, and most paths are straight: they spare a search each.
    """
    base, radius, limit = siege
    num_paths, directions = 0, 0
    for direction in range(4):
        if _leads_straight_out(sea, base, direction, radius):
            num_paths += 1
            directions |= 1 << direction
    if num_paths > limit:
        return limit + 1  # the answer; nothing will be searched
    _clear_layers(room, _THROUGH, _ALONG + 3, base, radius)
    for direction in range(4):
        if directions >> direction & 1 == 0:
            continue
        place = base
        for _ in range(radius):
            room[_ALONG + direction, place] += 1
            place = _neighbour(place, direction, sea.shape[0])
            room[_THROUGH, place] += 1
        room[_ALONG + direction, place] += 1
    return num_paths


@small_kernel
def is_inside(room: Room, place: int) -> bool:
    """Returns whether the last search, which led nowhere, has reached a cell and may go on from it."""
    return bool(room[_PARENT, 2 * place + 1] != _UNSEEN)


@small_kernel
def is_of_wall(room: Room, place: int) -> bool:
    """Returns whether the last search, which led nowhere, came into a cell and not out of it."""
    return bool(room[_PARENT, 2 * place] != _UNSEEN and room[_PARENT, 2 * place + 1] == _UNSEEN)


@kernel
def _mark_wall(room: Room, base: int, radius: int, wall: Rows) -> None:
    """Adds the cells that the last search, which led nowhere, came into and not out of."""
    low = max(0, column_at(base) - radius)
    high = min(STRIDE - 1, column_at(base) + radius)
    for row in range(max(0, row_at(base) - radius), min(wall.shape[0] - 1, row_at(base) + radius) + 1):
        for column in range(low, high + 1):
            place = row * STRIDE + column
            if is_of_wall(room, place):
                wall[row] |= cell_bit(column)


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
    cell, radius, limit = siege
    base = cell // num_columns * STRIDE + cell % num_columns
    for r in range(wall.shape[0]):
        wall[r] = ZERO
    if not has_place(sea, base):
        return 0
    num_stones = start_paths(sea, (base, radius, limit), room)
    num_stones, _ = add_paths(sea, free, (base, radius, limit), room, num_stones)
    if num_stones <= limit:
        _mark_wall(room, base, radius, wall)
    return num_stones


@kernel
def fill_walls(
    sea: Rows, free: Rows, siege: tuple[int, int, int], room: Room, needs: NDArray[np.int64], walls: NDArray[np.uint64]
) -> None:
    """Fills int64 [S] and uint64 [S, rows] with what `find_wall` says for the squares of radius 1..S.

    `siege` is cell of the base, number of columns of the board, limit.
    """
    cell, num_columns, limit = siege
    base = cell // num_columns * STRIDE + cell % num_columns
    num_squares = needs.shape[0]
    for index in range(num_squares):
        needs[index] = 0
        for r in range(walls.shape[1]):
            walls[index, r] = ZERO
    if not has_place(sea, base):
        return
    num_stones = start_paths(sea, (base, num_squares, limit), room)
    least = num_squares + 1  # the smallest square known to have the wall before
    for radius in range(num_squares, 0, -1):
        if radius >= least:
            needs[radius - 1] = needs[radius]
            for r in range(walls.shape[1]):
                walls[radius - 1, r] = walls[radius, r]
            continue
        num_stones, least = add_paths(sea, free, (base, radius, limit), room, num_stones)
        needs[radius - 1] = num_stones
        if num_stones <= limit:
            _mark_wall(room, base, least, walls[radius - 1])
