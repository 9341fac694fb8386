"""Any game as a Gymnasium environment: one learner seat, the other seats played for it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ..core.arguments import not_allowed, whole_number
from ..core.game import (
    ArgumentError,
    Game,
    GameOverError,
    IllegalActionError,
    OpponentError,
    Setup,
    make_setup,
    outcome_of,
)
from ..core.rollout import MAX_REDRAWS, random_action
from ..rendering.text import draw_board
from .spaces import action_space, observation_space
from .start import GIVEN_STARTS, checked_seed, start_game

Opponent = Callable[[Game, int, np.random.Generator], int]  # (game, seat, rng) -> action; plays on clones only
Observation = dict[str, NDArray[Any]]  # "observation" uint8 [F, rows, cols], "action_mask" int8 [A]
ILLEGAL_ACTION_POLICIES = ("raise", "ignore")
ALLOWED_OPPONENTS = "'random', the name of an agent, a callable, or a list of these for the other seats"
OPPONENT_GROUP = "bitblossom_env.opponents"  # entry points that make an agent from its name


def play_randomly(game: Game, _seat: int, rng: np.random.Generator) -> int:
    """Plays as `random_action` says."""
    return random_action(game, rng)


def find_opponent(opponent: str | Opponent) -> Opponent:
    """Returns a callable for "random", for a callable itself, or for an agent named in the entry-point group."""
    if callable(opponent):
        return opponent
    if not isinstance(opponent, str):
        raise not_allowed("opponents", opponent, ALLOWED_OPPONENTS)
    if opponent == "random":
        return play_randomly
    for entry_point in entry_points(group=OPPONENT_GROUP):
        try:
            return entry_point.load()(opponent).act  # type: ignore[no-any-return]
        except ValueError as error:
            raise ArgumentError(f"opponents: {error}") from None
    raise not_allowed("opponents", opponent, ALLOWED_OPPONENTS)


def find_opponents(opponents: Any, num_others: int) -> list[Opponent]:
    """Returns a callable for each other seat, from one for all or a list."""
    if isinstance(opponents, (list, tuple)):
        if len(opponents) != num_others:
            raise not_allowed("opponents", opponents, f"one for all, or a list of {num_others}")
        return [find_opponent(opponent) for opponent in opponents]
    return [find_opponent(opponents)] * num_others


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
        if illegal_action not in ILLEGAL_ACTION_POLICIES:
            raise not_allowed("illegal_action", illegal_action, ", ".join(map(repr, ILLEGAL_ACTION_POLICIES)))
        if render_mode not in (None, "ansi"):
            raise not_allowed("render_mode", render_mode, "None, 'ansi'")
        self.render_mode = render_mode
        self.observation_space = observation_space(setup)  # type: ignore[assignment]  # typed by its values
        self.action_space = action_space(setup)  # type: ignore[assignment]  # actions are plain ints here
        self._setup = setup
        self._seat = whole_number("seat", seat, 0, setup.num_seats - 1)
        others = find_opponents(opponents, setup.num_seats - 1)
        self._opponents = {(self._seat + 1 + i) % setup.num_seats: other for i, other in enumerate(others)}
        self._ignores_illegal = illegal_action == "ignore"
        self._num_ignored = 0
        self._has_ended = True
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
        rng = copy.deepcopy(self.np_random) if seed is None else np.random.default_rng(checked_seed(seed))
        game = self._start(rng, options)
        self.np_random = rng  # only now: a refused reset changes nothing
        self._game, self._num_ignored, self._has_ended = game, 0, False
        return self._observation(), self._info()

    def _start(self, rng: np.random.Generator, options: Mapping[str, Any] | None) -> Game:
        """Returns a game in which the learner is to move."""
        for _ in range(MAX_REDRAWS):
            game = self._played_by_others(start_game(self._setup, rng, options), rng)
            if not game.is_over:
                return game
            for name in GIVEN_STARTS:
                if name in (options or {}):  # it would end in the same way again
                    raise ArgumentError(
                        f"options[{name!r}] is not allowed for seat={self._seat}: the opponents end that game before"
                        " its first action; allowed: another position or seat"
                    )
        raise ArgumentError(
            f"seat={self._seat} is not allowed: the opponents end every game before its first action; allowed: another"
            " seat, a later turn limit"
        )

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays the learner's action and then the others up to its next one.

        Raises:
            IllegalActionError: the learner's action is illegal; nothing has changed.
            OpponentError: an opponent's action is illegal; nothing has changed.
        """
        if self._has_ended:
            raise GameOverError("no game is running: call reset() first")
        game = self.game.clone()
        try:
            game.apply(action)
        except IllegalActionError:
            if not self._ignores_illegal:
                raise
            return self._ignore()
        self._game, self._num_ignored = self._played_by_others(game, self.np_random), 0
        self._has_ended = self._game.is_over
        truncated = self._has_ended and outcome_of(self._game).truncated
        reward = float(self._game.returns()[self._seat])
        return self._observation(), reward, self._has_ended and not truncated, truncated, self._info()

    def _ignore(self) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Returns what an ignored illegal action leads to: nothing, or the end after as many as there are actions."""
        self._num_ignored += 1
        self._has_ended = self._num_ignored >= self.game.num_actions
        return self._observation(), 0.0, False, self._has_ended, self._info() | {"illegal_action": True}

    def render(self) -> str | None:
        """Returns the board as text for `render_mode="ansi"`."""
        return None if self.render_mode is None else draw_board(self.game)

    def _played_by_others(self, game: Game, rng: np.random.Generator) -> Game:
        """Plays the opponents in `game` until the learner is to move or the game is over; returns the same game."""
        while not game.is_over and game.to_move != self._seat:
            seat = game.to_move
            action = self._opponents[seat](game.clone(), seat, rng)
            try:
                game.apply(action)
            except IllegalActionError as error:
                raise OpponentError(f"the opponent in seat {seat} chose badly: {error}") from None
        return game

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
