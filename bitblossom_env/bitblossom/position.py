"""Positions as JSON: from a dict to a state, checked, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.arguments import shown
from ..core.game import ArgumentError, Position, PositionError
from .bases import Cell
from .config import Config, config_of_position, position_rules
from .invariants import Piece, broken_invariants
from .state import (
    BASES,
    FRESH,
    NO_PIECE,
    NUM_COLUMNS,
    NUM_SEATS,
    OVERLAYS,
    PASSES,
    PRE_GAME,
    RECENCY,
    RETRACTIONS,
    STAMP,
    STONES,
    TO_MOVE,
    TURN,
    TURNS_TAKEN,
    State,
    new_state,
)

FIELDS = ("rows", "cols", "players", "turn", "to_move", "turns_taken", "passes", "retractions", "pieces")


def whole_numbers(value: Any) -> bool:
    """Returns whether `value` is a JSON whole number that the counters can hold."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and abs(int(value)) < 2**30


def check_form(position: Mapping[str, Any]) -> None:
    """Raises `PositionError` unless the position has all fields, of the right types."""
    if not isinstance(position, Mapping):
        raise PositionError(f"a position is a JSON object; got {type(position).__name__}")
    missing = [name for name in FIELDS if name not in position]
    unknown = sorted(set(position) - {*FIELDS, "rules"})
    if missing or unknown:
        raise PositionError(f"position: field {(missing + unknown)[0]!r} is {'missing' if missing else 'unknown'}")
    for name in ("rows", "cols", "players", "turn", "to_move", "passes", "retractions"):
        if not whole_numbers(position[name]):
            raise PositionError(f"position: {name}={shown(position[name])} is not allowed; allowed: a whole number")
    counts = position["turns_taken"]
    if not isinstance(counts, (list, tuple)) or not all(whole_numbers(n) and n >= 0 for n in counts):
        raise PositionError(f"position: turns_taken={shown(counts)} is not allowed; allowed: a count per seat")
    if not isinstance(position["pieces"], (list, tuple)):
        raise PositionError("position: pieces is not a list")
    if not isinstance(position.get("rules", {}), Mapping):
        raise PositionError("position: rules is not an object")


def config_for(position: Any) -> Config:
    """Returns the config of a position by its own size, bases and rules; raises `PositionError`."""
    check_form(position)
    bases = sorted((piece for piece in parse_pieces(position) if piece.is_base), key=lambda piece: piece.seat)
    cells = tuple(piece.cell for piece in bases)
    shape = (position["rows"], position["cols"])
    try:
        return config_of_position(position["players"], shape, position.get("rules", {}), cells)
    except ArgumentError as error:
        raise PositionError(f"position: {error}") from None


def parse_pieces(position: Mapping[str, Any]) -> list[Piece]:
    """Returns the pieces of a position whose form has been checked."""
    pieces = []
    for entry in position["pieces"]:
        form_holds = (
            isinstance(entry, (list, tuple))
            and len(entry) == 6
            and all(whole_numbers(value) for value in entry[:4])
            and all(isinstance(flag, (bool, np.bool_, int)) and flag in (0, 1) for flag in entry[4:])
        )
        if not form_holds:
            raise PositionError(
                f"position: piece {shown(entry)} is not allowed; allowed: [r, c, seat, stamp, is_base, is_overlay]"
            )
        row, column, seat, stamp = (int(value) for value in entry[:4])
        pieces.append(Piece(row, column, seat, stamp, bool(entry[4]), bool(entry[5])))
    return pieces


def state_of(position: Mapping[str, Any], config: Config) -> State:
    """Returns the state (B = 1, derived fields not filled) of a position under the rules of `config`.

    Raises:
        PositionError: the form is wrong, or invariants are broken, which it names.
    """
    check_form(position)
    if (position["rows"], position["cols"], position["players"]) != (
        config.rows,
        config.cols,
        config.num_players,
    ):
        raise PositionError(
            f"position: {position['rows']}x{position['cols']} with {position['players']} players is not allowed;"
            f" allowed: {config.rows}x{config.cols} with {config.num_players}"
        )
    pieces = parse_pieces(position)
    broken = broken_invariants(pieces, config, position["turn"], position["to_move"])
    if len(position["turns_taken"]) != config.num_players:
        broken.append("turns-taken-not-one-per-seat")
    cap = config.max_retractions_per_turn
    if position["passes"] < 0 or position["retractions"] < 0 or (cap is not None and position["retractions"] > cap):
        broken.append("count-out-of-range")
    if broken:
        raise PositionError(f"position: broken invariants: {', '.join(broken)}")
    state = new_state(config, 1)
    _put_pieces(state, pieces, position["turn"])
    counters = state.counters[0]
    counters[TURN], counters[TO_MOVE] = position["turn"], position["to_move"]
    counters[PASSES], counters[RETRACTIONS] = position["passes"], position["retractions"]
    counters[TURNS_TAKEN : TURNS_TAKEN + config.num_players] = position["turns_taken"]
    return state


def state_of_bases(bases: tuple[Cell, ...], config: Config, starting_player: int) -> State:
    """Returns the state (B = 1, derived fields not filled) before the first action."""
    state = new_state(config, 1)
    _put_pieces(state, [Piece(r, c, seat, PRE_GAME, True, False) for seat, (r, c) in enumerate(bases)], turn=0)
    state.counters[0, TO_MOVE] = starting_player
    return state


def _put_pieces(state: State, pieces: list[Piece], turn: int) -> None:
    """Writes pieces, stamps and recencies into an empty state."""
    masks, stamps = state.masks[0], state.stamps[0]
    num_columns = int(state.counters[0, NUM_COLUMNS])
    for piece in pieces:
        bit = np.uint64(1) << np.uint64(piece.column)
        if piece.is_overlay:
            masks[OVERLAYS, piece.row] |= bit
            continue
        masks[STONES + piece.seat, piece.row] |= bit
        stamps[STAMP, piece.row * num_columns + piece.column] = piece.stamp
        if piece.is_base:
            masks[BASES, piece.row] |= bit
        elif piece.stamp == turn:
            masks[FRESH, piece.row] |= bit
    older = sorted({piece.stamp for piece in pieces if piece.stamp < turn}, reverse=True)
    recency = {stamp: rank for rank, stamp in enumerate(older)}
    for piece in pieces:
        if piece.stamp < turn:
            stamps[RECENCY, piece.row * num_columns + piece.column] = recency[piece.stamp]


def position_of(state: State, config: Config) -> Position:
    """Returns the position of a state (B = 1), pieces by row, column and layer."""
    masks, stamps, counters = state.masks[0], state.stamps[0], state.counters[0]
    num_seats, turn, mover = (int(counters[field]) for field in (NUM_SEATS, TURN, TO_MOVE))
    pieces: list[list[Any]] = []
    for r, c in np.ndindex(config.rows, config.cols):
        bit = np.uint64(1) << np.uint64(c)
        stamp = int(stamps[STAMP, r * config.cols + c])
        if stamp != NO_PIECE:
            owner = next(seat for seat in range(num_seats) if masks[STONES + seat, r] & bit)
            pieces.append([r, c, owner, stamp, stamp == PRE_GAME, False])
        if masks[OVERLAYS, r] & bit:
            pieces.append([r, c, mover, turn, False, True])
    return {
        "rows": config.rows,
        "cols": config.cols,
        "players": num_seats,
        "turn": turn,
        "to_move": mover,
        "turns_taken": [int(count) for count in counters[TURNS_TAKEN : TURNS_TAKEN + num_seats]],
        "passes": int(counters[PASSES]),
        "retractions": int(counters[RETRACTIONS]),
        "pieces": pieces,
        "rules": position_rules(config),
    }
