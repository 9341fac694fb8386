"""Simulations of the search with a network, the network left out: whatever is asked, it knows nothing."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np

import bitblossom_env  # noqa: F401 - registers the games
from agents.search.gumbel.search import GumbelSearch, GumbelSettings, know_nothing
from agents.searched_games import make_searched
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_start


class GumbelSimulations:
    """Positions that are searched again and again."""

    def __init__(self, game: str, rules: dict[str, Any], num_games: int, num_simulations: int) -> None:
        setup, rng = make_setup(game, rules), np.random.default_rng(0)
        self._games = [random_start(setup, rng, 4) for _ in range(num_games)]
        settings = GumbelSettings(num_simulations=num_simulations)
        self._search = GumbelSearch(make_searched(game, "bench"), self._games[0], num_games, settings)
        self._evaluator = partial(know_nothing, num_seats=setup.num_seats)
        self._count = num_games * num_simulations
        self.facts: dict[str, Any] = {}
        self.measure(0.01)

    def measure(self, seconds: float) -> dict[str, Any]:
        """Returns how many simulations there were, and the CPU seconds that they took."""
        began, count = time.process_time(), 0
        while (spent := time.process_time() - began) < seconds:
            self._search.run(self._games, self._evaluator)
            count += self._count
        return {"simulations": count, "seconds": spent}


def prepare(game: str, rules: dict[str, Any], num_games: int, num_simulations: int) -> GumbelSimulations:
    """Returns searches of `num_games` positions after four random turns, together."""
    return GumbelSimulations(game, rules, num_games, num_simulations)
