"""`blossom`: the bot that comes with the package, trained by self-play; with `?sims=N` it searches too."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch

from agents.base import Agent
from agents.neural.checkpoint_agent import make_agent
from agents.neural.checkpoint_file import read_checkpoint

FOLDER = Path(__file__).parent / "weights" / "blossom"


def make(argument: str, options: Mapping[str, str]) -> Agent:
    """Returns the agent; options are those of `checkpoint`."""
    if argument:
        raise ValueError(f"agent 'blossom' has no argument {argument!r}; allowed: blossom, blossom?sims=N")
    torch.set_num_threads(1)  # one position at a time is too small to share; many agents may run side by side
    tail = "&".join(f"{key}={value}" for key, value in options.items())
    return make_agent("blossom" + (f"?{tail}" if tail else ""), read_checkpoint(FOLDER), options)
