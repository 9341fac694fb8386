"""Aronda as a search sees it."""

from __future__ import annotations

import numpy as np

from agents.aronda import playouts
from agents.aronda.greedy import as_aronda
from agents.aronda.playouts import SETTINGS, Board, Desk
from agents.search.gumbel.descent import make_descend
from agents.search.mcts import MctsAgent
from agents.search.rules import Kernels
from agents.search.search import Limits
from agents.search.tree import make_simulate
from bitblossom_env.aronda.board import NUM_FIELDS
from bitblossom_env.core.game import Game


class SearchedAronda:
    """A stone in each of the 25 fields; turns end by themselves."""

    kernels = Kernels(
        playouts.copy_board,
        playouts.key_of,
        playouts.mover_of,
        playouts.is_over,
        playouts.fill_priors,
        playouts.play,
        playouts.look,
        playouts.fill_returns,
        playouts.play_out,
    )
    simulate = staticmethod(make_simulate("aronda", kernels))
    descend = staticmethod(make_descend("aronda", kernels))

    def check(self, game: Game, agent: str) -> None:
        """Raises `ValueError` in one line for another game."""
        as_aronda(game, agent)

    def turn_start(self, game: Game) -> None:
        """Returns None: a capture by the first stone of a turn leaves nothing to go back by."""

    def only_action(self, game: Game) -> int | None:
        """Returns the field where there is only one."""
        legal = game.legal_mask().nonzero()[0]
        return int(legal[0]) if len(legal) == 1 else None

    def num_actions(self, game: Game) -> int:  # noqa: ARG002 - all games have them
        """Returns 25."""
        return NUM_FIELDS

    def game_action(self, game: Game, action: int) -> int:  # noqa: ARG002 - likewise
        """Returns the field."""
        return action

    def new_board(self, game: Game) -> Board:
        """Returns fresh arrays of the position."""
        state = as_aronda(game, "mcts").get_state()
        return state.masks[0], state.waves[0], state.counters[0]

    def new_desk(self, game: Game, seed: int) -> Desk:
        """Returns room for the kernels."""
        return Desk(self.new_board(game), np.empty(NUM_FIELDS), np.array([seed], np.uint64), np.array(SETTINGS))


def make_agent(name: str, limits: Limits) -> MctsAgent:
    """Returns the agent that searches this game."""
    return MctsAgent(name, limits, SearchedAronda())
