"""Any game as a Gymnasium environment: one learner seat, the other seats played for it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ..core.game import ArgumentError, Game, GameOverError, IllegalActionError, Setup, make_setup, outcome_of
from ..core.rollout import random_placement
from ..rendering.text import draw_board
from .spaces import action_space, observation_space
from .start import start_game

Opponent = Callable[[Game, int, np.random.Generator], int]  # (game, seat, rng) -> action; plays on clones only
Observation = dict[str, NDArray[Any]]  # "observation" uint8 [F, rows, cols], "action_mask" int8 [A]
ILLEGAL_ACTION_POLICIES = ("raise", "ignore")
OPPONENT_GROUP = "bitblossom_env.opponents"  # entry points that make an agent from its name


def play_randomly(game: Game, _seat: int, rng: np.random.Generator) -> int:
    """Returns a uniformly random legal placement; ends the turn when there is none."""
    placement = random_placement(game, rng)
    if placement is not None:
        return placement
    if game.setup.end_turn is None:
        raise IllegalActionError("the seat to move has no legal action")
    return game.setup.end_turn


def find_opponent(opponent: str | Opponent) -> Opponent:
    """Returns a callable for "random", for a callable itself, or for an agent named in the entry-point group."""
    if callable(opponent):
        return opponent
    if opponent == "random":
        return play_randomly
    for entry_point in entry_points(group=OPPONENT_GROUP):
        make = entry_point.load()
        return make(opponent).act  # type: ignore[no-any-return]
    raise ArgumentError(f"opponents={opponent!r} is not allowed; allowed: 'random' or a callable")


class SingleAgentEnv(gymnasium.Env[Observation, int]):
    """One learner among opponents; the learner is skipped while it is eliminated and paid at the end.

    Args:
        setup: the game.
        seat: the learner's seat.
        opponents: "random", a callable (game, seat, rng) -> action, the name of an agent, or one of these for each
            other seat in turn order after the learner.
        illegal_action: "raise" (`IllegalActionError`, nothing changed) or "ignore" (nothing changed, reward 0,
            `info["illegal_action"]`; as many in a row as there are actions truncate).
        render_mode: None or "ansi".
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 2}  # noqa: RUF012  # the form that Gymnasium asks for

    def __init__(
        self,
        setup: Setup,
        seat: int = 0,
        opponents: str | Opponent | Sequence[str | Opponent] = "random",
        illegal_action: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < setup.num_seats:
            raise ArgumentError(f"seat={seat!r} is not allowed; allowed: 0..{setup.num_seats - 1}")
        if illegal_action not in ILLEGAL_ACTION_POLICIES:
            raise ArgumentError(f"illegal_action={illegal_action!r} is not allowed; allowed: {ILLEGAL_ACTION_POLICIES}")
        if render_mode not in (None, "ansi"):
            raise ArgumentError(f"render_mode={render_mode!r} is not allowed; allowed: None, 'ansi'")
        others = [opponents] * (setup.num_seats - 1) if isinstance(opponents, str) or callable(opponents) else opponents
        if len(others) != setup.num_seats - 1:
            raise ArgumentError(f"opponents={opponents!r} is not allowed; allowed: one, or {setup.num_seats - 1}")
        self.render_mode = render_mode
        self.observation_space = observation_space(setup)  # type: ignore[assignment]  # typed by its values
        self.action_space = action_space(setup)  # type: ignore[assignment]  # actions are plain ints here
        self._setup = setup
        self._seat = int(seat)
        self._opponents = {
            (self._seat + 1 + i) % setup.num_seats: find_opponent(other) for i, other in enumerate(others)
        }
        self._ignores_illegal = illegal_action == "ignore"
        self._num_ignored = 0
        self._game: Game | None = None

    @property
    def game(self) -> Game:
        """The running or finished game; the environment's own, so play on a `clone()`."""
        if self._game is None:
            raise GameOverError("there is no game: call reset() first")
        return self._game

    @property
    def plane_names(self) -> tuple[str, ...]:
        """Names of the F planes, in order."""
        return self._setup.plane_names

    def action_masks(self) -> NDArray[np.bool_]:
        """Bool [A]: the legal actions of the learner, in the form of sb3-contrib."""
        return self.game.legal_mask().astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a game and plays the others up to the learner's first action; `options` as in `start_game`.

        A game that the others end before is begun again.
        """
        super().reset(seed=seed)
        self._num_ignored = 0
        self._game = start_game(self._setup, self.np_random, options)
        self._play_others()
        while self._game.is_over:
            self._game = start_game(self._setup, self.np_random, options)
            self._play_others()
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays the learner's action and then the others up to its next one."""
        game = self.game
        if game.is_over:
            raise GameOverError("the game is over: call reset() first")
        try:
            game.apply(action)
        except IllegalActionError:
            if not self._ignores_illegal:
                raise
            self._num_ignored += 1
            too_many = self._num_ignored >= game.num_actions
            return self._observation(), 0.0, False, too_many, self._info() | {"illegal_action": True}
        self._num_ignored = 0
        self._play_others()
        outcome = game.outcome
        truncated = outcome is not None and outcome.truncated
        reward = float(game.returns()[self._seat])
        return self._observation(), reward, game.is_over and not truncated, truncated, self._info()

    def render(self) -> str | None:
        """Returns the board as text for `render_mode="ansi"`."""
        return None if self.render_mode is None else draw_board(self.game)

    def _play_others(self) -> None:
        """Plays the opponents until the learner is to move or the game is over."""
        game = self.game
        while not game.is_over and game.to_move != self._seat:
            action = self._opponents[game.to_move](game.clone(), game.to_move, self.np_random)
            game.apply(operator.index(action))

    def _observation(self) -> Observation:
        """Returns fresh arrays: what the learner sees, and its legal actions."""
        return {"observation": self.game.observe(self._seat), "action_mask": self.game.legal_mask()}

    def _info(self) -> dict[str, Any]:
        """Returns the mask again, the turn, and the outcome at the end."""
        info: dict[str, Any] = {"action_mask": self.game.legal_mask(), "turn": self.game.turn}
        return info | {"outcome": outcome_of(self.game).as_dict()} if self.game.is_over else info


def make_single_agent(game: str, **arguments: Any) -> SingleAgentEnv:
    """Returns the environment for `gymnasium.make`: arguments of this class, and those of the game."""
    names = ("seat", "opponents", "illegal_action", "render_mode")
    own = {name: arguments.pop(name) for name in names if name in arguments}
    return SingleAgentEnv(make_setup(game, arguments), **own)
