"""Drawn positions about bases, and what an agent makes of them."""

from __future__ import annotations

import itertools

import numpy as np

from agents import make
from bitblossom_env.bitblossom.game import BitBlossomGame
from bitblossom_env.core.diagram import parse_diagram
from tests.agents import playing

# Seat 0 can take the base of seat 1 with two stones.
FALLS_TO_TWO = """
. . . . . . .
. A . . . . .
. . . . . . .
. . . . . a .
. . . . a B .
. . . . . . .
. . . . . . .
"""
# With three.
FALLS_TO_THREE_AT_THE_EDGE = """
. . . . . . .
. A . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . B .
"""
# Seat 1 could take the base of seat 0 in its next turn.
IN_DANGER = """
. . . . .
. A b . .
. . . . .
. . . B .
. . . . .
"""


def game_of(text, **fields):
    """The game of a diagram, two turns old for each of two seats unless told."""
    return BitBlossomGame.from_position(parse_diagram(text, **({"turns_taken": [2, 2], "turn": 4} | fields)))


def play_turn(spec, game, seed=0):
    """Plays the mover's turn on a copy; returns it."""
    game = game.clone()
    playing.play_turn(make(spec), game, np.random.default_rng(seed))
    return game


def can_be_taken(game, victim):
    """Whether the mover can eliminate `victim` with any stones of one turn, by trying all."""
    cells = np.flatnonzero(game.legal_mask()[game.setup.placements.start : game.setup.placements.stop]).tolist()
    for chosen in itertools.combinations(cells, 3):
        trial = game.clone()
        for cell in chosen:
            if trial.legal_mask()[cell]:
                trial.apply(cell)
        trial.apply(game.setup.end_turn)
        if trial.eliminated()[victim]:
            return True
    return False
