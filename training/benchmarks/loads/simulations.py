"""Simulations of the tree search of `mcts` on one core, with all that choosing an action takes."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import bitblossom_env  # noqa: F401 - registers the games
from agents import make
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_start

NUM_SIMULATIONS = 400  # for one action


class Simulations:
    """A position from which it searches again and again."""

    def __init__(self, board_size: int, num_players: int, num_turns: int) -> None:
        setup = make_setup("bitblossom", {"board_size": board_size, "num_players": num_players})
        self._game = random_start(setup, np.random.default_rng(0), num_turns)
        self._agent, self._rng = make(f"mcts:{NUM_SIMULATIONS}"), np.random.default_rng(0)
        self.facts: dict[str, Any] = {}
        self.measure(0.01)

    def measure(self, seconds: float) -> dict[str, Any]:
        """Returns how many simulations there were, and the CPU seconds that they took."""
        began, count = time.process_time(), 0
        while (spent := time.process_time() - began) < seconds:
            self._rng.random()  # another state, so that nothing of the last search is known
            self._agent.act(self._game, self._game.to_move, self._rng)
            count += NUM_SIMULATIONS
        return {"simulations": count, "seconds": spent}


def prepare(board_size: int, num_players: int, num_turns: int) -> Simulations:
    """Returns a search from the position after `num_turns` random turns."""
    return Simulations(board_size, num_players, num_turns)
