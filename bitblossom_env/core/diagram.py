"""Grid positions as text: drawn boards for tests, bug reports and terminals, and names of cells.

    . a  .      `.`  empty           `A`..`H`  home base of seat 0..7
    A b3+ .     `a`..`h`  a stone of seat 0..7, stamped with its seat number unless a stamp follows (`a7`);
    . a* B      `a*`  stamped with the current turn; a `+` at the end: an overlay of the mover lies on it

Tokens are separated by spaces, one line a row, row 0 on top. What a drawing cannot show (turn, mover,
counters, rules) is passed beside it.
"""

from __future__ import annotations

import re
from typing import Any

from bitblossom_env.core.game import Position

MAX_SEATS = 8
PRE_GAME_STAMP = -1  # stamp of home bases
_EMPTY = "."
_BASE_LETTERS = "ABCDEFGH"
_STONE_LETTERS = "abcdefgh"
_TOKEN = re.compile(r"(?:(?P<base>[A-H])|(?P<stone>[a-h])(?P<stamp>\*|[0-9]+)?)(?P<overlay>\+)?")
_CELL = re.compile(r"([a-z]+)([1-9][0-9]*)")
_FIELDS = ("turns_taken", "passes", "retractions", "rules")


def cell_name(r: int, c: int) -> str:
    """Returns the name of a cell: column letters (a .. z, aa ..), then the row counted from 1 at the top."""
    if r < 0 or c < 0:
        raise ValueError(f"cell ({r}, {c}) has no name; allowed: row and column from 0")
    letters = ""
    rest = c + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return f"{letters}{r + 1}"


def parse_cell(text: str) -> tuple[int, int]:
    """Returns (r, c) of a cell name such as `c4`, which is row 3, column 2."""
    match = _CELL.fullmatch(text)
    if match is None:
        raise ValueError(f"cell name {text!r} is unknown; allowed: column letters, then a row from 1, such as c4")
    column = 0
    for letter in match[1]:
        column = 26 * column + ord(letter) - ord("a") + 1
    return int(match[2]) - 1, column - 1


def parse_diagram(text: str, *, turn: int | None = None, to_move: int = 0, **fields: Any) -> Position:
    """Returns the position drawn in `text`.

    There are as many players as home bases; `turn` defaults to that number. `fields` may set `turns_taken`,
    `passes`, `retractions` and `rules`; by default everybody moved in seat order, nobody passed, nothing was
    retracted. Only the drawing is checked here; whether the rules allow the position is for the game to say.
    """
    rows = [line.split() for line in text.splitlines() if line.strip()]
    _check_shape(rows)
    _check_fields(fields)
    num_seats = _count_seats(rows)
    if not 0 <= to_move < num_seats:
        raise ValueError(f"to_move={to_move} is no seat of this diagram; allowed: 0..{num_seats - 1}")
    now = num_seats if turn is None else turn
    pieces: list[list[Any]] = []
    for r, row in enumerate(rows):
        for c, token in enumerate(row):
            pieces += _parse_token(token, (r, c), now, to_move)
    _check_seats(pieces, num_seats)
    return {
        "rows": len(rows),
        "cols": len(rows[0]),
        "players": num_seats,
        "turn": now,
        "to_move": to_move,
        "turns_taken": fields.get("turns_taken", _turns_in_seat_order(num_seats, now, to_move)),
        "passes": fields.get("passes", 0),
        "retractions": fields.get("retractions", 0),
        "pieces": pieces,
        "rules": fields.get("rules", {}),
    }


def position_diagram(position: Position) -> str:
    """Returns the drawing of a position, columns aligned; `parse_diagram` reads it back."""
    tokens = [[_EMPTY] * position["cols"] for _ in range(position["rows"])]
    overlays = []
    for r, c, seat, stamp, is_base, is_overlay in position["pieces"]:
        if is_overlay:
            overlays.append((r, c))
        else:
            tokens[r][c] = _BASE_LETTERS[seat] if is_base else _stone_token(seat, stamp, position["turn"])
    for r, c in overlays:
        tokens[r][c] += "+"
    width = max(len(token) for row in tokens for token in row)
    return "\n".join(" ".join(token.ljust(width) for token in row).rstrip() for row in tokens)


def _stone_token(seat: int, stamp: int, turn: int) -> str:
    """Returns the shortest token that names the stone's seat and stamp."""
    if stamp == turn:
        return _STONE_LETTERS[seat] + "*"
    return _STONE_LETTERS[seat] + ("" if stamp == seat else str(stamp))


def _parse_token(token: str, cell: tuple[int, int], turn: int, to_move: int) -> list[list[Any]]:
    """Returns the pieces of one cell, the lower one first: [r, c, seat, stamp, is_base, is_overlay] each."""
    if token == _EMPTY:
        return []
    match = _TOKEN.fullmatch(token)
    if match is None:
        raise ValueError(
            f"diagram token {token!r} at {cell_name(*cell)} is unknown; allowed: '.', A..H, "
            "a..h with an optional stamp or '*', and '+' after a piece"
        )
    if match["base"]:
        lower: list[Any] = [*cell, _BASE_LETTERS.index(match["base"]), PRE_GAME_STAMP, True, False]
    else:
        seat = _STONE_LETTERS.index(match["stone"])
        stamp = {None: seat, "*": turn}.get(match["stamp"])
        lower = [*cell, seat, int(match["stamp"]) if stamp is None else stamp, False, False]
    return [lower, [*cell, to_move, turn, False, True]] if match["overlay"] else [lower]


def _turns_in_seat_order(num_seats: int, turn: int, to_move: int) -> list[int]:
    """Returns the turns ended by each seat if `turn` turns ended in seat order and `to_move` comes next."""
    return [(turn + (seat - to_move) % num_seats) // num_seats for seat in range(num_seats)]


def _check_shape(rows: list[list[str]]) -> None:
    if not rows:
        raise ValueError("diagram is empty; allowed: one line of tokens per row")
    for r, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ValueError(f"diagram row {r + 1} has {len(row)} tokens; allowed: {len(rows[0])} as in row 1")


def _check_fields(fields: dict[str, Any]) -> None:
    for name in fields:
        if name not in _FIELDS:
            raise ValueError(f"diagram field {name!r} is unknown; allowed: {', '.join(_FIELDS)}")


def _count_seats(rows: list[list[str]]) -> int:
    """Returns the number of home bases, which have to be those of seats 0, 1, 2, ... , one each."""
    bases = sorted(token[0] for row in rows for token in row if token[0] in _BASE_LETTERS)
    if not bases or bases != list(_BASE_LETTERS[: len(bases)]):
        drawn = " ".join(bases) or "none"
        raise ValueError(f"diagram has home bases {drawn}; allowed: A, B, ... without a gap, once each")
    return len(bases)


def _check_seats(pieces: list[list[Any]], num_seats: int) -> None:
    for r, c, seat, *_ in pieces:
        if seat >= num_seats:
            raise ValueError(
                f"diagram has a stone {_STONE_LETTERS[seat]!r} at {cell_name(r, c)} without a home base "
                f"{_BASE_LETTERS[seat]!r}; allowed: stones of seats whose base is drawn"
            )
