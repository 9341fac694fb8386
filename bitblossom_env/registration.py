"""Names under which the games are found: by this package, by Gymnasium and by PettingZoo."""

from __future__ import annotations

import gymnasium
from pettingzoo.env_registry import registration as pettingzoo_registry

from .core.game import register_game


def register_all() -> None:
    """Registers every game and environment id; naming them loads no kernels."""
    register_game("bitblossom", "bitblossom_env.bitblossom.game:make_setup")
    register_game("aronda", "bitblossom_env.aronda.game:make_setup")
    gymnasium.register(
        id="BitBlossom-v0",
        entry_point="bitblossom_env.envs.single_agent:make_single_agent",
        kwargs={"game": "bitblossom"},
    )
    gymnasium.register(
        id="Aronda-v0",
        entry_point="bitblossom_env.envs.single_agent:make_single_agent",
        kwargs={"game": "aronda"},
    )
    pettingzoo_registry.register("aec", "bitblossom_v0", "bitblossom_env.bitblossom_v0:env")
    pettingzoo_registry.register("aec", "aronda_v0", "bitblossom_env.aronda_v0:env")
