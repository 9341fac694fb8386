"""The arguments of one game, checked."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from ..core.arguments import not_allowed, plain
from ..core.game import ArgumentError

REWARDS = ("win", "area")
STARTERS = ("player_0", "player_1", "random")


@dataclass(frozen=True)
class Config:
    """Arguments in their final form; made by `make_config`, which checks them."""

    blockade: bool = True  # A4.3
    stop_at_majority: bool = False  # A4.2
    starting_player: str = "player_0"  # one of STARTERS; "random": drawn at each reset
    reward: str = "win"  # one of REWARDS


NAMES = tuple(field.name for field in fields(Config))


def make_config(**arguments: Any) -> Config:
    """Returns the config for the arguments of the environment; raises `ArgumentError` for any that is not allowed."""
    unknown = sorted(set(arguments) - set(NAMES))
    if unknown:
        raise ArgumentError(f"{unknown[0]} is no argument of Aronda; allowed: {', '.join(NAMES)}")
    given = {name: plain(value) for name, value in arguments.items()}
    for name, value in given.items():
        if isinstance(getattr(Config, name), bool):
            if not isinstance(value, bool):
                raise not_allowed(name, value, "True or False")
        else:
            choices = REWARDS if name == "reward" else STARTERS
            if not isinstance(value, str) or value not in choices:
                raise not_allowed(name, value, ", ".join(map(repr, choices)))
    return Config(**given)
