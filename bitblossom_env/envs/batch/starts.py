"""The games that a batch begins with: drawn for each row, or one for many rows."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.arguments import not_allowed
from ...core.batch import GameBatch, Views
from ...core.game import Game, Setup
from ..start import GIVEN_STARTS, OPTIONS, start_game

RESET_MASK = "reset_mask"
BATCH_OPTIONS = (*OPTIONS, RESET_MASK)
Rows = NDArray[np.int64]  # numbers of games in the batch
Options = dict[str, Any]


def checked_options(options: Any) -> Options:
    """Returns the options of a reset that are known; warns of the others."""
    if options is not None and not isinstance(options, Mapping):
        raise not_allowed("options", options, f"None or a mapping of {', '.join(BATCH_OPTIONS)}")
    asked = dict(options or {})
    for name in asked:
        if name not in BATCH_OPTIONS:
            allowed = ", ".join(BATCH_OPTIONS)
            warnings.warn(f"reset: option {name!r} is unknown; allowed: {allowed}", stacklevel=3)
    return {name: value for name, value in asked.items() if name in BATCH_OPTIONS}


class Starts:
    """Draws the games that rows begin with; the n-th game of row i depends on its seed, i and n alone.

    So no game depends on when others are reset, on who looks, or on the number of threads. Drawing changes nothing:
    `count` says that the games drawn last have been begun.
    """

    def __init__(self, setup: Setup, num_games: int, seed: int, random_turns: tuple[int, int] | None) -> None:
        self._setup = setup
        self._random_turns = random_turns
        self._seeds = [seed] * num_games
        self._num_begun = [0] * num_games  # since the row was seeded

    @property
    def are_equal(self) -> bool:
        """Whether games begin alike where a reset has no options."""
        return self._random_turns is None and not self._setup.has_random_start

    def draw(self, rows: Rows, seed: int | None, options: Mapping[str, Any]) -> list[tuple[Rows, Game]]:
        """Returns games for `rows`, each with the rows that begin with it.

        Raises:
            ArgumentError: an option is not allowed, or games end before their last random turn.
            PositionError, RecordError: the position or record among the options is refused.
        """
        if self._is_one_for_all(options):
            return [(rows, start_game(self._setup, np.random.default_rng(0), options))]
        return [(rows[k : k + 1], self._drawn(int(row), seed, options)) for k, row in enumerate(rows)]

    def count(self, rows: Rows, seed: int | None) -> None:
        """Notes that the next game of each of `rows` has begun; a seed begins their counts anew."""
        for row in rows.tolist():
            if seed is not None:
                self._seeds[row], self._num_begun[row] = seed, 0
            self._num_begun[row] += 1

    def _is_one_for_all(self, options: Mapping[str, Any]) -> bool:
        """Whether the same game begins in all rows: a given one, or one in which nothing is drawn."""
        if any(name in options for name in GIVEN_STARTS):
            return True
        turns = options.get("random_turns", self._random_turns)
        return not self._setup.has_random_start and (turns is None or (isinstance(turns, int) and turns == 0))

    def _drawn(self, row: int, seed: int | None, options: Mapping[str, Any]) -> Game:
        """Returns the next game of a row, the first of a new seed if there is one."""
        entropy, number = (self._seeds[row], self._num_begun[row]) if seed is None else (seed, 0)
        rng = np.random.default_rng(np.random.SeedSequence(entropy, spawn_key=(row, number)))
        if self._random_turns is None:
            return start_game(self._setup, rng, options)
        low, high = self._random_turns
        return start_game(self._setup, rng, {"random_turns": int(rng.integers(low, high + 1)), **options})


class CommonStart:
    """One game and what is seen of it, ready to be put into many rows at once."""

    def __init__(self, setup: Setup, game: Game, observe: bool) -> None:
        batch = setup.new_batch(1)
        batch.start(0, game)
        self._state = batch.get_states(np.zeros(1, np.int64))
        self._views = Views.allocate(setup, 1, observe)
        batch.look(0, 1, self._views)

    def put(self, rows: Rows, batch: GameBatch, views: Views) -> None:
        """Puts copies of the game into `rows` of a batch and of its views."""
        batch.set_states(rows, self._state)
        if views.planes is not None and self._views.planes is not None:
            views.planes[rows] = self._views.planes
        views.masks[rows] = self._views.masks
        views.to_move[rows] = self._views.to_move
        views.is_over[rows] = self._views.is_over
