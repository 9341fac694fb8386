"""Aronda as a `Game`: a value object around one state, and what is fixed before its first stone."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import whole_number
from ..core.array_game import ArrayGame
from ..core.batch import ALL_LEGAL
from ..core.game import ArgumentError, IllegalActionError, Outcome, Position, PositionError
from ..core.warmup import ensure_compiled
from . import kernels
from .batch import ArondaBatch
from .board import LAYOUT, NAMES, NEIGHBOUR_NUMBERS, NUM_FIELDS
from .config import STARTERS, Config, make_config
from .observation import PLANE_NAMES
from .position import position_of, rules_of, state_of
from .scoring import outcome_of, returns_of
from .state import END_REASON, NUM_SEATS, RUNNING, STARTER, STONES_LEFT, TO_MOVE, ArondaState, new_state
from .warmup import compile_step

GAME_NAME = "aronda"


@dataclass(frozen=True)
class ArondaSetup:
    """The config of a game and what follows from it."""

    config: Config
    game_name = GAME_NAME
    num_seats = NUM_SEATS
    num_actions = NUM_FIELDS  # a stone in each field, in the order of board.py
    plane_names = PLANE_NAMES
    board_shape = (NUM_FIELDS,)
    neighbours = NEIGHBOUR_NUMBERS
    text_layout = LAYOUT
    placements = range(NUM_FIELDS)
    retractions = range(0)
    end_turn = None  # a turn ends with its last stone
    turn_limit = None

    @property
    def has_random_start(self) -> bool:
        """Whether `new_game` draws who begins."""
        return self.config.starting_player == "random"

    def rules(self) -> dict[str, Any]:
        """The arguments that make this setup again, as JSON values."""
        return asdict(self.config)

    def new_game(self, rng: np.random.Generator, starting_player: int = 0) -> ArondaGame:
        """A game before its first stone; `rng` draws who begins where that is random.

        `starting_player` counts from the seat that the setup names.
        """
        first = whole_number("starting_player", starting_player, 0, NUM_SEATS - 1)
        named = int(rng.integers(NUM_SEATS)) if self.has_random_start else STARTERS.index(self.config.starting_player)
        state = new_state(1, self.config.blockade, self.config.stop_at_majority)
        state.counters[0, [TO_MOVE, STARTER]] = (first + named) % NUM_SEATS
        kernels.derive(state.arrays())
        return ArondaGame(self, state)

    def game_from_position(self, position: Position) -> ArondaGame:
        """The game of a position; rules that it brings along must be those of this setup."""
        state = state_of(position, self.config)
        if state.counters[0, END_REASON] == RUNNING:
            kernels.derive(state.arrays())
        return ArondaGame(self, state)

    def game_from_state(self, state: ArondaState) -> ArondaGame:
        """The game whose state (B = 1) this is; the state is taken over, not copied."""
        return ArondaGame(self, state)

    def returns_of(self, outcome: Outcome) -> NDArray[np.float64]:
        """What each seat is paid for an outcome: float64 [2], zero-sum."""
        return returns_of(self.config.reward, outcome)

    def new_batch(self, num_games: int) -> ArondaBatch:
        """Room for B games in lockstep."""
        return ArondaBatch(self, num_games)


def make_setup(**arguments: Any) -> ArondaSetup:
    """Returns the setup for the arguments of the environment; raises `ArgumentError`."""
    config = make_config(**arguments)
    ensure_compiled(GAME_NAME, compile_step)
    return ArondaSetup(config)


class ArondaGame(ArrayGame[ArondaSetup, ArondaState]):
    """One game of Aronda; a clone copies three small arrays."""

    __slots__ = ()

    @classmethod
    def from_position(cls, position: Position) -> ArondaGame:
        """The game of a position that brings its own rules (those left out have their defaults)."""
        try:
            return make_setup(**rules_of(position)).game_from_position(position)
        except ArgumentError as error:
            raise PositionError(f"position: rules: {error}") from None

    @property
    def stones_left(self) -> int:
        """Stones that may still be placed in this turn (A2.1)."""
        return self._state.counters.item(STONES_LEFT)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it runs."""
        return outcome_of(self._state, 0)

    def legal_mask(self) -> NDArray[np.int8]:
        """int8 [25], fresh: 1 exactly where `apply` accepts."""
        mask = np.empty(NUM_FIELDS, np.int8)
        kernels.fill_mask(self._state.arrays(), mask)
        return mask

    def apply(self, action: int) -> None:
        """Plays one stone; raises `IllegalActionError` and changes nothing if it is illegal or no action at all."""
        number = self._action_number(action)
        if kernels.place(self._state.arrays(), number) != ALL_LEGAL:
            raise IllegalActionError(self._complaint(action))

    def observe(self, seat: int) -> NDArray[np.uint8]:
        """uint8 [F, 25], fresh: the planes as `seat` (0 or 1) sees them."""
        planes = np.empty(len(PLANE_NAMES) * NUM_FIELDS, np.uint8)
        kernels.fill_observation(self._state.arrays(), self._seat_number(seat), planes)
        return planes.reshape(len(PLANE_NAMES), NUM_FIELDS)

    def hash(self) -> int:
        """64-bit value of rules and position; in which order stones of this turn were placed does not enter it."""
        digest = hashlib.blake2b(digest_size=8)
        digest.update(self._state.masks.tobytes())
        digest.update(self._state.counters.tobytes())
        return int.from_bytes(digest.digest(), "big")

    def to_position(self) -> Position:
        """Returns the position as JSON values, rules included."""
        return position_of(self._state)

    def describe_action(self, action: int) -> str:
        """Returns the name of a field, for example `m2`."""
        return NAMES[whole_number("action", action, 0, NUM_FIELDS - 1)]

    def describe_played(self, action: int) -> str:
        """Returns what the game's log writes of the latest stone, for example `m2x+i3+i2`: captures wave by wave."""
        waves = self._state.waves[0]
        taken = sorted((int(waves[field]), field) for field in waves.nonzero()[0].tolist())
        signs = "".join("x" if wave == 1 else f"+{NAMES[field]}" for wave, field in taken)
        return self.describe_action(action) + signs
