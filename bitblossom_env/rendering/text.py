"""A grid game as text, two characters a cell.

B base, b stone of seat 1; a dot is an empty cell
b* placed in this turn      bx doomed: captured if the turn ends now      b+ doomed, and an overlay lies on it
.a, ba in the territory of seat 0; .! in the territory of several seats
"""

from __future__ import annotations

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
    """Returns the board with column letters above and row numbers before it, as seat 0 or any other sees it."""
    planes = dict(zip(game.setup.plane_names, game.observe(0), strict=True))
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
