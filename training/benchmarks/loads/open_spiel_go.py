"""Random play in OpenSpiel's Go from Python, with its in-place observer or through fresh NumPy arrays."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import make_observation

from training.benchmarks.loads.one_by_one import sample_of

NUM_NUMBERS = 1024  # steps between two looks at the clock
NUM_LISTS = 512  # of legal actions, for timing the choice alone


class InPlacePlay:
    """The quickest way found: one buffer for all observations, legal actions as a list, nothing asked twice.

    Seats alternate in Go and a finished game has no legal action, so neither `current_player` nor `is_terminal` is
    called; with both it is a quarter slower at 9x9.
    """

    def __init__(self, board_size: int) -> None:
        self._game = pyspiel.load_game(f"go(board_size={board_size})")
        observation = make_observation(self._game)
        self._observe = observation._observation.set_from  # the wrapped call, one Python frame less
        self.rng = np.random.default_rng(0)
        self._state, self._player, self.num_games = self._game.new_initial_state(), 0, 0
        self.choice = self._time_choice()
        self.facts: dict[str, Any] = {"written": {"planes": observation.tensor.nbytes, "mask": 0}}

    def measure(self, seconds: float) -> dict[str, Any]:
        """Plays for `seconds` of the CPU and returns a `Sample`."""
        return sample_of(self, seconds, NUM_NUMBERS)

    def play(self, numbers: Sequence[float]) -> None:
        """Plays one step for each number; a finished game is followed by the next."""
        state, player, observe = self._state, self._player, self._observe
        for number in numbers:
            legal = state.legal_actions()
            if not legal:
                state, player = self._game.new_initial_state(), 0
                self.num_games += 1
                legal = state.legal_actions()
            observe(state, player)
            state.apply_action(legal[int(number * len(legal))])
            player = 1 - player
        self._state, self._player = state, player

    def _time_choice(self) -> float:
        """Returns the CPU seconds of one choice, on lists of legal actions from play."""
        lists = []
        for number in self.rng.random(NUM_LISTS).tolist():
            self.play([number])
            lists.append(self._state.legal_actions() or [0])
        start = time.process_time()
        for legal in lists:
            legal[int(0.5 * len(legal))]
        return (time.process_time() - start) / NUM_LISTS


class NumpyPlay(InPlacePlay):
    """The usual way: a tensor and a mask for each step, as fresh arrays of the shapes that a network takes."""

    def play(self, numbers: Sequence[float]) -> None:
        """Plays one step for each number; a finished game is followed by the next."""
        state, shape = self._state, self._game.observation_tensor_shape()
        for number in numbers:
            if state.is_terminal():
                state = self._game.new_initial_state()
                self.num_games += 1
            player = state.current_player()
            np.array(state.observation_tensor(player), np.float32).reshape(shape)
            legal = np.flatnonzero(np.array(state.legal_actions_mask(player), np.int8))
            state.apply_action(int(legal[int(number * len(legal))]))
        self._state = state


def prepare(board_size: int, in_place: bool = True) -> InPlacePlay:
    """Returns games in play."""
    return InPlacePlay(board_size) if in_place else NumpyPlay(board_size)
