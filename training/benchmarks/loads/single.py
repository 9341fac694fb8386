"""Random play of one PettingZoo environment after the other: `last()`, a choice, `step()`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.benchmarks.choosing import choose_one
from training.benchmarks.loads.one_by_one import sample_of

NUM_NUMBERS = 64  # steps between two looks at the clock
NUM_MASKS = 512  # from play, for timing the choice alone
NUM_PASSES = 5


class SinglePlay:
    """Plays whole games in a PettingZoo AEC environment whose observations bring an `action_mask`.

    The choice is the same kernel for all of them; what it costs is timed once, alone, on masks from play.
    """

    def __init__(self, env: Any) -> None:
        self._env = env
        self.rng = np.random.default_rng(0)
        env.reset(seed=0)
        self.num_games = 0
        self.choice = self._time_choice(self._collect_masks())
        self.facts: dict[str, Any] = {}

    def measure(self, seconds: float) -> dict[str, Any]:
        """Plays for `seconds` of the CPU and returns a `Sample`."""
        return sample_of(self, seconds, NUM_NUMBERS)

    def play(self, numbers: Sequence[float]) -> None:
        """Plays one step for each number; a finished game is followed by the next."""
        env = self._env
        for number in numbers:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                self.num_games += 1
                observation, _, _, _, _ = env.last()
            env.step(choose_one(observation["action_mask"], number))

    def _collect_masks(self) -> list[NDArray[np.int8]]:
        """Plays and returns the masks that were met."""
        masks = []
        for number in self.rng.random(NUM_MASKS).tolist():
            self.play([number])
            masks.append(self._env.last()[0]["action_mask"])
        return [mask for mask in masks if mask.any()]

    def _time_choice(self, masks: Sequence[NDArray[np.int8]]) -> float:
        """Returns the CPU seconds of one choice, the median of some passes over the masks."""
        passes = []
        for _ in range(NUM_PASSES):
            start = time.process_time()
            for mask in masks:
                choose_one(mask, 0.5)
            passes.append(time.process_time() - start)
        return median(passes) / len(masks)
