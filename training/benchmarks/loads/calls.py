"""Where the time of an AEC step goes: a profile of random play, function by function."""

from __future__ import annotations

import cProfile
import pstats
from pathlib import Path
from typing import Any

from bitblossom_env import bitblossom_v0
from training.benchmarks.loads.single import SinglePlay

NUM_STEPS = 500  # between two looks at the clock
Function = tuple[str, int, str]  # file, line, name, as `pstats` keys them


class Calls:
    """Plays games in `bitblossom_v0.env` under the profiler.

    A compiled kernel is no function for the profiler: its time is that of the function that calls it.
    """

    def __init__(self, **arguments: Any) -> None:
        self._play = SinglePlay(bitblossom_v0.env(**arguments))
        self.facts: dict[str, Any] = {}

    def measure(self, seconds: float) -> dict[str, Any]:
        """Returns the part of the time that each function takes itself, without those it calls, the greatest first."""
        profile = cProfile.Profile()
        numbers = [index / NUM_STEPS for index in range(NUM_STEPS)]
        spent = 0.0
        while spent < seconds:
            profile.runcall(self._play.play, numbers)
            stats: Any = pstats.Stats(profile)
            spent = stats.total_tt
        own = {readable(function): row[2] / spent for function, row in stats.stats.items()}
        return {"shares": dict(sorted(own.items(), key=lambda item: -item[1]))}


def readable(function: Function) -> str:
    """Returns the name of a function, with its file where it has one."""
    file, line, name = function
    return f"{name} ({Path(file).name}:{line})" if line else name


def prepare(**arguments: Any) -> Calls:
    """Returns a game in play."""
    return Calls(**arguments)
