"""B games of Bit Blossom in lockstep: the kernels of one game over arrays with a longer leading axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..core.game import IllegalActionError
from . import kernels
from .state import END_REASON, RUNNING, TO_MOVE, State, new_state

if TYPE_CHECKING:
    from .game import BitBlossomGame, BitBlossomSetup


class BitBlossomBatch:
    """Room for B games; every row must be started before the first step."""

    def __init__(self, setup: BitBlossomSetup, num_games: int) -> None:
        self._setup = setup
        self._state = new_state(setup.config, num_games)
        self._work = kernels.Scratch(setup.config.num_cells).work
        self._areas = np.zeros(setup.num_seats, np.int32)

    @property
    def num_games(self) -> int:
        """B."""
        return len(self._state.counters)

    @property
    def to_move(self) -> NDArray[np.int8]:
        """int8 [B], fresh: seat to move in each game."""
        return self._state.counters[:, TO_MOVE].astype(np.int8)

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """Whether each game has ended: bool [B], fresh."""
        return np.asarray(self._state.counters[:, END_REASON] != RUNNING)

    def start(self, index: int, game: BitBlossomGame) -> None:
        """Puts a copy of `game` into row `index`."""
        if game.setup != self._setup:
            raise ValueError("the game is of another setup than the batch; allowed: games of the same setup")
        state = game.get_state()
        self._state.masks[index] = state.masks[0]
        self._state.stamps[index] = state.stamps[0]
        self._state.counters[index] = state.counters[0]

    def game(self, index: int) -> BitBlossomGame:
        """Returns a copy of row `index` as a game of its own."""
        rows = slice(index, index + 1)
        state = State(self._state.masks[rows], self._state.stamps[rows], self._state.counters[rows])
        return self._setup.game_from_state(state.copy())

    def apply(self, actions: NDArray[np.int64]) -> None:
        """Plays one action, int64 [B], in every game that is not over; raises `IllegalActionError`, no game moved."""
        state = self._state
        wrong = kernels.play(state.masks, state.stamps, state.counters, actions, self._work)
        if wrong != kernels.ALL_LEGAL:
            raise IllegalActionError(f"game {wrong}: action {int(actions[wrong])} is illegal; no game has moved")

    def fill_masks(self, out: NDArray[np.int8]) -> None:
        """Writes the legal actions of the seats to move into int8 [B, A]; zeros for finished games."""
        kernels.fill_masks(self._state.masks, self._state.counters, out)

    def fill_observations(self, out: NDArray[np.uint8]) -> None:
        """Writes what the seats to move see into uint8 [B, F, rows, cols]."""
        state = self._state
        kernels.fill_observations(state.masks, state.stamps, state.counters, self._areas, out)
        if self._setup.config.extra_planes:
            for index in range(self.num_games):
                out[index] = self.game(index).observe(int(state.counters[index, TO_MOVE]))

    def returns(self) -> NDArray[np.float64]:
        """float64 [B, P]; zeros for games that are not over."""
        paid = np.zeros((self.num_games, self._setup.num_seats))
        for index in np.flatnonzero(self.is_over):
            paid[index] = self.game(int(index)).returns()
        return paid
