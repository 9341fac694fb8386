"""`solver:N`: plays Aronda exactly where N positions suffice to know who wins, else like `greedy`.

Of the fields from which the mover wins, or shares, it takes the first that the search finds; where it loses for certain
it plays like `greedy` and hopes.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from agents.aronda.alpha_beta import HAS_FAILED, LOSS, NODES, WIN, Room, new_room, play_ahead, search, start
from agents.aronda.greedy import ArondaGreedy, as_aronda
from agents.base import Agent, announcement, check_options
from bitblossom_env.core.game import Game

TABLE_SIZE = 2**18
MAX_NODES = 10**9


@dataclass(frozen=True)
class Verdict:
    """What a search has found out about a position."""

    value: int  # to the mover: 1 it wins, 0 shares, -1 loses
    field: int  # that brings it
    num_nodes: int  # positions looked at


@dataclass(frozen=True)
class Solver:
    """Solves when it can; the table lives for one decision, so that nothing of other games enters."""

    name: str
    num_nodes: int
    _greedy: ArondaGreedy = field(default_factory=ArondaGreedy, repr=False, compare=False)
    _room: Room = field(default_factory=lambda: new_room(TABLE_SIZE), repr=False, compare=False)

    def act(self, game: Game, seat: int, rng: np.random.Generator) -> int:
        """Returns a legal field."""
        return self._choose(self.solve(game), game, seat, rng)

    def _choose(self, verdict: Verdict | None, game: Game, seat: int, rng: np.random.Generator) -> int:
        if verdict is None or verdict.value == LOSS:
            return self._greedy.act(game, seat, rng)
        return verdict.field

    def explain(self, game: Game, seat: int, rng: np.random.Generator) -> str:
        """Returns what `act` would play, and what is known."""
        verdict = self.solve(game)
        action = self._choose(verdict, game, seat, copy.deepcopy(rng))
        said = announcement(self.name, game.describe_action(action))
        if verdict is None:
            return f"{said}\n{self.num_nodes} positions do not settle it: it plays as greedy would."
        word = {WIN: "It wins", 0: "It shares the win", LOSS: "It loses against best play, and plays as greedy would"}
        return f"{said}\n{word[verdict.value]}: {verdict.num_nodes} positions show it."

    def solve(self, game: Game) -> Verdict | None:
        """Returns who wins from a running game, None where the positions do not suffice."""
        game = as_aronda(game, self.name)
        room, sign = self._room, 1 if game.to_move == 0 else -1
        room.keys[:] = 0
        start(room, game.get_state(), self.num_nodes)
        best, chosen = LOSS - 1, -1
        for action in game.legal_mask().nonzero()[0].tolist():
            play_ahead(room, 0, action)
            value = sign * search(room, 1, LOSS, WIN)
            if room.progress[HAS_FAILED]:
                return None
            if value > best:
                best, chosen = value, action
            if best == WIN:
                break
        return Verdict(best, chosen, int(room.progress[NODES]))


def make(argument: str, options: Mapping[str, str]) -> Agent:
    """Returns the agent for `argument` positions a decision."""
    check_options("solver", options, ())
    if not (argument.isascii() and argument.isdigit() and 1 <= int(argument) <= MAX_NODES):
        raise ValueError(f"solver={argument!r} is not allowed; allowed: solver:N, N positions, 1..{MAX_NODES}")
    return Solver(f"solver:{argument}", int(argument))
