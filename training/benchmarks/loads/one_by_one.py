"""The clock around games that are played one after the other, by whatever library."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np


class OneByOne(Protocol):
    """Plays whole games at random, one after the other."""

    num_games: int  # finished so far
    rng: np.random.Generator
    choice: float  # CPU seconds of choosing one action

    def play(self, numbers: Sequence[float]) -> None:
        """Plays one step for each number in [0, 1), which picks the action; a finished game is followed by the next."""


def sample_of(play: OneByOne, seconds: float, num_steps_between: int) -> dict[str, Any]:
    """Plays for `seconds` of the CPU, looking at the clock every `num_steps_between` steps; returns a `Sample`."""
    clock, began = time.process_time, time.perf_counter()
    start, num_steps, games_before = clock(), 0, play.num_games
    while (spent := clock() - start) < seconds:
        play.play(play.rng.random(num_steps_between).tolist())
        num_steps += num_steps_between
    return {
        "steps": num_steps,
        "games": play.num_games - games_before,
        "seconds": spent,
        "choosing": num_steps * play.choice,
        "elapsed": time.perf_counter() - began,
    }
