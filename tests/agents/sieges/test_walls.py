"""Walls: as few stones as a maximum flow says, where they may be placed, and tight."""

import networkx
import numpy as np
import pytest

from agents.sieges.walls import fill_walls, find_wall, new_room

LIMIT = 6
OFTEN = 10**6  # more paths than any board has


def rows_of(grid):
    """bool [rows, cols] as a set of cells."""
    return np.array([sum(1 << c for c in np.flatnonzero(row)) for row in grid], np.uint64)


def cells_of(rows, num_columns):
    return {(r, c) for r, row in enumerate(rows.tolist()) for c in range(num_columns) if row >> c & 1}


def fewest_stones(sea, free, base, radius):
    """By networkx, every cell a pair of nodes; 0 where the base is cut off already."""
    graph = networkx.DiGraph()
    graph.add_nodes_from([(*base, "out"), "outside"])
    for r, c in np.argwhere(sea).tolist():
        graph.add_edge((r, c, "in"), (r, c, "out"), capacity=1 if free[r, c] else OFTEN)
        if max(abs(r - base[0]), abs(c - base[1])) > radius:
            graph.add_edge((r, c, "in"), "outside", capacity=OFTEN)
        for other in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            if min(other) >= 0 and other[0] < sea.shape[0] and other[1] < sea.shape[1] and sea[other]:
                graph.add_edge((r, c, "out"), (*other, "in"), capacity=OFTEN)
    return networkx.maximum_flow_value(graph, (*base, "out"), "outside") if sea[base] else 0


def draw_board(rng):
    shape = rng.integers(3, 10, size=2)
    sea = rng.random(shape) < rng.choice([0.7, 0.9, 1.0])
    free = sea & (rng.random(shape) < rng.choice([0.5, 0.8, 1.0]))
    base = tuple(int(rng.integers(side)) for side in shape)
    free[base] = False
    return sea, free, base, int(rng.integers(1, 4))


@pytest.mark.parametrize("seed", range(4))
def test_walls_are_minimum_cuts(seed):
    rng = np.random.default_rng(seed)
    found = set()
    for _ in range(80):
        sea, free, base, radius = draw_board(rng)
        num_rows, num_columns = sea.shape
        wall = np.full(num_rows, 7, np.uint64)
        siege = (base[0] * num_columns + base[1], radius, LIMIT)
        room = new_room(num_rows)
        stones = find_wall(rows_of(sea), rows_of(free), siege, num_columns, room, wall)
        assert stones == min(fewest_stones(sea, free, base, radius), LIMIT + 1)
        cells = cells_of(wall, num_columns)
        if stones <= LIMIT:
            assert len(cells) == stones
            assert all(free[cell] for cell in cells)
            for cell in cells:
                sea[cell] = False
            assert fewest_stones(sea, free, base, radius) == 0
        else:
            assert not cells
        found.add(stones)
    assert found >= {0, 1, 2, 3, 4, LIMIT + 1}


def test_the_wall_nearest_to_the_base_is_found():
    # A corridor: every cell of it is a cut of one stone.
    sea = np.zeros((3, 9), bool)
    sea[1] = True
    free = sea.copy()
    free[1, 0] = False
    wall = np.zeros(3, np.uint64)
    assert find_wall(rows_of(sea), rows_of(free), (9, 6, LIMIT), 9, new_room(3), wall) == 1
    assert cells_of(wall, 9) == {(1, 1)}


def test_a_base_next_to_the_edge_of_its_square_can_be_walled_in_there_alone():
    sea = np.ones((9, 9), bool)
    free = sea.copy()
    free[4, 4] = False
    wall = np.zeros(9, np.uint64)
    for radius in (1, 2, 3):
        assert find_wall(rows_of(sea), rows_of(free), (40, radius, LIMIT), 9, new_room(9), wall) == 4
        assert cells_of(wall, 9) == {(3, 4), (5, 4), (4, 3), (4, 5)}


@pytest.mark.parametrize("seed", range(2))
def test_walls_of_all_sizes_at_once_are_those_found_one_by_one(seed):
    rng = np.random.default_rng(seed)
    found = set()
    for _ in range(60):
        sea, free, base, _ = draw_board(rng)
        num_rows, num_columns = sea.shape
        cell, room = base[0] * num_columns + base[1], new_room(num_rows)
        needs, walls = np.full(4, -9), np.full((4, num_rows), 7, np.uint64)
        fill_walls(rows_of(sea), rows_of(free), (cell, num_columns, LIMIT), room, needs, walls)
        for radius in range(1, 5):
            wall = np.full(num_rows, 7, np.uint64)
            stones = find_wall(
                rows_of(sea), rows_of(free), (cell, radius, LIMIT), num_columns, new_room(num_rows), wall
            )
            assert needs[radius - 1] == stones
            assert walls[radius - 1].tolist() == wall.tolist()
        found.add(tuple(needs.tolist()))
    assert len(found) > 15
    assert any(needs[0] > needs[3] for needs in found)
