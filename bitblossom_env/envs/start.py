"""What `reset(seed=..., options=...)` of every environment understands."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.arguments import whole_number
from ..core.game import ArgumentError, Game, Setup
from ..core.record import replay
from ..core.rollout import random_start

GIVEN_STARTS = ("record", "state")
OPTIONS = (*GIVEN_STARTS, "random_turns", "starting_player")


def checked_seed(seed: Any) -> int:
    """Returns a seed as an int, else raises `ArgumentError`."""
    return whole_number("seed", seed, 0)


def start_game(setup: Setup, rng: np.random.Generator, options: Mapping[str, Any] | None) -> Game:
    """Returns the running game that a reset begins with.

    Options: `record` (replayed to its last action) or `state` (a position); or `random_turns` (turns of uniformly
    random legal stones, drawn again if the game ends) and `starting_player` (seat of turn 0). Unknown keys warn.
    """
    if options is not None and not isinstance(options, Mapping):
        raise ArgumentError(f"options={options!r} is not allowed; allowed: None or a mapping of {', '.join(OPTIONS)}")
    asked = dict(options or {})
    for name in asked:
        if name not in OPTIONS:
            warnings.warn(f"reset: option {name!r} is unknown; allowed: {', '.join(OPTIONS)}", stacklevel=4)
    known = [name for name in OPTIONS if name in asked]
    if any(name in asked for name in GIVEN_STARTS):
        if len(known) > 1:
            raise ArgumentError(f"options {' and '.join(known)} exclude each other; allowed: one of them")
        return _given_game(setup, asked)
    last_seat = setup.num_seats - 1
    starting_player = whole_number("options['starting_player']", asked.get("starting_player", 0), 0, last_seat)
    random_turns = whole_number("options['random_turns']", asked.get("random_turns", 0), 0)
    return random_start(setup, rng, random_turns, starting_player)


def _given_game(setup: Setup, asked: Mapping[str, Any]) -> Game:
    """Returns the game of a record or a position, which must still run."""
    game = replay(asked["record"], setup=setup) if "record" in asked else setup.game_from_position(asked["state"])
    if game.is_over:
        raise ArgumentError("reset: that game is over; allowed: a position in which the game still runs")
    return game
