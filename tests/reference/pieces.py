"""R1: the board and its pieces, as plain dictionaries. Part of the slow literal twin of the rules."""

from __future__ import annotations

from dataclasses import dataclass, field

Cell = tuple[int, int]  # (r, c), row 0 on top

PRE_GAME_TURN = -1
ORTHOGONAL = ((-1, 0), (0, 1), (1, 0), (0, -1))
DIAGONAL = ((-1, -1), (-1, 1), (1, 1), (1, -1))
EIGHT = ORTHOGONAL + DIAGONAL


@dataclass(frozen=True)
class Piece:
    """R1: an owner, a cell and a turn stamp."""

    cell: Cell
    seat: int
    stamp: int
    is_base: bool = False


@dataclass
class Board:
    """R1: at most two pieces a cell, and two only while an overlay lies on a doomed enemy piece."""

    rows: int
    cols: int
    lower: dict[Cell, Piece] = field(default_factory=dict)
    overlays: dict[Cell, Piece] = field(default_factory=dict)

    def copy(self) -> Board:
        return Board(self.rows, self.cols, dict(self.lower), dict(self.overlays))

    def cells(self) -> list[Cell]:
        return [(r, c) for r in range(self.rows) for c in range(self.cols)]

    def piece_at(self, cell: Cell) -> Piece | None:
        """R1, "on top / below": the lower, earlier piece. None on an empty cell and off the board."""
        return self.lower.get(cell)

    def pieces(self) -> list[Piece]:
        """Every piece, overlays included."""
        return list(self.lower.values()) + list(self.overlays.values())

    def cells_of(self, seat: int) -> set[Cell]:
        """Cells where a piece of this seat is seen: overlays left out."""
        return {cell for cell, piece in self.lower.items() if piece.seat == seat}

    def base_of(self, seat: int) -> Cell:
        return next(cell for cell, piece in self.lower.items() if piece.is_base and piece.seat == seat)

    def before_turn(self, turn: int) -> Board:
        """The board without this turn's stones: nothing else changes before the turn ends (R2)."""
        kept = {cell: piece for cell, piece in self.lower.items() if piece.stamp < turn}
        return Board(self.rows, self.cols, kept, {})

    def stones_of_turn(self, turn: int) -> list[Piece]:
        """R2.1: stones now on the board with this turn's stamp, overlays included."""
        return [piece for piece in self.pieces() if piece.stamp == turn]


def step(cell: Cell, direction: Cell, times: int = 1) -> Cell:
    return (cell[0] + times * direction[0], cell[1] + times * direction[1])


def chebyshev(a: Cell, b: Cell) -> int:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def default_bases(rows: int, cols: int, num_seats: int) -> list[Cell] | None:
    """R1: the default base cells, or None on a board too small for them."""
    k = max(1, min(rows, cols) // 4)
    preferred = [
        (k, k),
        (rows - 1 - k, cols - 1 - k),
        (k, cols - 1 - k),
        (rows - 1 - k, k),
        (k, cols // 2),
        (rows - 1 - k, cols // 2),
        (rows // 2, k),
        (rows // 2, cols - 1 - k),
    ]
    bases = preferred[:num_seats]
    near = any(chebyshev(a, b) < 2 for i, a in enumerate(bases) for b in bases[:i])
    return None if near else bases
