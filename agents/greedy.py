"""`greedy`: the placement that is worth most if the turn ended right after it, stone by stone.

What follows is Bit Blossom's; that of Aronda is in `aronda/greedy.py`.

Worth of a position, as if the turn ended now: own area - greatest enemy area + 2 x bonus placements gained in this turn
+ 1000 x enemy bases newly in own territory - 1000 if the own base lies in enemy territory.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from agents.base import Agent, announcement, check_bare
from agents.by_game import ByGame
from agents.trials import ILLEGAL, as_bit_blossom, choose_greedily, placement_values
from bitblossom_env.core.game import Game


@dataclass(frozen=True)
class GreedyAgent:
    """Places where it is worth most, ties broken at random; ends the turn when no placement raises the value."""

    name: str = "greedy"

    def act(self, game: Game, seat: int, rng: np.random.Generator) -> int:  # noqa: ARG002 - the position is the mover's
        """Returns a legal placement or the end of the turn."""
        return choose_greedily(as_bit_blossom(game, self.name), rng)

    def explain(self, game: Game, seat: int, rng: np.random.Generator) -> str:
        """Returns what `act` would play, what that is worth, and how many placements are worth as much."""
        board = as_bit_blossom(game, self.name)
        action = self.act(game, seat, copy.deepcopy(rng))
        values = placement_values(board)
        best = values[:-1].max()
        ending = f"ending the turn is worth {values[-1]}"
        why = "Nothing can be placed." if best == ILLEGAL else f"No placement is worth more than {best}; {ending}."
        if action != board.setup.end_turn:
            count = int((values[:-1] == best).sum())
            why = f"It is worth {best}, as are {count - 1} other placements; {ending}."
        return f"{announcement(self.name, board.describe_action(action))}\n{why}"


def make(argument: str, options: Mapping[str, str]) -> Agent:
    """Returns the agent; it has neither argument nor options."""
    check_bare("greedy", argument, options)
    return ByGame("greedy", {"bitblossom": "agents.greedy:GreedyAgent", "aronda": "agents.aronda.greedy:ArondaGreedy"})
