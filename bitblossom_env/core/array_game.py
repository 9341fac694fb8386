"""One game whose state is an `ArrayState`: what all games share of a `Game`."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from typing import Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from .arguments import is_boolean, shown, whole_number
from .array_state import ArrayState
from .game import IllegalActionError, Outcome, Setup

AnySetup = TypeVar("AnySetup", bound=Setup)
AnyState = TypeVar("AnyState", bound=ArrayState)


class ArrayGame(ABC, Generic[AnySetup, AnyState]):
    """A value object around one state; a clone copies its arrays."""

    __slots__ = ("_setup", "_state")

    def __init__(self, setup: AnySetup, state: AnyState) -> None:
        self._setup = setup
        self._state = state

    @property
    def to_move(self) -> int:
        """Seat whose action is awaited; after the end, the seat that moved last."""
        return self._state.counters.item(self._state.MOVER_COUNTER)

    @property
    def turn(self) -> int:
        """Number of the current turn, counted over all seats from 0."""
        return self._state.counters.item(self._state.TURN_COUNTER)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._state.counters.item(self._state.END_COUNTER) != 0

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it runs."""

    @abstractmethod
    def legal_mask(self) -> NDArray[np.int8]:
        """int8 [A], fresh: 1 exactly where `apply` accepts."""

    @abstractmethod
    def describe_action(self, action: int) -> str:
        """Short readable name."""

    def describe_played(self, action: int) -> str:
        """The name of the action that has just been played."""
        return self.describe_action(action)

    @property
    def setup(self) -> AnySetup:
        """What was fixed before the first move."""
        return self._setup

    @property
    def num_seats(self) -> int:
        """P."""
        return self._setup.num_seats

    @property
    def num_actions(self) -> int:
        """A."""
        return self._setup.num_actions

    def returns(self) -> NDArray[np.float64]:
        """float64 [P], zero-sum; zeros while the game runs."""
        outcome = self.outcome
        return np.zeros(self.num_seats) if outcome is None else self._setup.returns_of(outcome)

    def clone(self) -> Self:
        """Returns a game that goes on from here on its own."""
        return type(self)(self._setup, self._state.copy())

    def get_state(self) -> AnyState:
        """Returns a copy of the arrays, for `set_state` of any game of the same setup."""
        return self._state.copy()

    def set_state(self, state: AnyState) -> None:
        """Goes on from a state that `get_state` of a game of the same setup has returned."""
        if not self._state.has_same_rules(state) or len(state.counters) != 1:
            raise ValueError("the state is not of a game with these rules; allowed: what get_state returned for them")
        self._state = state.copy()

    def _seat_number(self, seat: Any) -> int:
        """Returns a seat as an int in 0..P-1, else raises `ArgumentError`."""
        if type(seat) is int and 0 <= seat < self.num_seats:
            return seat
        return whole_number("seat", seat, 0, self.num_seats - 1)

    def _action_number(self, action: Any) -> int:
        """Returns an action as an int, else raises `IllegalActionError`; also if the game is over."""
        try:
            number = operator.index(action)
        except TypeError:
            raise IllegalActionError(self._complaint(action)) from None
        if self.is_over or is_boolean(action) or not 0 <= number < self.num_actions:
            raise IllegalActionError(self._complaint(action))
        return number

    def _complaint(self, action: Any) -> str:
        """Returns one line on why an action is refused and what is allowed."""
        if self.is_over:
            return f"action {shown(action)} is illegal: the game is over"
        legal = int(self.legal_mask().sum())
        is_known = isinstance(action, (int, np.integer)) and 0 <= action < self.num_actions
        name = f" ({self.describe_action(int(action))})" if is_known else ""
        return (
            f"action {shown(action)}{name} is illegal for seat {self.to_move} in turn {self.turn};"
            f" allowed: the {legal} actions of 0..{self.num_actions - 1} whose mask is 1"
        )
