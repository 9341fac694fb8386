"""A game as text: a grid with two characters a cell, or the drawing of another board with its fields filled in.

On a grid:
B base, b stone of seat 1; a dot is an empty cell
b* placed in this turn      bx doomed: captured if the turn ends now      b+ doomed, and an overlay lies on it
.a, ba in the territory of seat 0; .! in the territory of several seats

On another board:
3aab   a field with the threshold 3, two stones of seat 0 and one of seat 1; 3aab* one of them of the latest turn
(A)    a field that seat 0 owns
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ..core.diagram import cell_name
from ..core.game import Game

EMPTY = "."
DISPUTED = "!"


def seat_letter(seat: int) -> str:
    """Returns the letter of a seat's stones; its base is the capital."""
    return chr(ord("a") + seat)


def draw_board(game: Game) -> str:
    """Returns the board, as seat 0 or any other sees it."""
    planes = dict(zip(game.setup.plane_names, game.observe(0), strict=True))
    layout = game.setup.text_layout
    return _draw_grid(game, planes) if layout is None else _draw_fields(game, planes, layout)


def _draw_fields(game: Game, planes: dict[str, NDArray[np.uint8]], layout: str) -> str:
    """Returns a drawing with what each field holds in the place of its name, and below it who began and is to move."""
    numbers = {game.describe_action(action): action for action in game.setup.placements}
    lines = []
    for drawn in layout.splitlines():
        line = ""
        for found in re.finditer(r"\S+", drawn):
            text = _field(planes, game.num_seats, numbers[found.group()])
            middle = (found.start() + found.end()) // 2
            line = line.ljust(middle - len(text) // 2) + text
        lines.append(line)
    starter = game.to_position()["starter"]
    seats = "  ".join(seat_letter(seat) + "*" * (seat == starter) for seat in range(game.num_seats))
    mover = f"{seat_letter(game.to_move)} to move, stones left: {planes['stones_left'][0]}"
    return "\n".join([*lines, "", seats + ("" if game.is_over else f"   {mover}")])


def _field(planes: dict[str, NDArray[np.uint8]], num_seats: int, number: int) -> str:
    """Returns what a field holds."""
    for seat in range(num_seats):
        if planes[f"owned/{seat}"][number]:
            return f"({seat_letter(seat).upper()})"
    stones = "".join(seat_letter(seat) * int(planes[f"stones/{seat}"][number]) for seat in range(num_seats))
    return f"{planes['threshold'][number]}{stones}" + "*" * int(planes["last_turn"][number])


def _draw_grid(game: Game, planes: dict[str, NDArray[np.uint8]]) -> str:
    """Returns the cells with column letters above and row numbers before them."""
    rows, cols = game.setup.board_shape
    lines = ["    " + "".join(f"{cell_name(0, c)[:-1]:<3}" for c in range(cols)).rstrip()]
    for r in range(rows):
        cells = "".join(f"{_cell(planes, game.num_seats, r, c):<3}" for c in range(cols))
        lines.append(f"{r + 1:>2}  {cells.rstrip()}")
    return "\n".join(lines)


def _cell(planes: dict[str, NDArray[np.uint8]], num_seats: int, r: int, c: int) -> str:
    """Returns the two characters of one cell."""
    seats = range(num_seats)
    owner = next((seat for seat in seats if planes[f"stones/{seat}"][r, c]), None)
    piece = EMPTY if owner is None else seat_letter(owner)
    if owner is not None and planes[f"home_base/{owner}"][r, c]:
        piece = piece.upper()
    if planes["overlay"][r, c]:
        return piece + "+"
    if any(planes[f"doomed/{seat}"][r, c] for seat in seats):
        return piece + "x"
    if planes["fresh"][r, c]:
        return piece + "*"
    holders = [seat for seat in seats if planes[f"territory/{seat}"][r, c]]
    return piece + ("" if not holders else seat_letter(holders[0]) if len(holders) == 1 else DISPUTED)
