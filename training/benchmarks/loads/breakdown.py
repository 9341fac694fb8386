"""Where the time of a batch step goes: plays with less and less to do, side by side."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitblossom_env.core.batch import Views
from bitblossom_env.core.game import Setup
from training.benchmarks.choosing import choose_each
from training.benchmarks.loads.batch import BatchPlay

Seconds = defaultdict[str, float]  # by name

STRETCH = 32  # steps of one play in a row, so that its games are in the caches as they are in use
PLACE, RETRACT, END_TURN = KINDS = ("set a stone", "retract a stone", "end a turn")


class BarePlay:
    """Random play on a `GameBatch` itself; only what the game does is timed."""

    def __init__(self, setup: Setup, states: Any, num_games: int, observe: bool) -> None:
        self.rows = np.arange(num_games)
        self.batch = setup.new_batch(num_games)
        self.batch.set_states(self.rows, states)
        self.views = Views.allocate(setup, num_games, observe)
        self.batch.look(0, num_games, self.views)
        self.actions = np.zeros(num_games, np.int64)
        self._start = setup.new_batch(1)
        self._start.start(0, setup.new_game(np.random.default_rng(0)))
        self._numbers = np.zeros(num_games)
        self._rng = np.random.default_rng(1)

    def choose(self) -> None:
        """Puts new games in place of finished ones and draws the next actions."""
        over = np.flatnonzero(self.views.is_over)
        self.batch.set_states(over, self._start.get_states(np.zeros(len(over), np.int64)))
        for row in over.tolist():
            self.batch.look(row, row + 1, self.views)
        self._rng.random(out=self._numbers)
        choose_each(self.views.masks, self._numbers, self.actions)

    def step(self) -> None:
        """Plays the actions drawn."""
        self.batch.advance(self.actions, 0, len(self.rows), self.views)


class Breakdown:
    """Times a `BatchEnv`, the same games without it, and these without planes; each part is a difference."""

    def __init__(self, **arguments: Any) -> None:
        self._play = BatchPlay(**arguments)
        env = self._play.env
        self._setup, self._num_games = env.setup, env.num_envs
        states = env.get_states(np.arange(env.num_envs))
        self._seeing, self._blind = (BarePlay(env.setup, states, env.num_envs, observe) for observe in (True, False))
        self.facts: dict[str, Any] = {}

    def measure(self, seconds: float) -> dict[str, Any]:
        """Returns nanoseconds a step by part, and by kind of action how often it is played and what it takes."""
        total: Seconds = defaultdict(float)
        end, num_stretches = time.perf_counter() + seconds, 0
        while num_stretches == 0 or time.perf_counter() < end:
            self._play_stretch(total)
            num_stretches += 1
        num_steps = num_stretches * STRETCH * self._num_games
        each = {name: 1e9 * spent / num_steps for name, spent in total.items()}
        return {"parts": parts_of(each), "kinds": self._measure_kinds()}

    def _play_stretch(self, total: Seconds) -> None:
        """Plays some steps of each play and adds the CPU seconds to `total`."""
        play, blind = self._play, self._blind
        for _ in range(STRETCH):
            total["choose"] += spent(play.choose)
            total["step"] += spent(lambda: play.env.step(play.actions))
        for _ in range(STRETCH):
            self._seeing.choose()
            total["advance, observed"] += spent(self._seeing.step)
        for _ in range(STRETCH):
            blind.choose()
            total["check"] += spent(lambda: blind.batch.find_illegal(blind.actions, 0, self._num_games))
            total["advance"] += spent(blind.step)
            total["look"] += spent(lambda: blind.batch.look(0, self._num_games, blind.views))

    def _measure_kinds(self) -> dict[str, dict[str, float]]:
        """Returns share and nanoseconds of each kind of action, mask and legality included, planes not."""
        number = dict.fromkeys(KINDS, 0)
        seconds: Seconds = defaultdict(float)
        blind = self._blind
        for _ in range(STRETCH):
            blind.choose()
            order = np.argsort(self._kind_of(blind.actions), kind="stable")  # games of one kind stand in a row
            blind.batch.set_states(blind.rows, blind.batch.get_states(order))
            blind.batch.look(0, self._num_games, blind.views)
            actions, low = blind.actions[order], 0
            for kind, count in zip(KINDS, np.bincount(self._kind_of(actions), minlength=3).tolist(), strict=True):
                number[kind] += count
                seconds[kind] += self._advance_range(actions, low, low + count)
                low += count
        total = sum(number.values())
        return {
            kind: {"share": number[kind] / total, "ns": 1e9 * seconds[kind] / max(1, number[kind])} for kind in KINDS
        }

    def _advance_range(self, actions: NDArray[np.int64], low: int, high: int) -> float:
        """Returns the CPU seconds of a step in the games low..high-1, nobody looking."""
        return spent(lambda: self._blind.batch.advance(actions, low, high, self._blind.views)) if low < high else 0.0

    def _kind_of(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns the index in `KINDS` of each action."""
        is_late = actions >= self._setup.retractions.start
        return np.asarray(is_late.astype(np.int64) + (actions == self._setup.end_turn))


def parts_of(each: dict[str, float]) -> dict[str, float]:
    """Returns the parts of a step by name from what the calls take."""
    return {
        "whole step": each["step"],
        "legality of the action": each["check"],
        "rules": each["advance"] - each["check"] - each["look"],
        "mask": each["look"],
        "planes": each["advance, observed"] - each["advance"],
        "the environment around it, new games included": each["step"] - each["advance, observed"],
        "choice of the action (not in the step)": each["choose"],
    }


def spent(work: Callable[[], object]) -> float:
    """Returns the CPU seconds that `work` takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def prepare(**arguments: Any) -> Breakdown:
    """Returns games in play."""
    return Breakdown(**arguments)
