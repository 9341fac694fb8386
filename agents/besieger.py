"""The agent behind `closer` and `planner`: stones by what the board is worth and by the sieges of all bases."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import NDArray

from agents.conversions import enemy_gains
from agents.sieges import BY_MOVER, Survey, fill_ratings, new_survey
from agents.trials import ILLEGAL, as_bit_blossom, choose_best, placement_values
from bitblossom_env.bitblossom.game import BitBlossomGame, BitBlossomSetup
from bitblossom_env.bitblossom.state import REMAINING
from bitblossom_env.core.bits import lowest_bit
from bitblossom_env.core.game import Game


@dataclass(frozen=True)
class Besieger:
    """Takes a base when it can; else plays the best rated stone, ties broken at random.

    A stone is rated by what `greedy` says the board is worth with it, by what the best-placed enemy would win on the
    same cell, and by the sieges of all bases, see `sieges.py`. The turn ends when no stone is rated higher than that.
    """

    name: str
    weights: tuple[float, float, float, float]  # of `sieges.py`
    limit: int  # stones; walls that need more are out of sight
    _surveys: dict[BitBlossomSetup, Survey] = field(default_factory=dict, repr=False)  # to write in, nothing is kept

    def act(self, game: Game, seat: int, rng: np.random.Generator) -> int:  # noqa: ARG002 - the position is the mover's
        """Returns a legal placement or the end of the turn."""
        board = as_bit_blossom(game, self.name)
        setup = board.setup
        state = board.get_state()
        remaining = int(state.counters[0, REMAINING])
        if remaining <= 0:
            return setup.end_turn
        survey = self._survey_for(setup)
        values = placement_values(board)
        values[:-1] += np.where(values[:-1] == ILLEGAL, 0, enemy_gains(board))
        ratings = np.empty(len(values))
        weights = np.array(self.weights)
        fill_ratings(state.masks[0], state.counters[0], survey, weights, values, ratings)
        capture = find_capture(board, survey, remaining)
        if capture is not None:
            return capture
        return choose_best(ratings[:-1], ratings[-1], setup.end_turn, rng)

    def _survey_for(self, setup: BitBlossomSetup) -> Survey:
        survey = self._surveys.get(setup)
        if survey is None:
            survey = self._surveys[setup] = new_survey(setup.num_seats, setup.board_shape, self.limit)
        return survey


def find_capture(game: BitBlossomGame, survey: Survey, remaining: int) -> int | None:
    """Returns the first stone of a wall that takes a base in this turn, None if there is none."""
    needs, walls, _, _, _ = survey
    num_seats, num_squares = needs.shape[1:]
    within_reach = [
        (int(needs[BY_MOVER, seat, index]), seat, index)
        for seat, index in product(range(num_seats), range(num_squares))
        if 0 < needs[BY_MOVER, seat, index] <= remaining
    ]
    for _, seat, index in sorted(within_reach):
        cells = cells_of(walls[BY_MOVER, seat, index], game.setup.board_shape[1])
        if takes_base(game, cells, seat):
            return cells[0]
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
