"""`mcts:N` for every game that says how it is searched."""

from __future__ import annotations

import math
from collections.abc import Mapping

from agents.base import Agent, check_options
from agents.by_game import ByGame
from agents.search.search import Limits

PLAYERS = {"bitblossom": "agents.playouts.searched:make_agent", "aronda": "agents.aronda.searched:make_agent"}
MAX_SIMULATIONS, MAX_SECONDS, MAX_THREADS = 10**7, 3600.0, 64


def make(argument: str, options: Mapping[str, str]) -> Agent:
    """Returns the agent for `argument` simulations per action; options `seconds` per action and `threads`."""
    num_simulations = _whole("mcts", argument, MAX_SIMULATIONS, "mcts:N, N simulations per action,")
    check_options("mcts", options, ("seconds", "threads"))
    num_threads = _whole("threads", options.get("threads", "1"), MAX_THREADS, "a whole number")
    seconds = _seconds(options["seconds"]) if "seconds" in options else None
    tail = "&".join(f"{key}={value}" for key, value in options.items())
    name = f"mcts:{argument}" + (f"?{tail}" if tail else "")
    return ByGame(name, PLAYERS, name, Limits(num_simulations, seconds, num_threads))


def _whole(name: str, text: str, most: int, what: str) -> int:
    """Returns a number 1..most; raises `ValueError` in one line for any other text."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= most):
        raise ValueError(f"{name}={text!r} is not allowed; allowed: {what} 1..{most}")
    return int(text)


def _seconds(text: str) -> float:
    """Returns a number of seconds; raises `ValueError` in one line for any other text."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= MAX_SECONDS:
        raise ValueError(f"seconds={text!r} is not allowed; allowed: a number above 0, at most {MAX_SECONDS:g}")
    return value
