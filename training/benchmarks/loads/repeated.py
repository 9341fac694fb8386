"""One and the same step in many copies of a game, again and again from the same state."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from bitblossom_env.core.batch import ALL_LEGAL, Views
from bitblossom_env.core.game import Game, Position, make_setup

NUM_COPIES = 64


def game_of(position: Position) -> Game:
    """Returns the game of a position, under the rules that it brings along."""
    bases = sorted(piece for piece in position["pieces"] if piece[4])
    arguments = {
        "num_players": position["players"],
        "board_size": (position["rows"], position["cols"]),
        "home_bases": [piece[:2] for piece in sorted(bases, key=lambda piece: piece[2])],
        **position["rules"],
    }
    return make_setup("bitblossom", arguments).game_from_position(position)


class RepeatedSteps:
    """Plays a series of actions in copies of a game and puts the first state back; only the playing is timed.

    Nobody observes, so that the time is that of the rules and the mask.
    """

    def __init__(self, game: Game, actions: Sequence[int]) -> None:
        setup = game.setup
        self._batch = setup.new_batch(NUM_COPIES)
        for index in range(NUM_COPIES):
            self._batch.start(index, game)
        self._rows = np.arange(NUM_COPIES)
        self._start = self._batch.get_states(self._rows)
        self._views = Views.allocate(setup, NUM_COPIES, observe=False)
        self._batch.look(0, NUM_COPIES, self._views)
        self._actions = [np.full(NUM_COPIES, action) for action in actions]

    def seconds_per_step(self, seconds: float) -> float:
        """Returns the CPU seconds of one step in one game, measured for about `seconds` on the wall."""
        end, spent, num_steps = time.perf_counter() + seconds, 0.0, 0
        while num_steps == 0 or time.perf_counter() < end:
            spent += self._play()
            num_steps += NUM_COPIES * len(self._actions)
        return spent / num_steps

    def _play(self) -> float:
        """Plays the series once and returns its CPU seconds."""
        self._batch.set_states(self._rows, self._start)
        start = time.process_time()
        for actions in self._actions:
            wrong = self._batch.advance(actions, 0, NUM_COPIES, self._views)
            if wrong != ALL_LEGAL:
                raise ValueError(f"action {actions[0]} of the series is illegal in its position")
        return time.process_time() - start


class Cases:
    """Several things to be timed, each under a name."""

    def __init__(self, cases: dict[str, RepeatedSteps]) -> None:
        self._cases = cases
        self.facts: dict[str, Any] = {"names": list(cases)}

    def measure(self, seconds: float) -> dict[str, Any]:
        """Returns nanoseconds a step by name, about `seconds` for all of them together."""
        each = seconds / len(self._cases)
        return {name: 1e9 * case.seconds_per_step(each) for name, case in self._cases.items()}
