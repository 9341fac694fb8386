"""The games of a batch row by row, and what is seen of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...core.batch import ALL_LEGAL, Views
from ...core.game import Game, GameOverError, IllegalActionError, Outcome, Setup
from .shards import Result, Shards
from .starts import CommonStart, Rows, Starts


class GameRows:
    """B rows, each with a game once one has begun there, and their views, which always show these games.

    Rows are numbers 0..B-1, checked by the caller; indices int64.
    """

    def __init__(self, setup: Setup, starts: Starts, shards: Shards, observe: bool) -> None:
        self._setup = setup
        self._starts = starts
        self._shards = shards
        self._num_games = shards.num_games
        self._batch = setup.new_batch(self._num_games)
        self.views = Views.allocate(setup, self._num_games, observe)
        self._common_start = None
        if starts.are_equal:
            self._common_start = CommonStart(setup, setup.new_game(np.random.default_rng(0)), observe)
        self._is_vacant = np.ones(self._num_games, np.bool_)  # no game has ever begun there
        self.has_vacant = True

    def advance(self, actions: NDArray[np.int64], then: Callable[[int, int], Result]) -> list[Result]:
        """Plays one action, int64 [B], in every running game; if one is illegal it raises and none has moved.

        Calls `then(low, high)` for each range of games, in the thread that moved it, and returns all answers.
        """
        batch, num_games, views = self._batch, self._num_games, self.views
        if self._shards.num_threads == 1:
            self._refuse(batch.advance(actions, 0, num_games, views), actions)
            return [then(0, num_games)]

        def check(low: int, high: int) -> int:
            return batch.find_illegal(actions, low, high)

        def work(low: int, high: int) -> Result:
            batch.advance(actions, low, high, views)
            return then(low, high)

        wrong, results = self._shards.run(check, work)
        self._refuse(wrong, actions)
        return results

    def begin(self, rows: Rows, seed: int | None, options: Mapping[str, Any]) -> None:
        """Begins the next game of each of `rows`; if one cannot be drawn it raises and nothing has changed."""
        if self._common_start is not None and not options:
            self._common_start.put(rows, self._batch, self.views)
        else:
            for some, game in self._starts.draw(rows, seed, options):
                self._place(some, game)
        self._starts.count(rows, seed)
        self._fill(rows)

    def start(self, row: int, game: Game) -> None:
        """Puts a copy of a game of this setup into a row."""
        self._batch.start(row, game)
        self._batch.look(row, row + 1, self.views)
        self._fill(np.array([row]))

    def set_states(self, rows: Rows, states: Any) -> None:
        """Puts copies of states into different `rows`, one each; raises `ValueError` where the states are others."""
        self._batch.set_states(rows, states)
        ascending = np.sort(rows)
        gaps = np.flatnonzero(np.diff(ascending) > 1) + 1
        for run in np.split(ascending, gaps) if rows.size else ():
            self._batch.look(int(run[0]), int(run[-1]) + 1, self.views)
        self._fill(rows)

    def get_states(self, rows: Rows) -> Any:
        """Returns a copy of the states of some rows; raises `GameOverError` if no game has begun in one of them."""
        self._check_begun(rows)
        return self._batch.get_states(rows)

    def game(self, row: int) -> Game:
        """Returns a copy of the game in a row; raises `GameOverError` if none has begun there."""
        self._check_begun(np.array([row]))
        return self._batch.game(row)

    def outcome(self, row: int) -> Outcome:
        """Returns how the finished game in a row ended."""
        return cast(Outcome, self._batch.outcome(row))

    def _place(self, rows: Rows, game: Game) -> None:
        """Puts copies of a game into `rows`."""
        if len(rows) == 1:
            self.start(int(rows[0]), game)
        else:
            CommonStart(self._setup, game, self.views.planes is not None).put(rows, self._batch, self.views)

    def _fill(self, rows: Rows) -> None:
        """Notes that there are games in `rows`."""
        if self.has_vacant:
            self._is_vacant[rows] = False
            self.has_vacant = bool(self._is_vacant.any())

    def _check_begun(self, rows: Rows) -> None:
        vacant = rows[self._is_vacant[rows]]
        if vacant.size:
            raise GameOverError(f"there is no game in row {vacant[0]}: call reset() first")

    def _refuse(self, row: int, actions: NDArray[np.int64]) -> None:
        """Raises the error for the action that the game in a row refuses; nothing for ALL_LEGAL."""
        if row == ALL_LEGAL:
            return
        game = self._batch.game(row)
        num_legal = int(game.legal_mask().sum())
        raise IllegalActionError(
            f"action {int(actions[row])} of game {row} is illegal for seat {game.to_move} in turn {game.turn};"
            f" allowed: the {num_legal} actions of 0..{game.num_actions - 1} whose mask is 1; no game has moved"
        )
