"""How each game is searched, by name."""

from __future__ import annotations

import importlib
from typing import Any

# A string each, so that only a game in use loads its kernels.
SEARCHED = {
    "bitblossom": "agents.playouts.searched:SearchedBitBlossom",
    "aronda": "agents.aronda.searched:SearchedAronda",
}


def make_searched(name: str, agent: str) -> Any:
    """Returns the `SearchedGame` of the game called `name`; raises `ValueError` in one line that names `agent`."""
    if name not in SEARCHED:
        raise ValueError(f"agent {agent!r} searches {', '.join(SEARCHED)} only; got a game of {name}")
    module_name, attribute = SEARCHED[name].split(":")
    return getattr(importlib.import_module(module_name), attribute)()
