"""`greedy` in Aronda: stone by stone, what gains most fields.

Of several what makes the longest chain, of those what is nearest to its threshold. A stone that wins at once comes
before all others.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.base import announcement
from bitblossom_env.aronda.board import NUM_FIELDS, THRESHOLDS
from bitblossom_env.aronda.captures import count_stones
from bitblossom_env.aronda.game import ArondaGame
from bitblossom_env.aronda.kernels import Arrays
from bitblossom_env.aronda.reach import find_chain
from bitblossom_env.aronda.state import BLOCKADE, END_REASON, OWNED, TO_MOVE
from bitblossom_env.aronda.turn import is_legal, play
from bitblossom_env.core.bits import count_bits
from bitblossom_env.core.game import Game
from bitblossom_env.core.jit import kernel

# --- what a stone brings, columns, the most important first ---------------------------------------------------------
WINS = 0  # 1 if it ends the game and the mover wins
FIELDS = 1  # gained
CHAIN = 2  # fields of the mover's chain afterwards
MISSING = 3  # less the stones that the field still lacks, 0 if it is taken
NUM_TERMS = 4
ILLEGAL = -100
Terms = NDArray[np.int64]  # int64 [25, NUM_TERMS]


@kernel
def fill_terms(arrays: Arrays, trial: Arrays, terms: Terms) -> None:
    """Fills in what a stone in each field brings, ILLEGAL where none may be placed; `trial` is room to try it in."""
    masks, _, counters = arrays
    tried_masks, tried_waves, tried_counters = trial
    mover = counters[0, TO_MOVE]
    before = count_bits(masks[0, OWNED + mover])
    for field in range(NUM_FIELDS):
        for term in range(NUM_TERMS):
            terms[field, term] = ILLEGAL
        if not is_legal(masks[0], field):
            continue
        for k in range(masks.shape[1]):
            tried_masks[0, k] = masks[0, k]
        for k in range(counters.shape[1]):
            tried_counters[0, k] = counters[0, k]
        play(tried_masks[0], tried_waves[0], tried_counters[0], field)
        owned = count_bits(tried_masks[0, OWNED + mover])
        is_won = 2 * owned > NUM_FIELDS or tried_counters[0, END_REASON] == BLOCKADE
        terms[field, WINS] = 1 if tried_counters[0, END_REASON] != 0 and is_won else 0
        terms[field, FIELDS] = owned - before
        terms[field, CHAIN] = count_bits(find_chain(tried_masks[0], mover))
        stones = count_stones(tried_masks[0], mover, field)
        terms[field, MISSING] = 0 if owned > before else stones - THRESHOLDS[field]


@dataclass(frozen=True)
class ArondaGreedy:
    """Places where a stone brings most, ties broken at random."""

    name: str = "greedy"

    def act(self, game: Game, seat: int, rng: np.random.Generator) -> int:  # noqa: ARG002 - the position is the mover's
        """Returns a legal field."""
        terms = terms_of(game)
        best = best_fields(terms)
        return int(best[rng.integers(len(best))])

    def explain(self, game: Game, seat: int, rng: np.random.Generator) -> str:
        """Returns what `act` would play, and what that brings."""
        action = self.act(game, seat, copy.deepcopy(rng))
        terms = terms_of(game)
        wins, fields, chain, missing = terms[action].tolist()
        why = f"It gains {fields} fields, makes a chain of {chain}, and leaves {-missing} stones to the threshold"
        others = len(best_fields(terms)) - 1
        said = announcement(self.name, game.describe_action(action))
        return f"{said}\n{'It wins. ' * wins}{why}; {others} other fields are as good."


def as_aronda(game: Game, name: str) -> ArondaGame:
    """Returns `game` as what the agent called `name` can play; raises `ValueError` for another game."""
    if not isinstance(game, ArondaGame):
        raise ValueError(f"agent {name!r} plays aronda only; got a game of {game.setup.game_name}")
    return game


def terms_of(game: Game) -> Terms:
    """Returns what a stone in each field brings, see `fill_terms`."""
    game = as_aronda(game, "greedy")
    terms = np.empty((NUM_FIELDS, NUM_TERMS), np.int64)
    fill_terms(game.get_state().arrays(), game.get_state().arrays(), terms)
    return terms


def best_fields(terms: Terms) -> NDArray[np.int64]:
    """Returns the fields whose terms are greatest, the first term that differs decides."""
    best = terms[np.lexsort(terms.T[::-1])[-1]]
    fields: NDArray[np.int64] = (terms == best).all(1).nonzero()[0]
    return fields
