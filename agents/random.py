"""Agents that know no more than which actions are legal."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from agents.base import Agent, announcement, check_options
from bitblossom_env.core.game import Game
from bitblossom_env.core.rollout import random_action


@dataclass(frozen=True)
class RandomAgent:
    """Uniform over the legal placements; ends the turn once there is none. Never retracts."""

    name: str = "random"

    def act(self, game: Game, seat: int, rng: np.random.Generator) -> int:  # noqa: ARG002 - the mask is the mover's
        """Returns a legal placement or, where there is none, the end of the turn."""
        return random_action(game, rng)

    def explain(self, game: Game, seat: int, rng: np.random.Generator) -> str:
        """Returns what `act` would draw, and of how many placements."""
        placements = game.setup.placements
        count = int(game.legal_mask()[placements.start : placements.stop].sum())
        action = self.act(game, seat, copy.deepcopy(rng))
        why = f"One of {count} placements, each as likely." if count else "Nothing can be placed."
        return f"{announcement(self.name, game.describe_action(action))}\n{why}"


@dataclass(frozen=True)
class AnyAgent:
    """Uniform over everything that is legal: placements, retractions and the end of the turn."""

    name: str = "random:any"

    def act(self, game: Game, seat: int, rng: np.random.Generator) -> int:  # noqa: ARG002 - the mask is the mover's
        """Returns any legal action."""
        return int(rng.choice(np.flatnonzero(game.legal_mask())))

    def explain(self, game: Game, seat: int, rng: np.random.Generator) -> str:
        """Returns what `act` would draw, and of how many actions."""
        action = self.act(game, seat, copy.deepcopy(rng))
        count = int(game.legal_mask().sum())
        return f"{announcement(self.name, game.describe_action(action))}\nOne of {count} legal actions, each as likely."


def make(argument: str, options: Mapping[str, str]) -> Agent:
    """Returns the agent of `random` (argument "") or `random:any`."""
    agents: dict[str, Agent] = {"": RandomAgent(), "any": AnyAgent()}
    if argument not in agents:
        raise ValueError(f"agent 'random' has no argument {argument!r}; allowed: random, random:any")
    check_options("random", options, ())
    return agents[argument]
