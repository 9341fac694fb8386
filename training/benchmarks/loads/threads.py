"""Steps of a `BatchEnv` with several threads, by the clock on the wall; the choice of actions stays out of it."""

from __future__ import annotations

import time
from typing import Any

from training.benchmarks.loads.batch import BatchPlay


class ThreadedPlay:
    """Random play whose steps alone are timed: choosing runs in one thread and would hide what the others do."""

    def __init__(self, play: BatchPlay) -> None:
        self._play = play
        self.facts: dict[str, Any] = play.facts | {"num_threads": play.env.num_threads}

    def measure(self, seconds: float) -> dict[str, Any]:
        """Plays until steps alone have taken `seconds`."""
        env, clock, cpu_clock = self._play.env, time.perf_counter, time.process_time
        num_steps, stepping, busy = 0, 0.0, 0.0
        while stepping < seconds:
            self._play.choose()
            start, cpu_start = clock(), cpu_clock()
            env.step(self._play.actions)
            stepping += clock() - start
            busy += cpu_clock() - cpu_start
            num_steps += env.num_envs
        return {"steps": num_steps, "elapsed": stepping, "cpu": busy}


def prepare(**arguments: Any) -> ThreadedPlay:
    """Returns games in play."""
    return ThreadedPlay(BatchPlay(**arguments))
