"""Positions that are hard for floods and replays of the sea, on boards of any size, as JSON positions.

Seat 0 builds walls in every second row (or column). A wall leaves one end open, left and right in turn, so that what
lies between is one corridor through the whole board (a serpentine); or it is closed, and every wall splits the sea.
"""

from __future__ import annotations

from bitblossom_env.core.game import Position

Cell = tuple[int, int]

RULES = {"max_turns": None, "max_retractions_per_turn": None}
NUM_STAGE_ROWS = 4  # rows at the bottom, for the ring that ends the turn and for the bases


def num_walls_above_stage(side: int) -> int:
    """Returns how many walls stand above the stage."""
    return (side - NUM_STAGE_ROWS) // 2


def wall_cells(side: int, num_walls: int, is_closed: bool) -> list[Cell]:
    """Returns the cells of the walls, wall after wall from the top."""
    cells = []
    for wall in range(num_walls):
        gap = None if is_closed else (side - 1 if wall % 2 == 0 else 0)
        cells += [(2 * wall + 1, column) for column in range(side) if column != gap]
    return cells


def serpentine(side: int, is_upright: bool) -> tuple[Position, Cell]:
    """Returns a position in which seat 0 is to move among its own walls, and the middle cell of the corridor.

    Upright, the walls stand in every second column: a flood that works row by row then passes the board once for each
    bend, while it follows level walls in one pass.
    """
    num_walls = (side - 1) // 2
    stones = wall_cells(side, num_walls, is_closed=False)
    base = stones.pop(0)
    pieces = [piece(base, 0, -1), piece((side - 1, side - 1), 1, -1)]
    pieces += [piece(cell, 0, 0) for cell in stones if cell != (side - 1, side - 1)]
    middle = (2 * (num_walls // 2), side // 2)
    if is_upright:
        pieces = [[column, row, *rest] for row, column, *rest in pieces]
        middle = (middle[1], middle[0])
    return position(side, turn=2, to_move=0, pieces=pieces), middle


def replay(
    side: int, num_turns: int, is_closed: bool, has_capture: bool = True, num_walls: int | None = None
) -> Position:
    """Returns a position in which ending the turn takes one stone of seat 0, so that its history is replayed.

    Args:
        side: rows and columns, at least 8.
        num_turns: turns over which the stones of the walls came, spread evenly; at most one for each stone.
        is_closed: whether each wall reaches from rim to rim.
        has_capture: whether the ring is complete; without, the same turn ends and nothing is replayed.
        num_walls: None for as many as there is room for.
    """
    stones = wall_cells(side, num_walls_above_stage(side) if num_walls is None else num_walls, is_closed)
    row, column = side - 3, side // 2
    ring = [(row - 1, column), (row, column - 1), (row + 1, column)] + [(row, column + 1)] * has_capture
    turn = 2 * len(stones) + 1  # the same for every history
    pieces = [piece((side - 1, 0), 0, -1), piece((side - 1, side - 1), 1, -1), piece((row, column), 0, 0)]
    pieces += [piece(cell, 0, 2 * (index * num_turns // len(stones))) for index, cell in enumerate(stones)]
    pieces += [piece(cell, 1, 1) for cell in ring[:-1]]
    pieces.append(piece(ring[-1], 1, turn))
    return position(side, turn, to_move=1, pieces=pieces)


def piece(cell: Cell, seat: int, stamp: int) -> list[int | bool]:
    """Returns a piece as a position lists it; a base has the stamp -1."""
    return [*cell, seat, stamp, stamp == -1, False]


def position(side: int, turn: int, to_move: int, pieces: list[list[int | bool]]) -> Position:
    """Returns a position for two players with no limit on turns and retractions."""
    return {
        "rows": side,
        "cols": side,
        "players": 2,
        "turn": turn,
        "to_move": to_move,
        "turns_taken": [turn // 2 + 1, turn // 2],
        "passes": 0,
        "retractions": 0,
        "pieces": sorted(pieces),
        "rules": dict(RULES),
    }
