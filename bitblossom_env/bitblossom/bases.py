"""R1, home bases: the default cells, explicit cells, cells drawn at random."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from ..core.arguments import not_allowed, shown, whole_number
from ..core.game import ArgumentError

Cell = tuple[int, int]  # (row, column)

MIN_DISTANCE = 2  # Chebyshev distance between any two given bases
MIN_RANDOM_DISTANCE = 3  # the same for drawn ones
NUM_TRIES = 200  # random draws before a regular grid with random offsets is taken


def chebyshev_distance(first: Cell, second: Cell) -> int:
    """Returns the number of king's steps between two cells."""
    return max(abs(first[0] - second[0]), abs(first[1] - second[1]))


def default_bases(num_players: int, rows: int, cols: int) -> tuple[Cell, ...]:
    """Returns the first `num_players` of the eight default cells: corners of the inset square, then its middles."""
    inset = max(1, min(rows, cols) // 4)
    bottom, right = rows - 1 - inset, cols - 1 - inset
    cells = [
        (inset, inset),
        (bottom, right),
        (inset, right),
        (bottom, inset),
        (inset, cols // 2),
        (bottom, cols // 2),
        (rows // 2, inset),
        (rows // 2, right),
    ]
    return tuple(cells[:num_players])


def checked_bases(value: Any, num_players: int, rows: int, cols: int) -> tuple[Cell, ...] | None:
    """Returns one cell per seat for "default" or explicit cells, None for "random"; raises `ArgumentError`."""
    if isinstance(value, str) and value == "random":
        room = -(-rows // MIN_RANDOM_DISTANCE) * -(-cols // MIN_RANDOM_DISTANCE)
        if room < num_players:
            raise ArgumentError(
                f"home_bases='random' is not allowed on {rows}x{cols} for num_players={num_players}: only {room}"
                f" cells fit at distance {MIN_RANDOM_DISTANCE}; allowed: fewer players or a larger board"
            )
        return None
    if isinstance(value, str) and value == "default":
        cells = default_bases(num_players, rows, cols)
    else:
        cells = _explicit_bases(value, num_players, rows, cols)
    for first, second in combinations(cells, 2):
        if chebyshev_distance(first, second) < MIN_DISTANCE:
            raise ArgumentError(
                f"home_bases={shown(value)} is not allowed on {rows}x{cols} for num_players={num_players}: {first} and"
                f" {second} are too close; allowed: every pair of bases at Chebyshev distance >= {MIN_DISTANCE}"
            )
    return cells


def _explicit_bases(value: Any, num_players: int, rows: int, cols: int) -> tuple[Cell, ...]:
    """Returns the given cells as pairs of ints on the board, one per seat."""
    problem = not_allowed(
        "home_bases", value, f"'default', 'random' or {num_players} cells (row, column) on the {rows}x{cols} board"
    )
    if not isinstance(value, (list, tuple)) or len(value) != num_players:
        raise problem
    cells = []
    for pair in value:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise problem
        try:
            r, c = (whole_number("home_bases", x, 0, side - 1) for x, side in zip(pair, (rows, cols), strict=True))
        except ArgumentError:  # a coordinate alone tells too little
            raise problem from None
        cells.append((r, c))
    return tuple(cells)


def draw_bases(num_players: int, rows: int, cols: int, rng: np.random.Generator) -> tuple[Cell, ...]:
    """Returns seeded random cells, every pair at Chebyshev distance >= 3; exists whenever `checked_bases` accepts."""
    for _ in range(NUM_TRIES):
        cells: list[Cell] = []
        free = [(r, c) for r in range(rows) for c in range(cols)]
        while free and len(cells) < num_players:
            cell = free[int(rng.integers(len(free)))]
            cells.append(cell)
            free = [other for other in free if chebyshev_distance(cell, other) >= MIN_RANDOM_DISTANCE]
        if len(cells) == num_players:
            return tuple(cells)
    # So tight that sequential draws fail: cells of a regular grid, moved by what slack it has.
    row_starts, col_starts = (
        np.arange(0, side, MIN_RANDOM_DISTANCE) + int(rng.integers((side - 1) % MIN_RANDOM_DISTANCE + 1))
        for side in (rows, cols)
    )
    grid = [(int(r), int(c)) for r in row_starts for c in col_starts]
    return tuple(grid[i] for i in rng.permutation(len(grid))[:num_players])
