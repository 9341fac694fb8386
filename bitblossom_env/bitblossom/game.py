"""Bit Blossom as a `Game`: a value object around one state, and what is fixed before its first move."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import shown, whole_number
from ..core.array_game import ArrayGame
from ..core.batch import ALL_LEGAL
from ..core.game import IllegalActionError, Outcome, Position, PositionError
from ..core.warmup import ensure_compiled
from . import kernels
from .actions import action_name
from .bases import draw_bases
from .batch import BitBlossomBatch
from .config import Config, config_arguments, make_config, rule_of
from .doomed import count_captures, is_turn_sound
from .observation import extra_plane_numbers, plane_names
from .position import config_for, position_of, state_of, state_of_bases
from .reading import areas_of, derive, observe, outcome_of
from .scoring import returns_of
from .state import (
    BONUS,
    ELIMINATED,
    REMAINING,
    State,
    hash_of,
)
from .warmup import compile_step

GAME_NAME = "bitblossom"


@dataclass(frozen=True)
class BitBlossomSetup:
    """The config of a game and what follows from it."""

    config: Config
    game_name = GAME_NAME
    neighbours = None
    text_layout = None

    @cached_property
    def num_seats(self) -> int:
        """P."""
        return self.config.num_players

    @cached_property
    def num_actions(self) -> int:
        """A = 2N + 1: place on each cell, retract from each cell, end the turn."""
        return 2 * self.config.num_cells + 1

    @cached_property
    def plane_names(self) -> tuple[str, ...]:
        """Names of the F planes, in order."""
        return plane_names(self.config)

    @cached_property
    def extra_planes(self) -> NDArray[np.int64]:
        """Numbers of the optional planes, as kernels take them."""
        return extra_plane_numbers(self.config)

    @cached_property
    def board_shape(self) -> tuple[int, ...]:
        """(rows, cols)."""
        return self.config.rows, self.config.cols

    @cached_property
    def num_cells(self) -> int:
        """N."""
        return self.config.num_cells

    @property
    def placements(self) -> range:
        """Actions 0..N-1, cells in reading order."""
        return range(self.config.num_cells)

    @property
    def retractions(self) -> range:
        """Actions N..2N-1, cells in reading order."""
        return range(self.config.num_cells, 2 * self.config.num_cells)

    @cached_property
    def end_turn(self) -> int:
        """Action 2N."""
        return 2 * self.config.num_cells

    @property
    def turn_limit(self) -> int | None:
        """`max_turns` as a number, None for no limit (R4.3)."""
        return self.config.turn_limit

    def rules(self) -> dict[str, Any]:
        """The arguments that make this setup again, as JSON values."""
        return config_arguments(self.config)

    def new_game(self, rng: np.random.Generator, starting_player: int = 0) -> BitBlossomGame:
        """A game before its first action; `rng` draws the home bases where they are random."""
        config = self.config
        first = whole_number("starting_player", starting_player, 0, config.num_players - 1)
        bases = config.home_bases or draw_bases(config.num_players, config.rows, config.cols, rng)
        return BitBlossomGame(self, derive(state_of_bases(bases, config, first), config))

    def game_from_position(self, position: Position) -> BitBlossomGame:
        """The game of a position; rules that it brings along must be those of this setup."""
        state = state_of(position, self.config)
        brought = config_for(position)
        for name in position.get("rules", {}):
            if rule_of(brought, name) != rule_of(self.config, name):
                raise PositionError(
                    f"position: rules: {name}={shown(position['rules'][name])} is not allowed here;"
                    f" allowed: {getattr(self.config, name)!r}"
                )
        if not is_turn_sound(derive(state, self.config).masks[0], state.counters[0]):
            raise PositionError("position: broken invariants: turn-unsound")
        return BitBlossomGame(self, state)

    def returns_of(self, outcome: Outcome) -> NDArray[np.float64]:
        """What each seat is paid for an outcome: float64 [P], zero-sum."""
        return returns_of(self.config.reward, outcome)

    @property
    def has_random_start(self) -> bool:
        """Whether `new_game` draws the home bases."""
        return self.config.home_bases is None

    def game_from_state(self, state: State) -> BitBlossomGame:
        """The game whose state (B = 1) this is; the state is taken over, not copied."""
        return BitBlossomGame(self, state)

    def new_batch(self, num_games: int) -> BitBlossomBatch:
        """Room for B games in lockstep."""
        return BitBlossomBatch(self, num_games)


def make_setup(**arguments: Any) -> BitBlossomSetup:
    """Returns the setup for the arguments of the environment; raises `ArgumentError`."""
    config = make_config(**arguments)
    ensure_compiled(GAME_NAME, compile_step)
    return BitBlossomSetup(config)


class BitBlossomGame(ArrayGame[BitBlossomSetup, State]):
    """One game of Bit Blossom; a clone copies three small arrays."""

    __slots__ = ()

    @classmethod
    def from_position(cls, position: Position) -> BitBlossomGame:
        """The game of a position that brings its own rules (fields left out have their defaults)."""
        return BitBlossomSetup(config_for(position)).game_from_position(position)

    @property
    def remaining(self) -> int:
        """Placements left in this turn (R2.1)."""
        return self._state.counters.item(REMAINING)

    @property
    def bonus(self) -> int:
        """Placements refunded by pending cuts, the cap applied (R2.1)."""
        return self._state.counters.item(BONUS)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it runs."""
        state = self._state
        return outcome_of((state.masks, state.stamps, state.counters), 0, self._setup)

    def areas(self) -> tuple[int, ...]:
        """Cells per seat on the provisional board (R4.4)."""
        return areas_of(self._state, self._setup.config)

    def eliminated(self) -> tuple[bool, ...]:
        """Per seat, whether it is eliminated; the status at the start of this turn (R4.2)."""
        flags = self._state.counters[0, ELIMINATED : ELIMINATED + self.num_seats]
        return tuple(bool(flag) for flag in flags)

    def captures_by_rule(self) -> dict[str, int]:
        """Pieces that each rule would capture if the turn ended now; a piece counts under every rule that takes it."""
        return count_captures(self._state)

    def legal_mask(self) -> NDArray[np.int8]:
        """int8 [A], fresh: 1 exactly where `apply` accepts."""
        mask = np.empty(self._setup.num_actions, np.int8)
        kernels.fill_mask(self._state.masks, self._state.counters, mask)
        return mask

    def apply(self, action: int) -> None:
        """Plays one action; raises `IllegalActionError` and changes nothing if it is illegal or no action at all."""
        number = action if type(action) is int and not self.is_over else self._action_number(action)
        if not 0 <= number < self._setup.num_actions:
            raise IllegalActionError(self._complaint(action))
        state = self._state
        scratch = kernels.scratch_for(self._setup.num_cells)
        scratch.actions[0] = number
        arrays = (state.masks, state.stamps, state.counters)
        if kernels.advance(arrays, scratch.actions, 0, 1, scratch.work, scratch.views) != ALL_LEGAL:
            raise IllegalActionError(self._complaint(action))

    def observe(self, seat: int) -> NDArray[np.uint8]:
        """uint8 [F, rows, cols], fresh: the planes as `seat` (0..P-1) sees them."""
        return observe(self._state, self._setup, self._seat_number(seat))

    def hash(self) -> int:
        """64-bit value of rules and position; the order of this turn's placements does not enter it."""
        return hash_of(self._state)

    def to_position(self) -> Position:
        """Returns the position as JSON values, rules included."""
        return position_of(self._state, self._setup.config)

    def describe_action(self, action: int) -> str:
        """Returns `c4` for a placement, `-c4` for a retraction, `end` for the end of the turn."""
        return action_name(self._setup.config, action)
