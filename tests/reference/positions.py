"""Positions as JSON-like dictionaries, in and out of the twin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.reference import scoring
from tests.reference.pieces import Board, Piece
from tests.reference.rules import TwinRules

if TYPE_CHECKING:
    from tests.reference.twin import Twin


def read_position(kind: type[Twin], position: dict[str, Any]) -> Twin:
    """Makes the game a position describes; ValueError where the rules cannot have led to it."""
    rows, cols = position["rows"], position["cols"]
    board = Board(rows, cols)
    for r, c, seat, stamp, is_base, is_overlay in position["pieces"]:
        layer = board.overlays if is_overlay else board.lower
        if (r, c) in layer:
            raise ValueError(f"position: cell ({r}, {c}) holds a third piece")
        layer[r, c] = Piece((r, c), seat, stamp, is_base=bool(is_base))
    bases = [board.base_of(seat) for seat in range(position["players"])]
    rules = TwinRules.from_json(position.get("rules", {}), rows, cols)
    twin = kind(rows, cols, bases, rules=rules, starting_player=position["to_move"])
    twin.board = board
    twin.turn = position["turn"]
    twin.turns_taken = list(position["turns_taken"])
    twin.passes = position["passes"]
    twin.retractions = position["retractions"]
    if not board.stones_of_turn(twin.turn) and not twin.retractions:
        twin.outcome = scoring.judge(twin)
    _check(twin)
    return twin


def _check(twin: Twin) -> None:
    """R2.4 has to hold, and a running turn has to be one of a player who is not eliminated."""
    if any(cell not in twin.board.lower for cell in twin.board.overlays):
        raise ValueError("position: an overlay lies on an empty cell")
    broken = twin.broken_invariants()
    if broken:
        raise ValueError(f"position: {'; '.join(broken)}")
    if not twin.is_over and twin.eliminated()[twin.to_move]:
        raise ValueError(f"position: to_move={twin.to_move} is eliminated")


def write_position(twin: Twin) -> dict[str, Any]:
    """The position of a game, pieces in reading order, a lower piece before its overlay."""
    layers = [(False, twin.board.lower), (True, twin.board.overlays)]
    pieces = [
        [*cell, piece.seat, piece.stamp, piece.is_base, is_overlay]
        for is_overlay, layer in layers
        for cell, piece in layer.items()
    ]
    return {
        "rows": twin.board.rows,
        "cols": twin.board.cols,
        "players": twin.num_seats,
        "turn": twin.turn,
        "to_move": twin.to_move,
        "turns_taken": list(twin.turns_taken),
        "passes": twin.passes,
        "retractions": twin.retractions,
        "pieces": sorted(pieces, key=lambda entry: (entry[0], entry[1], entry[5])),
        "rules": dict(vars(twin.rules)),
    }
