"""Names of everything that can be wrong with a position; an empty list means that the rules allow it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .config import Config
from .state import PRE_GAME


class Piece(NamedTuple):
    """One piece of a position."""

    row: int
    column: int
    seat: int
    stamp: int  # turn of placing, PRE_GAME for home bases
    is_base: bool
    is_overlay: bool

    @property
    def cell(self) -> tuple[int, int]:
        """(row, column)."""
        return self.row, self.column


def broken_invariants(pieces: Iterable[Piece], config: Config, turn: int, to_move: int) -> list[str]:
    """Returns the names of the invariants that pieces, turn and mover break, in a fixed order.

    The two invariants of a turn in progress (R2.4, the budget and doomed pieces under overlays) need the capture rules
    and are judged by the game, as `turn-unsound`.
    """
    pieces = list(pieces)
    on_board = [piece for piece in pieces if 0 <= piece.row < config.rows and 0 <= piece.column < config.cols]
    lower = [piece for piece in pieces if not piece.is_overlay]
    overlays = [piece for piece in pieces if piece.is_overlay]
    stamps_of_seats = {(piece.stamp, piece.seat) for piece in pieces if not piece.is_base}
    bases_per_seat = [sum(p.is_base and p.seat == seat for p in pieces) for seat in range(config.num_players)]
    below = {piece.cell: piece for piece in lower}
    checks = {
        "piece-off-board": len(on_board) == len(pieces),
        "seat-unknown": all(0 <= piece.seat < config.num_players for piece in pieces),
        "to-move-unknown": 0 <= to_move < config.num_players,
        "turn-negative": turn >= 0,
        "cell-shared": len(below) == len(lower) and len({p.cell for p in overlays}) == len(overlays),
        "base-not-one-per-seat": all(count == 1 for count in bases_per_seat),
        "base-stamp": all((piece.stamp == PRE_GAME) == piece.is_base for piece in pieces),
        "stamp-out-of-range": all(PRE_GAME <= piece.stamp <= turn for piece in pieces),
        "stamp-of-two-seats": len({stamp for stamp, _ in stamps_of_seats}) == len(stamps_of_seats),
        "stamp-of-turn-not-movers": all(p.seat == to_move for p in pieces if p.stamp == turn),
        "overlay-not-of-turn": all(piece.stamp == turn and not piece.is_base for piece in overlays),
        "overlay-not-on-enemy": all(
            piece.cell in below and below[piece.cell].seat != to_move and not below[piece.cell].is_base
            for piece in overlays
        ),
    }
    return [name for name, holds in checks.items() if not holds]
