"""Paints the boards of `provoke.py`: walls, sieges, rings and ties that one turn can close."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.reference.pieces import DIAGONAL, EIGHT, ORTHOGONAL, Board, Cell, Piece, chebyshev, step
from tests.reference.scoring import eliminated


@dataclass
class Canvas:
    """A position being painted: whose turn each stamp was, and what stands where."""

    rng: random.Random
    board: Board
    num_players: int
    turn: int
    stamps: dict[int, list[int]] = field(default_factory=dict)  # seat -> its turns so far
    to_move: int | None = None  # the seat that can make the rare thing happen, if one was painted

    def is_free(self, cell: Cell) -> bool:
        """Whether the cell is on the board and holds no base."""
        there = self.board.piece_at(cell)
        is_on_board = 0 <= cell[0] < self.board.rows and 0 <= cell[1] < self.board.cols
        return is_on_board and not (there and there.is_base)

    def paint(self, cell: Cell, seat: int, stamp: int) -> None:
        """Puts a stone on a free cell in place of what is there."""
        if self.is_free(cell):
            self.board.lower[cell] = Piece(cell, seat, stamp)

    def erase(self, cell: Cell) -> None:
        """Empties a free cell."""
        if self.is_free(cell):
            self.board.lower.pop(cell, None)

    def painters(self) -> list[int]:
        """Seats that have had a turn."""
        return [seat for seat in self.stamps if self.stamps[seat]]

    def some_stamp(self, seat: int) -> int:
        return self.rng.choice(self.stamps[seat])


def paint_noise(canvas: Canvas) -> None:
    """Stones of everybody anywhere, sparse to nearly full."""
    density = canvas.rng.choice((0.1, 0.25, 0.4, 0.6, 0.9))
    for cell in canvas.board.cells():
        if canvas.rng.random() < density and not canvas.board.piece_at(cell):
            seat = canvas.rng.choice(canvas.painters())
            canvas.paint(cell, seat, canvas.some_stamp(seat))


def paint_nearly_full(canvas: Canvas) -> None:
    """Stones on all but a few of the cells that are empty still: one turn can fill the board."""
    rng = canvas.rng
    empty = [cell for cell in canvas.board.cells() if not canvas.board.piece_at(cell)]
    for cell in rng.sample(empty, max(0, len(empty) - rng.randint(1, 3))):
        seat = rng.choice(canvas.painters())
        canvas.paint(cell, seat, canvas.some_stamp(seat))


def paint_walls(canvas: Canvas, builders: Sequence[int] = ()) -> None:
    """Straight and diagonal walls with a gap or two, each closed in one turn or in several."""
    rng = canvas.rng
    for _ in range(rng.randint(1, 4)):
        seat = rng.choice(builders or canvas.painters())
        stamp = canvas.some_stamp(seat)
        direction = rng.choice(EIGHT)
        start = rng.choice(canvas.board.cells())
        wall = [step(start, direction, times) for times in range(-12, 13)]
        for cell in wall:
            if rng.random() < 0.85:
                canvas.paint(cell, seat, stamp if rng.random() < 0.8 else canvas.some_stamp(seat))


def paint_symmetric_walls(canvas: Canvas) -> None:
    """One wall through a base and its mirror image, with few gaps: tied seas once both are closed."""
    rng = canvas.rng
    seat = canvas.to_move = rng.choice(canvas.painters())
    stamp = canvas.some_stamp(seat)
    row, column = canvas.board.base_of(seat)
    if rng.random() < 0.5:
        wall = [(r, c) for r in range(canvas.board.rows) for c in {column, canvas.board.cols - 1 - column}]
    else:
        wall = [(r, c) for c in range(canvas.board.cols) for r in {row, canvas.board.rows - 1 - row}]
    for cell in rng.sample(wall, max(0, len(wall) - rng.randint(0, 3))):
        canvas.paint(cell, seat, stamp)


def paint_tipping_wall(canvas: Canvas) -> None:
    """A wall with one gap between parts of nearly the same size: one stone more tips the balance."""
    rng, board = canvas.rng, canvas.board
    seat = canvas.to_move = rng.choice(canvas.painters())
    axis = rng.randrange(2)
    middle = (board.rows, board.cols)[axis] // 2
    wall = [cell for cell in board.cells() if cell[axis] == middle]
    for cell in rng.sample(wall, len(wall) - 1):
        canvas.paint(cell, seat, canvas.some_stamp(seat))
    parts = [
        [cell for cell in board.cells() if side * (cell[axis] - middle) > 0 and not board.piece_at(cell)]
        for side in (-1, 1)
    ]
    smaller, larger = sorted(parts, key=len)
    for cell in rng.sample(larger, max(0, len(larger) - len(smaller) - rng.randint(0, 1))):
        canvas.paint(cell, seat, canvas.some_stamp(seat))
    enemies = [other for other in canvas.painters() if other != seat]
    for cell in rng.sample(smaller, min(3, len(smaller)) if enemies else 0):
        enemy = rng.choice(enemies)
        canvas.paint(cell, enemy, canvas.some_stamp(enemy))


def paint_siege(canvas: Canvas) -> None:
    """A base nearly walled in by another seat, on one ring or a wider one."""
    rng = canvas.rng
    besieger = rng.choice(canvas.painters())
    victim = rng.choice([seat for seat in range(canvas.num_players) if seat != besieger])
    base, distance = canvas.board.base_of(victim), rng.choice((1, 1, 2))
    stamp = canvas.some_stamp(besieger)
    for cell in canvas.board.cells():
        if chebyshev(cell, base) == distance and rng.random() < 0.85:
            canvas.paint(cell, besieger, stamp if rng.random() < 0.7 else canvas.some_stamp(besieger))


def paint_two_walls(canvas: Canvas, builders: Sequence[int]) -> None:
    """One seat's wall across the board, and a later one across what lies beside it: the order matters."""
    rng, rows, cols = canvas.rng, canvas.board.rows, canvas.board.cols
    seat = rng.choice(builders)
    early, late = sorted(rng.choices(canvas.stamps[seat], k=2))
    row, column = rng.randrange(rows), rng.randrange(cols)
    across, beside = [(r, column) for r in range(rows)], [(row, c) for c in range(cols)]
    if rng.random() < 0.5:
        across, beside = beside, across
    side = rng.choice((-1, 1))
    for cell in beside:
        if side * (cell[0] - row + cell[1] - column) > 0:
            canvas.paint(cell, seat, late)
    for cell in across:
        canvas.paint(cell, seat, early)


def paint_fateful_capture(canvas: Canvas) -> None:
    """Nearly rings a stone whose loss would eliminate the ringing seat, or bring another one back to life."""
    _paint_until(canvas, _paint_ringed_stone, fateful_stones)


def paint_mutual_fall(canvas: Canvas) -> None:
    """Nearly rings a stone whose loss would eliminate the ringing seat, and all the bases of the others."""
    _paint_until(canvas, _paint_ringed_bases, losing_stones)


def _paint_until(
    canvas: Canvas, paint: Callable[[Canvas, int], None], find: Callable[[Board, int, int], list[Cell]]
) -> None:
    """Paints for some seat, again and again, until `find` finds something for it; within bounds."""
    blank = canvas.board.copy()
    for _ in range(40):
        canvas.board = blank.copy()
        canvas.to_move = canvas.rng.choice(canvas.painters())
        builders = [seat for seat in canvas.painters() if seat != canvas.to_move] or [canvas.to_move]
        canvas.rng.choice((paint_two_walls, paint_two_walls, paint_walls))(canvas, builders)
        paint(canvas, canvas.to_move)
        if find(canvas.board, canvas.num_players, canvas.to_move):
            return


def _paint_ringed_stone(canvas: Canvas, seat: int) -> None:
    stones = fateful_stones(canvas.board, canvas.num_players, seat)
    if stones:
        paint_open_ring(canvas, canvas.rng.choice(stones), seat)


def _paint_ringed_bases(canvas: Canvas, seat: int) -> None:
    stones = losing_stones(canvas.board, canvas.num_players, seat)
    if not stones:
        return
    paint_open_ring(canvas, canvas.rng.choice(stones), seat)
    for other in range(canvas.num_players):
        if other != seat:
            paint_open_ring(canvas, canvas.board.base_of(other), seat, ORTHOGONAL)


def paint_open_ring(canvas: Canvas, centre: Cell, seat: int, pattern: tuple[Cell, ...] | None = None) -> None:
    """Surrounds a cell on one pattern but for one place, which is left empty."""
    rng = canvas.rng
    ring = [step(centre, direction) for direction in pattern or rng.choice((ORTHOGONAL, DIAGONAL))]
    gap = rng.choice([cell for cell in ring if canvas.is_free(cell)] or ring)
    canvas.erase(gap)
    for cell in ring:
        if cell != gap:
            canvas.paint(cell, seat, canvas.some_stamp(seat))


def fateful_stones(board: Board, num_seats: int, seat: int) -> list[Cell]:
    """Enemy stones whose loss would eliminate the seat, or bring another one back to life."""
    before = eliminated(board, num_seats)
    return [
        cell
        for cell, after in _statuses_after_loss(board, num_seats, seat).items()
        if after[seat] or any(after[k] < before[k] for k in range(num_seats))
    ]


def losing_stones(board: Board, num_seats: int, seat: int) -> list[Cell]:
    """Enemy stones whose loss would eliminate the seat."""
    return [cell for cell, after in _statuses_after_loss(board, num_seats, seat).items() if after[seat]]


def _statuses_after_loss(board: Board, num_seats: int, seat: int) -> dict[Cell, list[bool]]:
    """For each enemy stone: who would be eliminated without it; empty if the seat is eliminated already."""
    if eliminated(board, num_seats)[seat]:
        return {}
    statuses = {}
    for cell, piece in board.lower.items():
        if not piece.is_base and piece.seat != seat:
            tried = board.copy()
            del tried.lower[cell]
            statuses[cell] = eliminated(tried, num_seats)
    return statuses


PAINTERS: tuple[Callable[[Canvas], None], ...] = (
    paint_noise,
    paint_nearly_full,
    paint_walls,
    paint_symmetric_walls,
    paint_tipping_wall,
    paint_siege,
    paint_fateful_capture,
    paint_mutual_fall,
)
