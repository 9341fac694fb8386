"""`mcts:N`: a tree search (UCT with priors), N simulations for each action, with a value for every seat (max^n).

How a simulation goes is said in `tree.py`; what a game brings along, in `rules.py`.

The search of a turn is a *plan*: it begins at the position in which the turn began, and follows its own best action to
the next position, where what is known is kept and N simulations are added. Its chance comes from the state of the
generator, which is left as it is, and from the position at the start of the turn. So the answer for a position is a
function of the position and the generator alone. A plan that is kept from the last action only saves the time of making
it again: with or without it, alone or among other games, the same action is played. A position that lies on no plan,
because somebody else has placed the stones of this turn, begins a search of its own.

With `seconds` the clock decides how many simulations there are, so nothing of this can be promised.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from agents.base import announcement
from agents.search.rules import SearchedGame
from agents.search.search import Findings, Limits, Search
from bitblossom_env.core.game import Game

NODES_PER_SEARCH = 3  # actions of a usual turn whose simulations a tree takes up before another is begun
MAX_PLANS = 256  # kept at once: as many as games are played side by side
MAX_BYTES = 2**30  # of the trees of all plans together
NUM_EXPLAINED = 5


class Plan:
    """One turn thought through action by action, as far as has been asked for."""

    def __init__(self, rules: SearchedGame, start: Game, draw: int, limits: Limits) -> None:
        self._rules = rules
        self._game, self._turn = start.clone(), start.turn
        self._chance = np.random.default_rng([draw, start.hash()])
        self._limits = limits
        self._search: Search | None = None
        self._findings: dict[int, Findings] = {}

    def find(self, game: Game) -> Findings | None:
        """Returns what is found for a position of the turn, None if the plan does not come through it."""
        key = game.hash()
        while key not in self._findings and not self._is_done():
            self._advance()
        return self._findings.get(key)

    def first(self) -> Findings:
        """Returns what is found for the position that a new plan begins with."""
        return self._advance()

    def _advance(self) -> Findings:
        """Thinks about the position that the plan has reached, then plays the best action there."""
        game, limits = self._game, self._limits
        if self._search is None or not self._search.has_room(limits.num_simulations):
            seeds = self._chance.integers(1, 2**63, limits.num_threads).tolist()
            self._search = Search(self._rules, game, seeds, NODES_PER_SEARCH * limits.num_simulations + 1)
        else:
            self._search.go_to(game)
        self._search.run(limits)
        findings = self._findings[game.hash()] = self._search.findings()
        game.apply(self._rules.game_action(game, findings.ranked(game.to_move)[0]))
        if self._is_done():
            self._search = None  # its memory is worth more than what it still knows
        return findings

    def _is_done(self) -> bool:
        """Returns whether the plan has come to the end of its turn."""
        return self._game.is_over or self._game.turn != self._turn or self._rules.only_action(self._game) is not None

    @property
    def num_bytes(self) -> int:
        """Memory that the plan's trees may take."""
        return 0 if self._search is None else self._search.num_bytes


@dataclass(frozen=True)
class MctsAgent:
    """Searches before each action; plays at once where there is nothing to search for."""

    name: str
    limits: Limits
    rules: SearchedGame
    _plans: OrderedDict[tuple[int, int], Plan] = field(default_factory=OrderedDict, repr=False, compare=False)

    def act(self, game: Game, seat: int, rng: np.random.Generator) -> int:
        """Returns a legal action, never a retraction; reads the state of `rng` and leaves it as it is."""
        self.rules.check(game, self.name)
        only = self.rules.only_action(game)
        return self._choose(game, seat, self._find(game, rng)) if only is None else only

    def explain(self, game: Game, seat: int, rng: np.random.Generator) -> str:
        """Returns what `act` would play, how often, and what else was looked at."""
        self.rules.check(game, self.name)
        only = self.rules.only_action(game)
        if only is not None:
            return f"{announcement(self.name, game.describe_action(only))}\nNothing can be placed."
        findings = self._find(game, rng)
        lines = [
            announcement(self.name, game.describe_action(self._choose(game, seat, findings))),
            f"{findings.num_simulations} simulations; the position is worth {_shown(findings.value)} (seat 0 first).",
        ]
        for action in findings.ranked(seat)[:NUM_EXPLAINED]:
            if findings.visits[action] > 0:
                name = game.describe_action(self.rules.game_action(game, action))
                lines.append(f"{name}: {findings.visits[action]} visits, worth {_shown(findings.values[action])}")
        return "\n".join(lines)

    def _choose(self, game: Game, seat: int, findings: Findings) -> int:
        return self.rules.game_action(game, findings.ranked(seat)[0])

    def _find(self, game: Game, rng: np.random.Generator) -> Findings:
        """Returns the findings for a position, from a kept plan where there is one."""
        draw = int(copy.deepcopy(rng).integers(2**63))
        start = self.rules.turn_start(game)
        if start is None:
            return Plan(self.rules, game, draw, self.limits).first()
        key = draw, start.hash()
        # Popped: nobody else works on it meanwhile.
        plan = self._plans.pop(key, None) or Plan(self.rules, start, draw, self.limits)
        findings = plan.find(game)
        self._plans[key] = plan
        while len(self._plans) > 1 and (
            len(self._plans) > MAX_PLANS or sum(plan.num_bytes for plan in list(self._plans.values())) > MAX_BYTES
        ):
            self._plans.popitem(last=False)
        return findings or Plan(self.rules, game, draw, self.limits).first()


def _shown(values: NDArray[np.float64]) -> str:
    return "(" + ", ".join(f"{value:.2f}" for value in values) + ")"
