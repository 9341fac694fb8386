"""Random play through `bitblossom_v0.env`."""

from __future__ import annotations

from typing import Any

from bitblossom_env import bitblossom_v0
from training.benchmarks.loads.single import SinglePlay
from training.benchmarks.loads.size import state_bytes, view_bytes


def prepare(**arguments: Any) -> SinglePlay:
    """Returns games in play."""
    env = bitblossom_v0.env(**arguments)
    play = SinglePlay(env)
    setup = env.unwrapped.game.setup
    play.facts["written"] = view_bytes(setup) | {"state": state_bytes(setup)}
    return play
