"""B games of Bit Blossom in lockstep: the kernels of one game over arrays with a longer leading axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.batch import ALL_LEGAL, Views
from ..core.game import Outcome
from . import kernels
from .reading import outcome_of
from .state import State, has_same_rules, new_state

if TYPE_CHECKING:
    from .game import BitBlossomGame, BitBlossomSetup


class BitBlossomBatch:
    """Room for B games; a row is started before it is used."""

    def __init__(self, setup: BitBlossomSetup, num_games: int) -> None:
        self._setup = setup
        self._state = new_state(setup.config, num_games)
        self._no_planes = np.empty((0, 1), np.uint8)
        self._known_views: Views | None = None  # what has been checked last need not be checked again
        self._known_states: State | None = None

    @property
    def num_games(self) -> int:
        """B."""
        return len(self._state.counters)

    def start(self, index: int, game: BitBlossomGame) -> None:
        """Puts a copy of `game` into row `index`."""
        self.set_states(np.array([index]), game.get_state())

    def game(self, index: int) -> BitBlossomGame:
        """Returns a copy of row `index` as a game of its own."""
        self._check_range(index, index + 1)
        return self._setup.game_from_state(self._row(index).copy())

    def outcome(self, index: int) -> Outcome | None:
        """Returns how the game of row `index` ended, None while it runs."""
        return outcome_of(self._arrays, index, self._setup)

    def get_states(self, indices: NDArray[np.int64]) -> State:
        """Returns a copy of the states of some rows, B = len(indices)."""
        return State(self._state.masks[indices], self._state.stamps[indices], self._state.counters[indices])

    def set_states(self, indices: NDArray[np.int64], states: State) -> None:
        """Puts copies of states into rows, one per index or one for all; raises `ValueError` where rules are others."""
        if states is not self._known_states:
            if not isinstance(states, State) or not has_same_rules(self._state, states):
                raise ValueError(
                    "the states are not of games with these rules; allowed: what get_states has returned for them"
                )
            self._known_states = states
        num_states = len(states.counters)
        if num_states not in (1, len(indices)):
            raise ValueError(f"{num_states} states for {len(indices)} rows; allowed: one per row, or one for all")
        self._state.masks[indices] = states.masks
        self._state.stamps[indices] = states.stamps
        self._state.counters[indices] = states.counters

    def find_illegal(self, actions: NDArray[np.int64], low: int, high: int) -> int:
        """Returns the first running game of low..high-1 whose action, int64 [B], is illegal; ALL_LEGAL if none is."""
        self._check("actions", actions, np.int64, ())
        self._check_range(low, high)
        return int(kernels.find_illegal(self._arrays, actions, low, high))

    def advance(self, actions: NDArray[np.int64], low: int, high: int, views: Views) -> int:
        """Plays one action, int64 [B], in the running games of low..high-1 and renews their rows of `views`.

        Returns ALL_LEGAL, or the first of these games whose action is illegal; none of them has moved then.
        """
        self._check("actions", actions, np.int64, ())
        self._check_range(low, high)
        work = kernels.scratch_for(self._setup.config.num_cells).work
        wrong = int(kernels.advance(self._arrays, actions, low, high, work, self._checked(views)))
        if wrong == ALL_LEGAL:
            self._add_extra_planes(low, high, views)
        return wrong

    def look(self, low: int, high: int, views: Views) -> None:
        """Renews the rows low..high-1 of `views`."""
        self._check_range(low, high)
        work = kernels.scratch_for(self._setup.config.num_cells).work
        kernels.look(self._arrays, low, high, work, self._checked(views))
        self._add_extra_planes(low, high, views)

    @property
    def _arrays(self) -> kernels.Arrays:
        return self._state.masks, self._state.stamps, self._state.counters

    def _row(self, index: int) -> State:
        """Returns a view of row `index`, B = 1."""
        rows = slice(index, index + 1)
        return State(self._state.masks[rows], self._state.stamps[rows], self._state.counters[rows])

    def _check(self, name: str, array: Any, dtype: type, row_shape: tuple[int, ...]) -> None:
        """Raises `ValueError` unless an array is one that kernels can take: they would read past its end."""
        wanted = (self.num_games, *row_shape)
        is_array = isinstance(array, np.ndarray)
        if not is_array or array.dtype != dtype or array.shape != wanted or not array.flags.c_contiguous:
            form = f"{array.dtype} {array.shape}" if is_array else type(array).__name__
            raise ValueError(f"{name} is {form}; allowed: a contiguous {np.dtype(dtype)} {wanted}")

    def _check_range(self, low: int, high: int) -> None:
        if not 0 <= low <= high <= self.num_games:
            raise ValueError(f"games {low}..{high} are not allowed; allowed: 0 <= low <= high <= {self.num_games}")

    def _checked(self, views: Views) -> kernels.ViewArrays:
        """Returns the arrays of `views` as kernels take them; the same views are checked once."""
        if views is not self._known_views:
            if views.planes is not None:
                planes_shape = (len(self._setup.plane_names), *self._setup.board_shape)
                self._check("planes", views.planes, np.uint8, planes_shape)
            self._check("masks", views.masks, np.int8, (self._setup.num_actions,))
            self._check("to_move", views.to_move, np.int8, ())
            self._check("is_over", views.is_over, np.bool_, ())
            self._known_views = views
        planes = self._no_planes if views.planes is None else views.planes.reshape(self.num_games, -1)
        return planes, views.masks, views.to_move, views.is_over

    def _add_extra_planes(self, low: int, high: int, views: Views) -> None:
        """Fills the optional planes, where there are any."""
        if views.planes is not None and self._setup.config.extra_planes:
            planes = views.planes.reshape(self.num_games, -1)
            kernels.add_extra_planes(self._arrays, low, high, self._setup.extra_planes, planes)
