"""The learner when it searches: decisions that come with an improved policy to learn from."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from agents.neural.compute import Judge
from agents.neural.eyes import Eyes
from agents.neural.searching import Evaluator
from agents.search.gumbel.search import Advice, GumbelSearch, GumbelSettings
from agents.search.rules import SearchedGame
from agents.searched_games import make_searched
from training.config import GumbelConfig
from training.records import Decisions
from training.returns import to_relative
from training.table import Table

Floats = NDArray[np.float64]


class SearchPlayer:
    """Searches every decision with Gumbel noise: some with many simulations, most with few.

    The policy learns from the former, the latter make games cheap (playout-cap randomisation, Wu 2019).
    """

    def __init__(self, judge: Judge, config: GumbelConfig, table: Table) -> None:
        self._config = config
        self._rules: SearchedGame = make_searched(table.setup.game_name, "gumbel")
        self._evaluator = Evaluator(Eyes(table.setup, judge), 1)
        game, slots = table.env.game(0), len(table.plan_of)
        self._num_actions = self._rules.num_actions(game)
        self._full, self._fast = (
            GumbelSearch(self._rules, game, slots, GumbelSettings(number, config.num_considered))
            for number in (config.num_simulations, config.fast_simulations)
        )
        self.decisions: list[Decisions] = []

    def choose(self, table: Table, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns the actions that the searches choose."""
        started = time.perf_counter()
        advice = self._search(table, rows)
        self._book(table, rows, advice)
        table.inference_seconds += time.perf_counter() - started
        return table.action_map.game_actions(advice.actions)

    def _search(self, table: Table, rows: NDArray[np.int64]) -> Advice:
        """Returns what searches say of each row; the policies of short ones are all zero."""
        num_rows = len(rows)
        is_full = table.rng.random(num_rows) < self._config.full_share
        noise = table.rng.gumbel(size=(num_rows, self._num_actions))
        games = [table.env.game(row) for row in rows.tolist()]
        actions, values = np.zeros(num_rows, np.int64), np.zeros((num_rows, table.setup.num_seats))
        policies, priors = np.zeros((2, num_rows, self._num_actions))
        visits = np.zeros((num_rows, self._num_actions), np.int32)
        for search, chosen in ((self._full, is_full), (self._fast, ~is_full)):
            own = np.flatnonzero(chosen)
            if len(own):
                said = search.run([games[k] for k in own], self._evaluator, noise[own])
                for column, part in zip((actions, policies, priors, values, visits), vars(said).values(), strict=True):
                    column[own] = part
        policies[~is_full] = 0.0
        return Advice(actions, policies, priors, values, visits)

    def _book(self, table: Table, rows: NDArray[np.int64], advice: Advice) -> None:
        """Keeps the decisions as the network is to see them, each under the symmetry of its game."""
        which, movers = table.symmetry[rows], table.env.to_move[rows].astype(np.int64)
        encoded = table.encoder.encode(table.observations[rows])
        missing = table.masks.shape[1] - self._num_actions  # an end of the turn that a game does not have
        targets = np.pad(advice.policies, ((0, 0), (0, missing))).astype(np.float32)
        chosen = np.take_along_axis(advice.priors, advice.actions[:, None], axis=1)[:, 0]
        self.decisions.append(
            Decisions(
                planes=table.symmetries.planes(encoded.planes, which),
                constants=encoded.constants,
                masks=table.symmetries.mask(table.masks[rows], which),
                actions=table.symmetries.actions(advice.actions, which),
                log_probs=np.log(chosen).astype(np.float32),
                values=to_relative(advice.values, movers).astype(np.float32),
                movers=movers,
                games=table.plan_of[rows],
                policies=table.symmetries.mask(targets, which),
                surprises=divergence(advice.policies, advice.priors),
            )
        )


def divergence(policies: Floats, priors: Floats) -> NDArray[np.float32]:
    """Returns float32 [B], how much a search has found that the network did not know: the KL divergence of each row."""
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(policies > 0, policies * (np.log(policies) - np.log(priors)), 0.0)
    return np.asarray(terms.sum(1), np.float32)
