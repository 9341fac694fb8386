"""What `reset(options=...)` of every environment understands."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.game import ArgumentError, Game, Setup
from ..core.record import replay
from ..core.rollout import random_start

OPTIONS = ("record", "state", "random_turns", "starting_player")


def _count(name: str, value: Any, low: int, high: int | None) -> int:
    """Returns an option as a whole number in low..high."""
    allowed = f"a whole number from {low}" if high is None else f"{low}..{high}"
    try:
        number = operator.index(value)
    except TypeError:
        raise ArgumentError(f"options[{name!r}]={value!r} is not allowed; allowed: {allowed}") from None
    if isinstance(value, bool) or number < low or (high is not None and number > high):
        raise ArgumentError(f"options[{name!r}]={value!r} is not allowed; allowed: {allowed}")
    return number


def start_game(setup: Setup, rng: np.random.Generator, options: Mapping[str, Any] | None) -> Game:
    """Returns the running game that a reset begins with.

    Options: `record` (replayed to its last action), `state` (a position), or `random_turns` (turns of uniformly random
    legal stones, drawn again if the game ends) and `starting_player` (seat of turn 0). Unknown keys warn.
    """
    given = dict(options or {})
    for name in given:
        if name not in OPTIONS:
            warnings.warn(f"reset: option {name!r} is unknown; allowed: {', '.join(OPTIONS)}", stacklevel=4)
    if "record" in given and "state" in given:
        raise ArgumentError("reset: options 'record' and 'state' exclude each other; allowed: one of them")
    if "record" in given or "state" in given:
        game = replay(given["record"]) if "record" in given else setup.game_from_position(given["state"])
        if game.setup != setup:
            raise ArgumentError("reset: the record is of a game with other rules; allowed: those of this environment")
        if game.is_over:
            raise ArgumentError("reset: that game is over; allowed: a position in which the game still runs")
        return game
    starting_player = _count("starting_player", given.get("starting_player", 0), 0, setup.num_seats - 1)
    random_turns = _count("random_turns", given.get("random_turns", 0), 0, None)
    return random_start(setup, rng, random_turns, starting_player)
