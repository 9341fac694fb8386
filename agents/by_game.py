"""An agent that plays several games, each in a way of its own."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

import numpy as np

from agents.base import Agent, Explains
from bitblossom_env.core.game import Game


class ByGame:
    """Passes each question on to the agent for its game; only an agent in use loads its kernels."""

    def __init__(self, name: str, players: Mapping[str, str], *arguments: object) -> None:
        self.name = name
        self._players = dict(players)  # game -> "module:attribute", which makes its agent from the arguments
        self._arguments = arguments
        self._known: dict[str, Agent] = {}

    def act(self, game: Game, seat: int, rng: np.random.Generator) -> int:
        """Returns a legal action; raises `ValueError` in one line for a game that it does not play."""
        return self._player(game).act(game, seat, rng)

    def explain(self, game: Game, seat: int, rng: np.random.Generator) -> str:
        """Returns what the agent for the game says."""
        player = self._player(game)
        if not isinstance(player, Explains):
            raise ValueError(f"agent {self.name!r} cannot explain itself in a game of {game.setup.game_name}")
        return player.explain(game, seat, rng)

    def _player(self, game: Game) -> Agent:
        name = game.setup.game_name
        if name not in self._known:
            if name not in self._players:
                raise ValueError(f"agent {self.name!r} plays {', '.join(self._players)} only; got a game of {name}")
            module_name, attribute = self._players[name].split(":")
            self._known[name] = getattr(importlib.import_module(module_name), attribute)(*self._arguments)
        return self._known[name]
