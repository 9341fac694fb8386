"""Any game as a PettingZoo AEC environment."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from ..core.game import ArgumentError, Game, GameOverError, Setup, outcome_of
from ..core.record import Record, record_of
from ..rendering.text import draw_board
from .spaces import action_space, observation_space, planes_space
from .start import checked_seed, start_game

Observation = dict[str, NDArray[Any]]  # "observation" uint8 [F, rows, cols], "action_mask" int8 [A]
RENDER_MODES = ("ansi",)


def agent_name(seat: int) -> str:
    """Returns the PettingZoo name of a seat."""
    return f"player_{seat}"


class GameAECEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo ships no types
    """One game, one action a step; all seats stay in `agents` until the game ends.

    The end: all seats terminate (or truncate, on the turn limit) in the same step, then every seat is selected once,
    in seat order, to take `step(None)`. After that, and before the first `reset`, `step` warns and changes nothing and
    `last` and `observe` raise `GameOverError`; `game`, `state`, `render` and `record` still tell of a finished game.
    An illegal action raises `IllegalActionError` and changes nothing.
    """

    def __init__(self, setup: Setup, name: str, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ArgumentError(f"render_mode={render_mode!r} is not allowed; allowed: None, {RENDER_MODES}")
        self.metadata = {"name": name, "render_modes": list(RENDER_MODES), "is_parallelizable": False, "render_fps": 2}
        self.render_mode = render_mode
        self.possible_agents = [agent_name(seat) for seat in range(setup.num_seats)]
        self.agents: list[str] = []
        self.state_space = planes_space(setup)
        self._setup = setup
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_space = observation_space(setup)
        self._action_space = action_space(setup)
        self._no_action = np.zeros(setup.num_actions, np.int8)
        self._mask = self._no_action  # of the selected seat
        self._rng = np.random.default_rng()
        self._game: Game | None = None
        self.rewards: dict[str, float] = {}
        self._cumulative_rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self.infos: dict[str, dict[str, Any]] = {}
        self._protect()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._protect()  # copies of arrays forget that they were read-only

    def _protect(self) -> None:
        """Makes what was handed out unwritable: the masks and, at the end, the owner map."""
        self._no_action.flags.writeable = False
        self._mask.flags.writeable = False
        for info in self.infos.values():
            info["action_mask"].flags.writeable = False
            if "outcome" in info:
                info["outcome"]["owner"].flags.writeable = False

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

    def observation_space(self, agent: str) -> spaces.Space[Any]:  # noqa: ARG002  # the same for every seat
        """One cached space."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:  # noqa: ARG002  # the same for every seat
        """One cached space."""
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game; `options` as in `start_game`. Without a seed the environment's own generator goes on."""
        rng = copy.deepcopy(self._rng) if seed is None else np.random.default_rng(checked_seed(seed))
        self._game = start_game(self._setup, rng, options)
        self._rng = rng  # only now: a refused reset changes nothing
        self._start = self._game.clone()
        self._actions: list[int] = []
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._show_mover()

    def step(self, action: int | None) -> None:
        """Plays one action of the selected seat; `None` for a seat whose game has ended."""
        if self._game is None or not self.agents:
            warnings.warn("step() without a running game changes nothing; call reset() first", stacklevel=2)
            return
        if self._game.is_over:
            self._leave(action)
            return
        self._game.apply(action)  # type: ignore[arg-type]  # anything that is no action is refused there
        self._actions.append(int(action))  # type: ignore[arg-type]
        self._cumulative_rewards[self.agent_selection] = 0.0
        if self._game.is_over:
            self._finish()
        else:
            self._show_mover()

    def observe(self, agent: str) -> Observation:
        """Returns what `agent` sees now, a fresh array, and its legal actions, the read-only mask of its info."""
        game = self._running()
        mask = self._mask if agent == self.agent_selection else self._no_action
        return {"observation": game.observe(self._seat(agent)), "action_mask": mask}

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Returns observation, reward since its last action, terminated, truncated and info of the selected seat."""
        self._running()
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def state(self) -> NDArray[np.uint8]:
        """Returns the planes as seat 0 sees them, fresh."""
        return self.game.observe(0)

    def record(self) -> Record:
        """Returns the record of the game so far, one JSON object."""
        return record_of(self.game, self._start, self._actions)

    def render(self) -> str | None:
        """Returns the board as text for `render_mode="ansi"`."""
        if self.render_mode is None:
            warnings.warn("render() without a render_mode shows nothing; give render_mode='ansi'", stacklevel=2)
            return None
        game = self.game
        status = "over" if game.is_over else f"{agent_name(game.to_move)} to move"
        return f"turn {game.turn}, {status}\n{draw_board(game)}"

    def close(self) -> None:
        """Releases nothing; may be called any number of times."""

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}={value!r}" for name, value in self._setup.rules().items())
        return f"{self.metadata['name']}({arguments})"

    def _running(self) -> Game:
        """Returns the game that some seat still takes part in."""
        if not self.agents:
            raise GameOverError("no seat takes part in a game: call reset() first")
        return self.game

    def _seat(self, agent: str) -> int:
        """Returns the seat of an agent name."""
        if agent not in self._seats:
            raise ValueError(f"agent={agent!r} is not allowed; allowed: {', '.join(self.possible_agents)}")
        return self._seats[agent]

    def _show_mover(self) -> None:
        """Selects the seat to move and renews the infos."""
        game = self.game
        self._mask = game.legal_mask()
        self._mask.flags.writeable = False
        self.agent_selection = self.possible_agents[game.to_move]
        turn = game.turn
        self.infos = {agent: {"action_mask": self._no_action, "turn": turn} for agent in self.agents}
        self.infos[self.agent_selection]["action_mask"] = self._mask

    def _finish(self) -> None:
        """Flags the end for all seats in one step and pays them."""
        game = self.game
        self._mask = self._no_action
        outcome = outcome_of(game)
        ended = self.truncations if outcome.truncated else self.terminations
        for seat, reward in enumerate(game.returns()):
            agent = self.possible_agents[seat]
            ended[agent] = True
            self.rewards[agent] = float(reward)
            self._cumulative_rewards[agent] += float(reward)
            self.infos[agent] = {"action_mask": self._no_action, "turn": game.turn, "outcome": outcome.as_dict()}
        self.agent_selection = self.agents[0]

    def _leave(self, action: int | None) -> None:
        """Takes the selected seat out after the end."""
        if action is not None:
            warnings.warn("step() after the end changes nothing; allowed: step(None) or reset()", stacklevel=3)
            return
        agent = self.agent_selection
        self.agents.remove(agent)
        for facts in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            facts.pop(agent)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]
