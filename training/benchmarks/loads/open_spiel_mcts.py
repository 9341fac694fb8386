"""Simulations of OpenSpiel's tree search in C++ on its Go: UCT, one random game to the end for each."""

from __future__ import annotations

import random
import time
from typing import Any

import pyspiel

NUM_SIMULATIONS = 400  # of one search, as many as ours has nodes
EXPLORATION, MEMORY_MB, SEED = 2.0, 1000, 1


class Simulations:
    """A position from which it searches again and again."""

    def __init__(self, board_size: int, num_moves: int) -> None:
        game = pyspiel.load_game(f"go(board_size={board_size})")
        evaluator = pyspiel.RandomRolloutEvaluator(1, SEED)
        self._bot = pyspiel.MCTSBot(
            game, evaluator, EXPLORATION, NUM_SIMULATIONS, MEMORY_MB, solve=False, seed=SEED, verbose=False
        )
        self._state, rng = game.new_initial_state(), random.Random(SEED)
        for _ in range(num_moves):
            self._state.apply_action(rng.choice(self._state.legal_actions()[:-1]))  # the last one passes
        self.facts: dict[str, Any] = {}
        self.measure(0.01)

    def measure(self, seconds: float) -> dict[str, Any]:
        """Returns how many simulations there were, and the CPU seconds that they took."""
        began, count = time.process_time(), 0
        while (spent := time.process_time() - began) < seconds:
            self._bot.mcts_search(self._state)
            count += NUM_SIMULATIONS
        return {"simulations": count, "seconds": spent}


def prepare(board_size: int, num_moves: int) -> Simulations:
    """Returns a search from the position after `num_moves` random stones."""
    return Simulations(board_size, num_moves)
