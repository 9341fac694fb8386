"""B games of Bit Blossom in lockstep: the kernels of one game over arrays with a longer leading axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.game import IllegalActionError
from . import kernels
from .state import END_REASON, RUNNING, TO_MOVE, State, has_same_rules, new_state

if TYPE_CHECKING:
    from .game import BitBlossomGame, BitBlossomSetup


class BitBlossomBatch:
    """Room for B games; every row must be started before the first step."""

    def __init__(self, setup: BitBlossomSetup, num_games: int) -> None:
        self._setup = setup
        self._state = new_state(setup.config, num_games)
        self._work = kernels.Scratch(setup.config.num_cells).work
        self._areas = np.zeros(setup.num_seats, np.int32)
        self._is_started = np.zeros(num_games, np.bool_)

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
        state = game.get_state()
        if not has_same_rules(self._row(0), state):
            raise ValueError("the game has other rules than the batch; allowed: games of the same rules and size")
        self._is_started[index] = True
        self._state.masks[index] = state.masks[0]
        self._state.stamps[index] = state.stamps[0]
        self._state.counters[index] = state.counters[0]

    def game(self, index: int) -> BitBlossomGame:
        """Returns a copy of row `index` as a game of its own."""
        return self._setup.game_from_state(self._row(index).copy())

    def _row(self, index: int) -> State:
        """Returns a view of row `index`, B = 1."""
        rows = slice(index, index + 1)
        return State(self._state.masks[rows], self._state.stamps[rows], self._state.counters[rows])

    def _check(self, name: str, array: NDArray[Any], dtype: type, *shape: int) -> None:
        """Raises `ValueError` unless an array is one that kernels can take, and every row has been started."""
        wanted = (self.num_games, *shape)
        is_array = isinstance(array, np.ndarray)
        if not is_array or array.dtype != dtype or array.shape != wanted or not array.flags.c_contiguous:
            form = f"{array.dtype} {array.shape}" if is_array else type(array).__name__
            raise ValueError(f"{name} is {form}; allowed: a contiguous {np.dtype(dtype)} {wanted}")
        if not self._is_started.all():
            row = int(np.argmin(self._is_started))
            raise ValueError(f"row {row} holds no game; allowed: after start() of every row")

    def apply(self, actions: NDArray[np.int64]) -> None:
        """Plays one action, int64 [B], in every game that is not over; raises `IllegalActionError`, no game moved."""
        self._check("actions", actions, np.int64)
        state = self._state
        wrong = kernels.play(state.masks, state.stamps, state.counters, actions, self._work)
        if wrong != kernels.ALL_LEGAL:
            raise IllegalActionError(f"game {wrong}: action {int(actions[wrong])} is illegal; no game has moved")

    def fill_masks(self, out: NDArray[np.int8]) -> None:
        """Writes the legal actions of the seats to move into int8 [B, A]; zeros for finished games."""
        self._check("out", out, np.int8, self._setup.num_actions)
        kernels.fill_masks(self._state.masks, self._state.counters, out)

    def fill_observations(self, out: NDArray[np.uint8]) -> None:
        """Writes what the seats to move see into uint8 [B, F, rows, cols]."""
        names = self._setup.plane_names
        self._check("out", out, np.uint8, len(names), *self._setup.board_shape)
        state = self._state
        kernels.fill_observations(state.masks, state.stamps, state.counters, self._areas, out)
        if self._setup.config.extra_planes:
            for index in range(self.num_games):
                kernels.fill_extra_planes(self._row(index), names, int(state.counters[index, TO_MOVE]), out[index])

    def returns(self) -> NDArray[np.float64]:
        """float64 [B, P]; zeros for games that are not over."""
        paid = np.zeros((self.num_games, self._setup.num_seats))
        for index in np.flatnonzero(self.is_over):
            paid[index] = self.game(int(index)).returns()
        return paid
