"""The agent behind `closer` and `planner`: stones by what the board is worth and by the sieges of all bases."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from agents.base import announcement
from agents.sieges.captures import find_capture
from agents.sieges.conversions import enemy_gains
from agents.sieges.explanations import explanation_lines
from agents.sieges.judgement import BLOCKED, NUM_PARTS, OWN, PRESSURE, REGION, SAFETY, Judgement
from agents.sieges.regions import raise_region_worths
from agents.sieges.rivals import Shares, fill_shares
from agents.sieges.survey import DANGER, PRESSURE_ON, Survey, fill_siege_terms, fill_survey, new_survey
from agents.trials import ILLEGAL, as_bit_blossom, choose_best, placement_values
from bitblossom_env.bitblossom import kernels
from bitblossom_env.bitblossom.game import BitBlossomGame, BitBlossomSetup
from bitblossom_env.bitblossom.state import NOW_SEA, REMAINING, TO_MOVE, Counters, Masks
from bitblossom_env.bitblossom.territory import sea_field
from bitblossom_env.core.game import Game


@dataclass(frozen=True)
class Foresight:
    """How far a besieger sees, and what it thinks of it."""

    weights: tuple[float, float, float, float]  # of `survey.py`
    base_stones: int  # walls around bases that need more stones, and more than a turn has, are out of sight
    region_stones: int  # walls around regions that need more are; none that need more than are left if this is 0
    region_decay: float  # a wall around a region that needs a stone more is worth so many times less
    enemy_regions: float  # what breaking an enemy's wall is worth beside building one's own


@dataclass(frozen=True)
class Besieger:
    """Takes a base when it can; else plays the best rated stone, ties broken at random.

    A stone is rated by what `greedy` says the board is worth with it, by what the best-placed enemy would win on the
    same cell, by the regions that it helps to wall in or keeps an enemy from walling in (`regions.py`), and by the
    sieges of all bases (`survey.py`).
    The turn ends when no stone is rated higher than that.
    """

    name: str
    foresight: Foresight
    _surveys: dict[BitBlossomSetup, Survey] = field(default_factory=dict, repr=False)  # to write in, nothing is kept

    def act(self, game: Game, seat: int, rng: np.random.Generator) -> int:  # noqa: ARG002 - the position is the mover's
        """Returns a legal placement or the end of the turn."""
        board = as_bit_blossom(game, self.name)
        if board.remaining <= 0:
            return board.setup.end_turn
        judgement = self.judge(board)
        if judgement.capture is not None:
            return judgement.capture.cells[0]
        return choose_best(judgement.ratings[:-1], judgement.ratings[-1], board.setup.end_turn, rng)

    def explain(self, game: Game, seat: int, rng: np.random.Generator) -> str:
        """Returns what `act` would play, the walls that it follows and fears, and what the best stones are worth."""
        board = as_bit_blossom(game, self.name)
        action = self.act(game, seat, deepcopy(rng))
        said = announcement(self.name, board.describe_action(action))
        if board.remaining <= 0:
            return f"{said}\nNo placement is left."
        lines = explanation_lines(board, self.judge(board), action)
        return "\n".join([said, *lines])

    def judge(self, board: BitBlossomGame) -> Judgement:
        """Returns what it thinks of a position in which placements are left; once a base is to be taken, only that."""
        state = board.get_state()
        masks, counters = state.masks[0], state.counters[0]
        num_cells, num_seats = board.setup.num_cells, board.num_seats
        survey = self._survey_for(board.setup)
        shares = np.empty(num_seats)
        fill_shares(masks, counters, kernels.scratch_for(num_cells).work, shares)
        fill_survey(masks, counters, survey)
        capture = find_capture(board, survey, shares)
        parts = np.zeros((NUM_PARTS, num_cells + 1))
        if capture is not None:
            return Judgement(survey, shares, capture, capture.victim, parts, parts.sum(0))
        values = placement_values(board)
        parts[OWN] = values
        parts[BLOCKED, :-1] = enemy_gains(board, shares)
        self._add_regions(masks, counters, survey, shares, parts[REGION, :-1])
        terms = np.empty((2, num_cells + 1))
        weights = np.array(self.foresight.weights)
        target = fill_siege_terms(masks, counters, survey, weights, shares, terms)
        parts[SAFETY] = -terms[DANGER]
        parts[PRESSURE] = terms[PRESSURE_ON]
        ratings = parts.sum(0)
        ratings[values == ILLEGAL] = ILLEGAL
        return Judgement(survey, shares, None, target, parts, ratings)

    def _add_regions(
        self, masks: Masks, counters: Counters, survey: Survey, shares: Shares, worths: NDArray[np.float64]
    ) -> None:
        """Raises float64 [N] to what each cell is worth as a stone of a wall around a region, the mover's or another's.

        A region that one stone of the mover encloses is part of what the board is worth with that stone.
        """
        _, _, free, room, _ = survey
        mover = int(counters[TO_MOVE])
        stones, decay = self.foresight.region_stones or int(counters[REMAINING]), self.foresight.region_decay
        if stones > 1:
            raise_region_worths(masks, counters, (NOW_SEA, free[mover]), room, (stones, decay, 1.0), worths)
        for seat in (shares * self.foresight.enemy_regions).nonzero()[0].tolist():
            plan = (stones, decay, self.foresight.enemy_regions * shares[seat])
            raise_region_worths(masks, counters, (sea_field(counters, seat), free[seat]), room, plan, worths)

    def _survey_for(self, setup: BitBlossomSetup) -> Survey:
        survey = self._surveys.get(setup)
        if survey is None:
            stones = max(self.foresight.base_stones, setup.config.placements_per_turn)
            survey = self._surveys[setup] = new_survey(setup.num_seats, setup.board_shape, stones)
        return survey
