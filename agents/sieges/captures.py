"""Bases that the stones left in a turn can wall in, tried out before they are believed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.sieges.rivals import Shares
from agents.sieges.survey import BY_MOVER, Survey
from bitblossom_env.bitblossom.game import BitBlossomGame
from bitblossom_env.core.bits import lowest_bit


@dataclass(frozen=True)
class Capture:
    """A base that can be taken in this turn."""

    victim: int  # seat
    cells: tuple[int, ...]  # where the stones go, ascending; at least one


def find_capture(game: BitBlossomGame, survey: Survey, shares: Shares) -> Capture | None:
    """Returns what takes a base in this turn, None if nothing does.

    Of several bases that of the enemy with the greatest share, then the wall of the fewest stones.
    """
    needs, walls, _, _, limit = survey
    most = min(game.remaining, limit)  # a wall beyond the limit is not known
    within_reach = [
        (-shares[seat], need, seat, index)
        for seat, of_seat in enumerate(needs[BY_MOVER].tolist())
        for index, need in enumerate(of_seat)
        if 0 < need <= most
    ]
    for _, _, seat, index in sorted(within_reach):
        cells = cells_of(walls[BY_MOVER, seat, index], game.setup.board_shape[1])
        if takes_base(game, cells, seat):
            return Capture(seat, tuple(cells))
    return None


def cells_of(rows: NDArray[np.uint64], num_columns: int) -> list[int]:
    """Returns the cells of a set uint64 [rows], ascending."""
    cells = []
    for r, row in enumerate(rows.tolist()):
        word = row
        while word:
            cells.append(r * num_columns + lowest_bit(np.uint64(word)))
            word &= word - 1
    return cells


def takes_base(game: BitBlossomGame, cells: list[int], seat: int) -> bool:
    """Returns whether stones on `cells` and the end of the turn eliminate `seat`, and not the mover."""
    trial = game.clone()
    mover = trial.to_move
    for cell in cells:
        if not trial.legal_mask()[cell]:
            return False
        trial.apply(cell)
    trial.apply(game.setup.end_turn)
    eliminated = trial.eliminated()
    return eliminated[seat] and not eliminated[mover]
