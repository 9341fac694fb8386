"""A besieger's reasons in plain lines: the walls that it follows and fears, and what the best stones are worth."""

from __future__ import annotations

import numpy as np

from agents.sieges.captures import cells_of
from agents.sieges.judgement import BLOCKED, OWN, PRESSURE, REGION, SAFETY, Judgement
from agents.sieges.survey import AGAINST_MOVER, BY_MOVER, UNBUILT
from agents.trials import ILLEGAL
from bitblossom_env.bitblossom.game import BitBlossomGame

NUM_STONES = 3  # that are explained, beside the one played
PHRASES = {  # each after a number of cells, compared with ending the turn
    OWN: "of the board as if the turn ended",
    BLOCKED: "that an enemy would win there",
    REGION: "that a wall with it converts, or an enemy's without it",
    SAFETY: "of less danger to the own base",
    PRESSURE: "of pressure on the enemy base",
}


def explanation_lines(board: BitBlossomGame, judgement: Judgement, action: int) -> list[str]:
    """Returns why a besieger plays `action`: walls, then stones, the best first."""
    lines = []
    if judgement.capture is not None:
        victim, cells = judgement.capture.victim, judgement.capture.cells
        return [f"It takes the base of seat {victim} in this turn: {names_of(board, list(cells))}."]
    if judgement.target >= 0 and judgement.parts[PRESSURE].any():
        lines.append(wall_line(board, judgement, BY_MOVER, judgement.target))
    enemies = [seat for seat in range(board.num_seats) if judgement.survey[0][AGAINST_MOVER, seat, 0] != UNBUILT]
    lines += [wall_line(board, judgement, AGAINST_MOVER, seat) for seat in enemies]
    return lines + stone_lines(board, judgement, action)


def names_of(board: BitBlossomGame, cells: list[int]) -> str:
    """Returns the names of cells, in reading order."""
    return " ".join(board.describe_action(cell) for cell in cells)


def wall_line(board: BitBlossomGame, judgement: Judgement, side: int, seat: int) -> str:
    """Returns the cheapest wall that the mover follows against a seat's base, or fears from the seat."""
    needs, walls, _, _, limit = judgement.survey
    whose = f"It presses on the base of seat {seat}" if side == BY_MOVER else f"Seat {seat} besieges its own base"
    index = int(np.argmin(needs[side, seat]))
    need = int(needs[side, seat, index])
    if need > limit:
        return f"{whose}: the wall needs more than {limit} stones."
    if need == 0:
        return f"{whose}: it is walled in as things stand."
    cells = cells_of(walls[side, seat, index], board.setup.board_shape[1])
    return f"{whose}: the wall needs {need} more, {names_of(board, cells)}."


def stone_lines(board: BitBlossomGame, judgement: Judgement, action: int) -> list[str]:
    """Returns what the best stones are worth, that of `action` first, each term beside ending the turn."""
    ratings = judgement.ratings
    best = [int(cell) for cell in np.argsort(-ratings[:-1], kind="stable") if ratings[cell] != ILLEGAL]
    if action != board.setup.end_turn:
        best = [action, *(cell for cell in best if cell != action)]
    return [stone_line(board, judgement, cell) for cell in best[: NUM_STONES + 1]]


def stone_line(board: BitBlossomGame, judgement: Judgement, cell: int) -> str:
    """Returns what a stone is rated beside ending the turn, and the terms that differ."""
    gain = judgement.ratings[cell] - judgement.ratings[-1]
    terms = judgement.parts[:, cell] - judgement.parts[:, -1]
    told = [f"{terms[part]:+.1f} {phrase}" for part, phrase in PHRASES.items() if abs(terms[part]) >= 0.05]
    return f"{board.describe_action(cell)} {gain:+.1f} cells beside ending the turn: {', '.join(told) or 'nothing'}."
