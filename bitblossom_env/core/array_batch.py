"""B games in lockstep whose state is an `ArrayState`: what all games share of a `GameBatch`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from .array_state import ArrayState
from .batch import Views
from .game import Game, Outcome, Setup

# planes uint8 [B, F * N] (B = 0: not wanted), masks int8 [B, A], to_move int8 [B], is_over bool [B]
ViewArrays = tuple[NDArray[np.uint8], NDArray[np.int8], NDArray[np.int8], NDArray[np.bool_]]
AnySetup = TypeVar("AnySetup", bound=Setup)
AnyGame = TypeVar("AnyGame", bound=Game)
AnyState = TypeVar("AnyState", bound=ArrayState)


class ArrayBatch(ABC, Generic[AnySetup, AnyGame, AnyState]):
    """Room for B games; a row is started before it is used. Arrays are checked before kernels get them."""

    def __init__(self, setup: AnySetup, state: AnyState) -> None:
        self._setup = setup
        self._state = state
        self._no_planes = np.empty((0, 1), np.uint8)
        self._known_views: Views | None = None  # what has been checked last need not be checked again
        self._known_states: AnyState | None = None

    @property
    def num_games(self) -> int:
        """B."""
        return len(self._state.counters)

    @abstractmethod
    def outcome(self, index: int) -> Outcome | None:
        """Returns how the game of row `index` ended, None while it runs."""

    @abstractmethod
    def _game_of(self, state: AnyState) -> AnyGame:
        """Returns the game whose state (B = 1) this is."""

    @abstractmethod
    def _find_illegal(self, actions: NDArray[np.int64], low: int, high: int) -> int:
        """Does what `find_illegal` promises, on checked arguments."""

    @abstractmethod
    def _advance(self, actions: NDArray[np.int64], low: int, high: int, views: ViewArrays) -> int:
        """Does what `advance` promises, on checked arguments."""

    @abstractmethod
    def _look(self, low: int, high: int, views: ViewArrays) -> None:
        """Does what `look` promises, on checked arguments."""

    def start(self, index: int, game: Game) -> None:
        """Puts a copy of `game` into row `index`."""
        self.set_states(np.array([index]), game.get_state())

    def game(self, index: int) -> AnyGame:
        """Returns a copy of row `index` as a game of its own."""
        self._check_range(index, index + 1)
        return self._game_of(self._state.rows(np.array([index])))

    def get_states(self, indices: NDArray[np.int64]) -> AnyState:
        """Returns a copy of the states of some rows, B = len(indices)."""
        return self._state.rows(indices)

    def set_states(self, indices: NDArray[np.int64], states: AnyState) -> None:
        """Puts copies of states into rows, one per index or one for all; raises `ValueError` where rules are others."""
        if states is not self._known_states:
            if not self._state.has_same_rules(states):
                raise ValueError(
                    "the states are not of games with these rules; allowed: what get_states has returned for them"
                )
            self._known_states = states
        num_states = len(states.counters)
        if num_states not in (1, len(indices)):
            raise ValueError(f"{num_states} states for {len(indices)} rows; allowed: one per row, or one for all")
        self._state.put(indices, states)

    def find_illegal(self, actions: NDArray[np.int64], low: int, high: int) -> int:
        """Returns the first running game of low..high-1 whose action, int64 [B], is illegal; ALL_LEGAL if none is."""
        self._check("actions", actions, np.int64, ())
        self._check_range(low, high)
        return self._find_illegal(actions, low, high)

    def advance(self, actions: NDArray[np.int64], low: int, high: int, views: Views) -> int:
        """Plays one action, int64 [B], in the running games of low..high-1 and renews their rows of `views`.

        Returns ALL_LEGAL, or the first of these games whose action is illegal; none of them has moved then.
        """
        self._check("actions", actions, np.int64, ())
        self._check_range(low, high)
        return self._advance(actions, low, high, self._checked(views))

    def look(self, low: int, high: int, views: Views) -> None:
        """Renews the rows low..high-1 of `views`."""
        self._check_range(low, high)
        self._look(low, high, self._checked(views))

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

    def _checked(self, views: Views) -> ViewArrays:
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
