"""`BatchEnv`: one action in each of many games, and what their seats to move see next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from ...core.arguments import not_allowed, whole_number
from ...core.game import Game, GameOverError, Outcome, make_setup
from ..spaces import action_space, planes_space
from ..start import checked_seed
from .arguments import (
    checked_actions,
    checked_autoreset,
    checked_game,
    checked_indices,
    checked_num_threads,
    checked_random_turns,
    checked_reset_mask,
    checked_switch,
)
from .rows import GameRows
from .shards import Shards
from .starts import RESET_MASK, Starts, checked_options

Observations = NDArray[np.uint8] | None  # [B, F, ...], None with `observe=False`
Infos = dict[str, Any]
Flags = NDArray[np.bool_]  # [B]
Ending = tuple[int, dict[str, Any], Observations]  # row, outcome, what the seat that moved last sees
Step = tuple[Observations, NDArray[np.float32], Flags, Flags, Infos]


class BatchEnv:
    """B games in lockstep; every step plays one action in each of them, for whichever seat is to move there.

        with BatchEnv(64, board_size=7, num_players=2, seed=1) as env:
            observations, infos = env.reset()
            for _ in range(1000):
                actions = choose(observations, infos["action_masks"])  # int [64]
                observations, rewards, terminated, truncated, infos = env.step(actions)

    | returned | form | what |
    | --- | --- | --- |
    | `observations` | uint8 [B, F, ...] | the planes as the seat to move sees them; None with `observe=False` |
    | `rewards` | float32 [B, P] | what each seat is paid: 0 but where a game ended in this step |
    | `terminated`, `truncated` | bool [B] | a game ended in this step by the rules, by the turn limit; never both |
    | `infos["action_masks"]` | int8 [B, A] | 1 exactly where `step` accepts; all 0 where a finished game stands |
    | `infos["to_move"]` | int8 [B] | the seat to move; the one that moved last where a finished game stands |
    | `infos["final_observations"]` | object [B] | uint8 [F, ...]: a finished game as the seat that moved last sees it |
    | `infos["final_outcome"]` | object [B] | a dict: reason, winners, areas, ranks, owner, truncated |

    The last two are there only if a game ended in this step, hold None for all other games, and are never reused
    (`final_observations` is left out with `observe=False`). All else is, with `copy=False`, the environment's own
    arrays: the same objects in every call, valid until the next one; write nothing into them.

    After the end of a game, by `autoreset`:

    * `same_step`: the next game is there at once. Observation, mask and seat to move are already its own; rewards and
      flags tell of the game that ended.
    * `next_step`: the finished game stands. The next step ignores its action, begins a new game and pays 0 for it.
    * `disabled`: the finished game stands. Later steps ignore its action and pay 0, and its flag stays set, until
      `reset(options={"reset_mask": ...})`, `start` or `set_states` puts another game there.

    A finished game put there by `start` or `set_states` stands as well; `same_step` then does as `next_step`.

    The n-th game that begins in row i depends on the seed, i and n only: not on the other games, the autoreset mode
    or the number of threads.

    Args:
        num_envs: B, at least 1.
        game: name of the game.
        seed: what the first reset counts as its seed unless it is given one; at least 0.
        autoreset: "same_step", "next_step", "disabled" or a `gymnasium.vector.AutoresetMode`.
        num_threads: threads that share the games, at most B; None for as many as there are cores and work for them.
        observe: whether observations are made; without, steps are quicker.
        copy: whether everything returned is fresh.
        random_turns: None, or (low, high): each game starts after low..high uniformly random turns, drawn for it.
        **game_arguments: the arguments of the game's environment, as for `bitblossom_v0.env`.

    Raises:
        ArgumentError: an argument is not allowed; names it, its value and what is allowed.
    """

    def __init__(  # noqa: PLR0913, PLR0917  # the constructor of an environment
        self,
        num_envs: int,
        game: str = "bitblossom",
        seed: int = 0,
        autoreset: str | AutoresetMode = "same_step",
        num_threads: int | None = None,
        observe: bool = True,
        copy: bool = False,
        random_turns: tuple[int, int] | None = None,
        **game_arguments: Any,
    ) -> None:
        self.num_envs = whole_number("num_envs", num_envs, 1)
        self.autoreset_mode = checked_autoreset(autoreset)
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        is_observed = checked_switch("observe", observe)
        self._is_copied = checked_switch("copy", copy)
        self._shards = Shards(self.num_envs, checked_num_threads(num_threads, self.num_envs))
        first_seed = checked_seed(seed)
        self.setup = setup = make_setup(checked_game(game), game_arguments)
        self.single_observation_space = planes_space(setup)
        self.single_action_space = action_space(setup)
        starts = Starts(setup, self.num_envs, first_seed, checked_random_turns(random_turns, setup))
        self._rows = GameRows(setup, starts, self._shards, is_observed)
        self._views = self._rows.views
        self._rewards = np.zeros((self.num_envs, setup.num_seats), np.float32)
        self._terminated = np.zeros(self.num_envs, np.bool_)
        self._truncated = np.zeros(self.num_envs, np.bool_)

    @property
    def observations(self) -> Observations:
        """uint8 [B, F, ...], the environment's own: what the seats to move see; None with `observe=False`."""
        return self._views.planes

    @property
    def action_masks(self) -> NDArray[np.int8]:
        """int8 [B, A], the environment's own: the legal actions."""
        return self._views.masks

    @property
    def to_move(self) -> NDArray[np.int8]:
        """int8 [B], the environment's own: the seats to move."""
        return self._views.to_move

    @property
    def plane_names(self) -> tuple[str, ...]:
        """Names of the F planes, in order."""
        return self.setup.plane_names

    @property
    def num_threads(self) -> int:
        """Threads that share the games, the caller's included."""
        return self._shards.num_threads

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Observations, Infos]:
        """Begins a game in every row; a refused reset changes nothing.

        Args:
            seed: the seed of these games and of those that follow them; None goes on with what was drawn so far.
            options: as of the other environments: `record` or `state` for all rows, or `random_turns` (a number, for
                these games instead of the constructor's) and `starting_player`. And `reset_mask`, bool [B]: only these
                rows begin anew, the others go on untouched. Unknown keys warn.
        """
        asked = checked_options(options)
        mask = asked.pop(RESET_MASK, None)
        rows = np.arange(self.num_envs) if mask is None else checked_reset_mask(mask, self.num_envs)
        self._rows.begin(rows, None if seed is None else checked_seed(seed), asked)
        return (self._out(self.observations), self._infos())

    def step(self, actions: Any) -> Step:
        """Plays one action, integers [B], in every row.

        Raises:
            IllegalActionError: an action is illegal, or none at all; no game has moved.
            ArgumentError: there is not one action a row; no game has moved. Or, after all have moved: games end before
                their last random turn again and again, so that none can begin; the finished ones stand.
            GameOverError: there are rows in which no game has begun yet.
        """
        if self._rows.has_vacant:
            raise GameOverError("there are rows without a game: call reset() first")
        was_over = self._views.is_over.copy()
        parts = self._rows.advance(
            checked_actions(actions, self.num_envs), lambda low, high: self._settle(low, high, was_over)
        )
        endings = [ending for part in parts for ending in part]
        out = self._out
        return (
            out(self.observations),
            out(self._rewards),
            out(self._terminated),
            out(self._truncated),
            self._infos() | self._final_infos(endings) if endings else self._infos(),
        )

    def game(self, index: int) -> Game:
        """Returns a copy of the game in row `index`."""
        return self._rows.game(whole_number("index", index, 0, self.num_envs - 1))

    def start(self, index: int, game: Game) -> None:
        """Puts a copy of a game of the same setup into row `index` and renews what is seen of it."""
        row = whole_number("index", index, 0, self.num_envs - 1)
        if getattr(game, "setup", None) != self.setup:
            raise not_allowed("game", game, "a game of this environment's own setup")
        self._rows.start(row, game)
        self._flag_standing([row])

    def get_states(self, indices: Any) -> Any:
        """Returns a copy of the states of some rows (one int or several), for `set_states` of any env of this setup."""
        return self._rows.get_states(checked_indices(indices, self.num_envs))

    def set_states(self, indices: Any, states: Any) -> None:
        """Puts copies of states, one per index or one for all, into rows and renews what is seen of them.

        Raises:
            ArgumentError: an index is not allowed, or there twice; nothing has changed.
            ValueError: the states are not as many as the indices, or of games with other rules; nothing has changed.
        """
        rows = checked_indices(indices, self.num_envs)
        if len(np.unique(rows)) != len(rows):
            raise not_allowed("indices", indices, "each row once")
        self._rows.set_states(rows, states)
        self._flag_standing(rows.tolist())

    def close(self) -> None:
        """Ends the threads; may be called any number of times, and a later step begins new ones."""
        self._shards.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        rules = "".join(f", {name}={value!r}" for name, value in self.setup.rules().items())
        mode = self.autoreset_mode.name.lower()
        return f"BatchEnv({self.num_envs}, {self.setup.game_name!r}, autoreset={mode!r}{rules})"

    def _out(self, array: Any) -> Any:
        """Returns an own array as it is handed out."""
        return array.copy() if self._is_copied and array is not None else array

    def _infos(self) -> Infos:
        """Returns what belongs to every observation."""
        return {"action_masks": self._out(self._views.masks), "to_move": self._out(self._views.to_move)}

    def _settle(self, low: int, high: int, was_over: Flags) -> list[Ending]:
        """Pays and flags the games of low..high-1 that just ended, replaces those whose time has come."""
        self._rewards[low:high] = 0.0
        # Where finished games stand their flags stay; all others tell of this step alone.
        stays: Flags | bool = was_over[low:high] if self.autoreset_mode is AutoresetMode.DISABLED else False
        self._terminated[low:high] &= stays
        self._truncated[low:high] &= stays
        over = self._views.is_over[low:high].nonzero()[0] + low
        if not over.size:
            return []
        endings = [self._pay(row) for row in over.tolist() if not was_over[row]]
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            self._rows.begin(over, None, {})
        elif self.autoreset_mode is AutoresetMode.NEXT_STEP and was_over[over].any():
            self._rows.begin(over[was_over[over]], None, {})
        return endings

    def _pay(self, row: int) -> Ending:
        """Pays and flags the game of a row that just ended; returns what is told of it."""
        planes = self._views.planes
        outcome = self._flag(row)
        self._rewards[row] = self.setup.returns_of(outcome)
        return row, outcome.as_dict(), None if planes is None else planes[row].copy()

    def _final_infos(self, endings: list[Ending]) -> Infos:
        """Returns the infos that tell of games that just ended."""
        outcomes, last_seen = np.empty((2, self.num_envs), object)
        for row, outcome, planes in endings:
            outcomes[row], last_seen[row] = outcome, planes
        seen = {} if self.observations is None else {"final_observations": last_seen}
        return seen | {"final_outcome": outcomes}

    def _flag_standing(self, rows: list[int]) -> None:
        """Sets the flags of finished games put there from outside, where flags tell of all games that stand."""
        for row in rows if self.autoreset_mode is AutoresetMode.DISABLED else ():
            if self._views.is_over[row]:
                self._flag(row)

    def _flag(self, row: int) -> Outcome:
        """Sets the flags of the finished game in a row; returns its outcome."""
        outcome = self._rows.outcome(row)
        self._terminated[row] = not outcome.truncated
        self._truncated[row] = outcome.truncated
        return outcome
