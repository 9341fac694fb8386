"""The one interface through which environments, agents, training and rendering see a game.

Dimension letters used in every docstring of this project: C cells, K neighbour slots, P seats, A actions, F planes,
R rows, B games, T moves.
"""

from __future__ import annotations

import enum
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:  # a batch is made of games, and a setup makes both
    from .batch import GameBatch

Position = dict[str, Any]  # a JSON object that describes one position of one game completely


class ArgumentError(ValueError):
    """An argument of an environment that is not allowed: names the argument, its value and what is allowed."""


class IllegalActionError(ValueError):
    """An action that the mask forbids, or that is no action at all; nothing has changed."""


class OpponentError(RuntimeError):
    """An agent that plays a seat on somebody's behalf chose an illegal action; names the seat and the action."""


class PositionError(ValueError):
    """A position whose named invariants are broken; nothing has changed."""


class GameOverError(RuntimeError):
    """Something was asked that only a running game, or only a finished one, can answer."""


class EndReason(enum.StrEnum):
    """Why a game ended; the first that holds, in the order of R4.3 for Bit Blossom."""

    LAST_SURVIVOR = "last_survivor"
    ALL_ELIMINATED = "all_eliminated"
    FULL_BOARD = "full_board"
    MAJORITY = "majority"  # Aronda, A4.2
    BLOCKADE = "blockade"  # Aronda, A4.3
    ALL_PASSED = "all_passed"
    TURN_LIMIT = "turn_limit"


@dataclass(frozen=True, eq=False)  # an array has no one truth value
class Outcome:
    """How a finished game ended; fields can be read by name as well: `outcome["reason"]`."""

    reason: EndReason
    winners: tuple[int, ...]  # seats that share the win, ascending
    areas: tuple[int, ...]  # cells per seat
    ranks: tuple[float, ...]  # per seat, 1 is best, equal seats share the mean of their places
    owner: NDArray[np.int8]  # [rows, cols] seat that each cell counts for, -1 nobody
    truncated: bool  # True exactly for the turn limit

    def __getitem__(self, name: str) -> Any:
        if name not in self.__dataclass_fields__:
            raise KeyError(f"{name!r} is no field of an outcome; allowed: {', '.join(self.__dataclass_fields__)}")
        return getattr(self, name)

    def as_dict(self) -> dict[str, Any]:
        """Returns the fields by name, the reason as plain text: the form that infos carry."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__} | {"reason": self.reason.value}


class Game(Protocol):
    """One running game: a small value object, cheap to clone."""

    @classmethod
    def from_position(cls, position: Position) -> Game:
        """The game of a position that brings its own rules; raises `PositionError`."""

    @property
    def num_seats(self) -> int:
        """P, 2..8."""

    @property
    def num_actions(self) -> int:
        """A."""

    @property
    def to_move(self) -> int:
        """Seat whose action is awaited; after the end, the seat that moved last."""

    @property
    def turn(self) -> int:
        """Number of the current turn, counted over all seats from 0."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @property
    def outcome(self) -> Outcome | None:
        """None while the game runs."""

    @property
    def setup(self) -> Setup:
        """What was fixed before the first move."""

    def legal_mask(self) -> NDArray[np.int8]:
        """int8 [A], fresh: 1 exactly where `apply` accepts; all 0 after the end."""

    def apply(self, action: int) -> None:
        """Plays one action of the seat to move; raises `IllegalActionError` and changes nothing if illegal."""

    def returns(self) -> NDArray[np.float64]:
        """float64 [P], zero-sum: the reward of each seat at the end; zeros while the game runs."""

    def observe(self, seat: int) -> NDArray[np.uint8]:
        """uint8 [F, rows, cols], fresh: the planes as `seat` sees them."""

    def clone(self) -> Game:
        """Returns a game that goes on from here on its own."""

    def get_state(self) -> Any:
        """Returns a copy of the state, for `set_state` of a game of the same setup."""

    def set_state(self, state: Any) -> None:
        """Goes on from a state that `get_state` has returned."""

    def hash(self) -> int:
        """64-bit value of the position; the order of this turn's placements does not enter it."""

    def to_position(self) -> Position:
        """Returns the position as a JSON object."""

    def describe_action(self, action: int) -> str:
        """Short readable name, for example `c4`, `-c4` (retract) or `end`."""

    def describe_played(self, action: int) -> str:
        """The same for the action that has just been played, with what it has captured where that is known by then."""


@runtime_checkable
class ReportsCaptures(Protocol):
    """What a game with captures and eliminations can also tell; for statistics, not needed to play."""

    def captures_by_rule(self) -> dict[str, int]:
        """Pieces, not bases, that ending the turn now would take; each counts under every rule that takes it."""

    def eliminated(self) -> tuple[bool, ...]:
        """Whether each seat is eliminated, as of the start of this turn; after the end, at the end."""


def outcome_of(game: Game) -> Outcome:
    """Returns how a finished game ended; raises `GameOverError` while it runs."""
    outcome = game.outcome
    if outcome is None:
        raise GameOverError("the game still runs and has no outcome")
    return outcome


class Setup(Protocol):
    """Everything about a game that is fixed before its first move; picklable, comparable, hashable."""

    @property
    def game_name(self) -> str:
        """The name under which `make_setup` finds the game."""

    @property
    def num_seats(self) -> int:
        """P, 2..8."""

    @property
    def num_actions(self) -> int:
        """A."""

    @property
    def plane_names(self) -> tuple[str, ...]:
        """Names of the F planes, in order."""

    @property
    def board_shape(self) -> tuple[int, ...]:
        """Shape of one plane: (rows, cols) for grids."""

    @property
    def neighbours(self) -> tuple[tuple[int, ...], ...] | None:
        """The cells that each cell touches, for boards that are no grid; None for grids."""

    @property
    def text_layout(self) -> str | None:
        """A drawing in which the names of fields stand where they are, for boards that are no grid; None for grids."""

    @property
    def placements(self) -> range:
        """Actions that place a stone, one per cell in reading order."""

    @property
    def retractions(self) -> range:
        """Actions that retract a stone; empty where a game has none."""

    @property
    def end_turn(self) -> int | None:
        """The action that ends a turn; None where a turn ends by itself."""

    @property
    def turn_limit(self) -> int | None:
        """Turns after which a game is cut off; None where nothing cuts it off."""

    @property
    def has_random_start(self) -> bool:
        """Whether `new_game` draws something; without, all its games of one starting player are equal."""

    def rules(self) -> dict[str, Any]:
        """The arguments that make this setup again, as JSON."""

    def returns_of(self, outcome: Outcome) -> NDArray[np.float64]:
        """What each seat is paid for an outcome: float64 [P], zero-sum."""

    def new_game(self, rng: np.random.Generator, starting_player: int = 0) -> Game:
        """A game before its first action; `rng` is used only where the setup itself is random."""

    def game_from_position(self, position: Position) -> Game:
        """The game of a position; raises `PositionError`."""

    def new_batch(self, num_games: int) -> GameBatch:
        """Room for B games in lockstep."""


class SetupFactory(Protocol):
    """Makes a setup from the keyword arguments of an environment, validated."""

    def __call__(self, **arguments: Any) -> Setup:
        """Raises `ArgumentError` for an argument that is not allowed."""


# Game name -> "module:attribute" of its setup factory. A string, so that naming a game loads no kernels.
_FACTORIES: dict[str, str] = {}


def register_game(name: str, factory: str) -> None:
    """Makes `make_setup(name)` find `factory`, a `module:attribute` string."""
    _FACTORIES[name] = factory


def game_names() -> tuple[str, ...]:
    """Returns the registered game names, sorted."""
    return tuple(sorted(_FACTORIES))


def make_setup(name: str, arguments: Mapping[str, Any] | None = None) -> Setup:
    """Returns the validated setup of the game called `name` for its environment arguments."""
    if name not in _FACTORIES:
        raise ValueError(f"game={name!r} is unknown; allowed: {', '.join(game_names())}")
    module_name, attribute = _FACTORIES[name].split(":")
    factory = cast(SetupFactory, getattr(importlib.import_module(module_name), attribute))
    return factory(**dict(arguments or {}))
