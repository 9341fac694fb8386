"""R3.3: territory, the sticky sea, by literal replay."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from tests.reference.pieces import ORTHOGONAL, Board, Cell, step

Stones = frozenset[tuple[Cell, int]]  # one player's pieces now on the board: (cell, stamp)


@dataclass(frozen=True)
class Replay:
    """What is left of the sea, and the stamps whose division left several greatest rimmed children."""

    sea: frozenset[Cell]
    tied_stamps: frozenset[int]


def components(cells: set[Cell] | frozenset[Cell]) -> list[set[Cell]]:
    """The 4-connected components of a set of cells."""
    left = set(cells)
    found = []
    while left:
        start = left.pop()
        component = {start}
        waiting = [start]
        while waiting:
            cell = waiting.pop()
            reached = {step(cell, direction) for direction in ORTHOGONAL} & left
            left -= reached
            component |= reached
            waiting += reached
        found.append(component)
    return found


def is_rim(cell: Cell, rows: int, cols: int) -> bool:
    return cell[0] in (0, rows - 1) or cell[1] in (0, cols - 1)


@lru_cache(maxsize=4096)  # a memo of a pure function of its arguments, not state
def replay(rows: int, cols: int, stones: Stones) -> Replay:
    """The replay of R3.3, line by line."""
    sea = {(r, c) for r in range(rows) for c in range(cols)}
    blocked: set[Cell] = set()
    tied_stamps = set()
    for stamp in sorted({stamp for _, stamp in stones}):
        placed = {cell for cell, placed_in in stones if placed_in == stamp}
        blocked |= placed
        if not placed & sea:
            continue
        children = components(sea - blocked)
        rimmed = [child for child in children if any(is_rim(cell, rows, cols) for cell in child)]
        if not rimmed:
            sea = set()
            break
        greatest = max(len(child) for child in rimmed)
        largest = [child for child in rimmed if len(child) == greatest]
        sea = set().union(*largest)
        if len(largest) > 1:
            tied_stamps.add(stamp)
    return Replay(frozenset(sea), frozenset(tied_stamps))


def stones_of(board: Board, seat: int) -> Stones:
    """That player's pieces now on the board; this turn's overlays are left out (R3.3)."""
    return frozenset((cell, piece.stamp) for cell, piece in board.lower.items() if piece.seat == seat)


def sea_of(board: Board, seat: int) -> Replay:
    return replay(board.rows, board.cols, stones_of(board, seat))


def territory_of(board: Board, seat: int) -> set[Cell]:
    """Cells not in the sea that hold none of that player's pieces (overlays left out)."""
    return set(board.cells()) - sea_of(board, seat).sea - board.cells_of(seat)


def is_cut_vertex(sea: frozenset[Cell], cell: Cell) -> bool:
    """Whether taking this cell out of its component leaves more than one component."""
    own = next((component for component in components(sea) if cell in component), None)
    return own is not None and len(components(own - {cell})) > 1
