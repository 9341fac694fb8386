"""The observation planes of the twin, named and ordered as the package's manual lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from tests.reference.pieces import Board, Cell

if TYPE_CHECKING:
    from tests.reference.twin import Twin

Plane = list[list[int]]  # rows x cols


def planes_of(twin: Twin, observer: int) -> dict[str, Plane]:
    """What a seat sees; `/k` counts seats from the observer, 0 itself."""
    planes: dict[str, Plane] = {}
    for name, plane_of in _seat_planes(twin).items():
        for k in range(twin.num_seats):
            planes[f"{name}/{k}"] = plane_of((observer + k) % twin.num_seats)
    return planes | _board_planes(twin) | _counter_planes(twin)


def _seat_planes(twin: Twin) -> dict[str, Callable[[int], Plane]]:
    """For each plane that exists once a seat: what it shows for that seat."""
    board, seats = twin.board, range(twin.num_seats)
    doomed, out, areas = twin.doomed(), twin.eliminated(), twin.areas()
    cells_of = {seat: board.cells_of(seat) for seat in seats}
    return {
        "stones": lambda seat: _marked(board, cells_of[seat]),
        "home_base": lambda seat: _marked(board, [board.base_of(seat)]),
        "territory": lambda seat: _marked(board, twin.territory(seat)),
        "doomed": lambda seat: _marked(board, doomed & cells_of[seat]),
        "eliminated": lambda seat: _constant(board, int(out[seat])),
        "active": lambda seat: _constant(board, int(seat == twin.to_move)),
        "area": lambda seat: _constant(board, 255 * areas[seat] // twin.num_cells),
        "first_turn": lambda seat: _constant(board, int(twin.turns_taken[seat] == 0)),
    }


def _board_planes(twin: Twin) -> dict[str, Plane]:
    board = twin.board
    stones = [piece for piece in board.lower.values() if not piece.is_base]
    return {
        "fresh": _marked(board, [piece.cell for piece in stones if piece.stamp == twin.turn]),
        "overlay": _marked(board, board.overlays),
        "standing": _marked(board, twin.standing()),
        "last_turn": _marked(board, [piece.cell for piece in stones if piece.stamp == twin.turn - 1]),
        "age": [[_age(board, (r, c)) for c in range(board.cols)] for r in range(board.rows)],
    }


def _counter_planes(twin: Twin) -> dict[str, Plane]:
    cap, max_turns = twin.rules.max_retractions_per_turn, twin.rules.max_turns
    counters = {
        "remaining": twin.remaining(),
        "retractions_left": 255 if cap is None else cap - twin.retractions,
        "turns_left": 255 if max_turns is None else max_turns - twin.turn,
        "passes": twin.passes,
    }
    return {name: _constant(twin.board, min(255, value)) for name, value in counters.items()}


def _age(board: Board, cell: Cell) -> int:
    """0 empty; 1 + the distinct stamps on the board newer than the lower piece's; bases 255."""
    piece = board.piece_at(cell)
    if piece is None:
        return 0
    if piece.is_base:
        return 255
    newer = {other.stamp for other in board.pieces() if other.stamp > piece.stamp}
    return min(254, 1 + len(newer))


def _marked(board: Board, cells: Iterable[Cell]) -> Plane:
    marked = set(cells)
    return [[int((r, c) in marked) for c in range(board.cols)] for r in range(board.rows)]


def _constant(board: Board, value: int) -> Plane:
    return [[value] * board.cols for _ in range(board.rows)]
