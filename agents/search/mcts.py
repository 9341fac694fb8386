"""`mcts:N`: a tree search (UCT with priors), N simulations for each action, with a value for every seat (max^n).

How a simulation goes is said in `tree.py`, how it is played on in `rollouts.py`, what comes out of it in `values.py`.

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
import math
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from agents.base import Agent, announcement, check_options
from agents.search.search import Findings, Limits, Search
from agents.trials import as_bit_blossom
from bitblossom_env.bitblossom.game import BitBlossomGame
from bitblossom_env.core.game import Game

NODES_PER_SEARCH = 3  # actions of a usual turn whose simulations a tree takes up before another is begun
MAX_PLANS = 256  # kept at once: as many as games are played side by side
MAX_BYTES = 2**30  # of the trees of all plans together
MAX_SIMULATIONS, MAX_SECONDS, MAX_THREADS = 10**7, 3600.0, 64
NUM_EXPLAINED = 5


def turn_start(game: BitBlossomGame) -> BitBlossomGame:
    """Returns the game as it was when the turn of the seat to move began."""
    position = game.to_position()
    stones = [piece for piece in position["pieces"] if piece[3] < game.turn]
    return game.setup.game_from_position({**position, "pieces": stones, "retractions": 0})


class Plan:
    """One turn thought through action by action, as far as has been asked for."""

    def __init__(self, start: BitBlossomGame, draw: int, limits: Limits) -> None:
        self._game, self._turn = start.clone(), start.turn
        self._chance = np.random.default_rng([draw, start.hash()])
        self._limits = limits
        self._search: Search | None = None
        self._findings: dict[int, Findings] = {}

    def find(self, game: BitBlossomGame) -> Findings | None:
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
            self._search = Search(game, seeds, NODES_PER_SEARCH * limits.num_simulations + 1)
        else:
            self._search.go_to(game)
        self._search.run(limits)
        findings = self._findings[game.hash()] = self._search.findings()
        game.apply(action_of(game, findings))
        if self._is_done():
            self._search = None  # its memory is worth more than what it still knows
        return findings

    def _is_done(self) -> bool:
        """Returns whether the plan has come to the end of its turn."""
        return self._game.is_over or self._game.turn != self._turn or not has_placement(self._game)

    @property
    def num_bytes(self) -> int:
        """Memory that the plan's trees may take."""
        return 0 if self._search is None else self._search.num_bytes


def has_placement(game: BitBlossomGame) -> bool:
    """Returns whether the seat to move may place anywhere."""
    return bool(game.legal_mask()[: game.setup.num_cells].any())


def action_of(game: BitBlossomGame, findings: Findings) -> int:
    """Returns the best action as the game numbers it."""
    return _game_action(game, findings.ranked(game.to_move)[0])


def _game_action(game: BitBlossomGame, action: int) -> int:
    return action if action < game.setup.num_cells else game.setup.end_turn


@dataclass(frozen=True)
class MctsAgent:
    """Searches before each action; the end of the turn where nothing can be placed."""

    name: str
    limits: Limits
    _plans: OrderedDict[tuple[int, int], Plan] = field(default_factory=OrderedDict, repr=False, compare=False)

    def act(self, game: Game, seat: int, rng: np.random.Generator) -> int:  # noqa: ARG002 - the position is the mover's
        """Returns a legal placement or the end of the turn; reads the state of `rng` and leaves it as it is."""
        board = as_bit_blossom(game, self.name)
        if not has_placement(board):
            return board.setup.end_turn
        return action_of(board, self._find(board, rng))

    def explain(self, game: Game, seat: int, rng: np.random.Generator) -> str:
        """Returns what `act` would play, how often, and what else was looked at."""
        board = as_bit_blossom(game, self.name)
        lines = [announcement(self.name, board.describe_action(self.act(game, seat, rng)))]
        if not has_placement(board):
            return f"{lines[0]}\nNothing can be placed."
        findings = self._find(board, rng)
        lines.append(
            f"{findings.num_simulations} simulations; the position is worth {_shown(findings.value)} (seat 0 first)."
        )
        for action in findings.ranked(seat)[:NUM_EXPLAINED]:
            if findings.visits[action] > 0:
                name = board.describe_action(_game_action(board, action))
                lines.append(f"{name}: {findings.visits[action]} visits, worth {_shown(findings.values[action])}")
        return "\n".join(lines)

    def _find(self, game: BitBlossomGame, rng: np.random.Generator) -> Findings:
        """Returns the findings for a position, from a kept plan where there is one."""
        draw = int(copy.deepcopy(rng).integers(2**63))
        start = turn_start(game)
        key = draw, start.hash()
        plan = self._plans.pop(key, None) or Plan(start, draw, self.limits)  # popped: nobody else works on it meanwhile
        findings = plan.find(game)
        self._plans[key] = plan
        while len(self._plans) > 1 and (
            len(self._plans) > MAX_PLANS or sum(plan.num_bytes for plan in list(self._plans.values())) > MAX_BYTES
        ):
            self._plans.popitem(last=False)
        return findings or Plan(game, draw, self.limits).first()


def _shown(values: NDArray[np.float64]) -> str:
    return "(" + ", ".join(f"{value:.2f}" for value in values) + ")"


def make(argument: str, options: Mapping[str, str]) -> Agent:
    """Returns the agent for `argument` simulations per action; options `seconds` per action and `threads`."""
    num_simulations = _whole("mcts", argument, MAX_SIMULATIONS, "mcts:N, N simulations per action,")
    check_options("mcts", options, ("seconds", "threads"))
    num_threads = _whole("threads", options.get("threads", "1"), MAX_THREADS, "a whole number")
    seconds = _seconds(options["seconds"]) if "seconds" in options else None
    tail = "&".join(f"{key}={value}" for key, value in options.items())
    name = f"mcts:{argument}" + (f"?{tail}" if tail else "")
    return MctsAgent(name, Limits(num_simulations, seconds, num_threads))


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
