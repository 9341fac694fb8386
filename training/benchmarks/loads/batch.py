"""Random play in a `BatchEnv`, uniform over the mask, games of all phases side by side."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from bitblossom_env.envs.batch import BatchEnv
from training.benchmarks.choosing import choose_each
from training.benchmarks.loads.size import state_bytes, view_bytes

NUM_GROUPS = 32  # of games that are begun together on the way to a mix of phases


class BatchPlay:
    """Plays all games of a `BatchEnv` at random.

    Args:
        num_envs: B.
        observe: whether the planes are written.
        num_threads: threads of the environment; with more than one only the clock on the wall tells how fast it is.
        is_mixed: whether the games are spread over all phases first.
        **game_arguments: as for `BatchEnv`.
    """

    def __init__(
        self,
        num_envs: int,
        observe: bool = True,
        num_threads: int = 1,
        is_mixed: bool = True,
        **game_arguments: Any,
    ) -> None:
        self.env = BatchEnv(num_envs, observe=observe, num_threads=num_threads, **game_arguments)
        self.env.reset()
        self.actions = np.zeros(num_envs, np.int64)
        self._numbers = np.zeros(num_envs)
        self._rng = np.random.default_rng(0)
        setup = self.env.setup
        self._end_turn = setup.end_turn
        self.facts = {"written": view_bytes(setup, observe) | {"state": state_bytes(setup)}}
        if is_mixed:
            self._mix(setup.turn_limit or 2 * setup.num_actions)  # longer than games without a limit take

    def choose(self) -> None:
        """Draws the next actions."""
        self._rng.random(out=self._numbers)
        choose_each(self.env.action_masks, self._numbers, self.actions)

    def measure(self, seconds: float) -> dict[str, Any]:
        """Plays for `seconds` on the clock of the CPU and returns a `Sample`; all figures of one thread."""
        env, clock = self.env, time.process_time
        num_steps = num_turns = num_games = 0
        choosing = stepping = 0.0
        began = time.perf_counter()
        while choosing + stepping < seconds:
            start = clock()
            self.choose()
            chosen = clock()
            _, _, terminated, truncated, infos = env.step(self.actions)
            stepping += clock() - chosen
            choosing += chosen - start
            num_steps += env.num_envs
            num_turns += int(np.count_nonzero(self.actions == self._end_turn))
            if "final_outcome" in infos:
                num_games += int(np.count_nonzero(terminated | truncated))
        return {
            "steps": num_steps,
            "turns": num_turns,
            "games": num_games,
            "seconds": choosing + stepping,
            "choosing": choosing,
            "elapsed": time.perf_counter() - began,
        }

    def _mix(self, turn_limit: int) -> None:
        """Plays about two games and begins one group after the other anew, so that all phases are there at once."""
        group_of = np.arange(self.env.num_envs) % NUM_GROUPS
        for group in range(NUM_GROUPS):
            self.env.reset(options={"reset_mask": group_of == group})
            for _ in range(2 * turn_limit // NUM_GROUPS + 1):
                self.choose()
                self.env.step(self.actions)


def prepare(**arguments: Any) -> BatchPlay:
    """Returns games in play."""
    return BatchPlay(**arguments)
