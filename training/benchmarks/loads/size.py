"""Bytes that a game takes and that a step writes."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Callable
from typing import Any

from bitblossom_env.core.game import Setup, make_setup
from bitblossom_env.envs.batch import BatchEnv

NUM_GAMES = 1000  # so many that what a batch keeps once does not count


def view_bytes(setup: Setup, observe: bool = True) -> dict[str, int]:
    """Returns the bytes of the planes and of the mask that a step writes for one game."""
    planes = len(setup.plane_names) * math.prod(setup.board_shape) if observe else 0
    return {"planes": planes, "mask": setup.num_actions}


def state_bytes(setup: Setup) -> int:
    """Returns the bytes that a batch keeps for each game, whatever it is made of."""
    return growth(setup.new_batch)


def env_bytes(**arguments: Any) -> int:
    """Returns the bytes that a `BatchEnv` keeps for each game: state, planes, mask, seat to move, rewards, flags."""

    def begun(num_games: int) -> BatchEnv:
        env = BatchEnv(num_games, num_threads=1, **arguments)
        env.reset()
        return env

    return growth(begun)


def growth(make: Callable[[int], object]) -> int:
    """Returns by how many bytes what `make` returns grows with each game, rounded."""
    make(1)  # whatever is loaded or compiled once
    few, many = (allocated(make, num_games) for num_games in (NUM_GAMES, 2 * NUM_GAMES))
    return round((many - few) / NUM_GAMES)


def allocated(make: Callable[[int], object], num_games: int) -> int:
    """Returns the bytes that are taken while the thing made lives."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        thing = make(num_games)
        after = tracemalloc.get_traced_memory()[0]
        del thing
    finally:
        tracemalloc.stop()
    return after - before


class Sizes:
    """Counts bytes; nothing of it takes time."""

    def __init__(self, arguments: dict[str, Any]) -> None:
        setup = make_setup("bitblossom", arguments)
        self.facts: dict[str, Any] = view_bytes(setup) | {
            "state": state_bytes(setup),
            "env": env_bytes(**arguments),
            "env_unobserved": env_bytes(observe=False, **arguments),
        }

    def measure(self, seconds: float) -> dict[str, Any]:
        """Returns the counts again, whatever the `seconds`."""
        return self.facts | {"seconds": seconds}


def prepare(**arguments: Any) -> Sizes:
    """Returns the counts for the arguments of a game."""
    return Sizes(arguments)
