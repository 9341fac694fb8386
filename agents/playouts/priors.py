"""What an action promises before any is tried: the lead that ending the turn after it would leave, and sieges.

Dimension letters: P seats, A actions of a node: a placement on each cell, then the end of the turn.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.playouts.rollouts import lead_with
from agents.playouts.values import lead_after_ending
from agents.search.chance import Chance
from agents.search.rules import Priors
from agents.sieges.survey import BY_MOVER, DANGER, Survey, Terms, Weights, fill_siege_terms, fill_survey, is_in_wall
from agents.trials import BASE_VALUE, Board, copy_board
from bitblossom_env.bitblossom.legality import is_placeable
from bitblossom_env.bitblossom.sea_replay import Work
from bitblossom_env.bitblossom.state import NUM_COLUMNS, REMAINING
from bitblossom_env.core.bitboard import cell_bit, row_of
from bitblossom_env.core.jit import kernel

# --- settings, float64 ---------------------------------------------------------------------------------------------
TEMPERATURE = 0  # cells of lead that make an action e times as likely
UNIFORM = 1  # share of the priors that all legal actions have alike
NUM_TURNS = 2  # turns after the root's, at least, before a simulation is cut off; always whole rounds of all seats
NUM_TRIES = 3  # placements that a rollout looks at for each stone
NUM_CAREFUL = 4  # turns of a rollout, the one it begins in among them, in which it looks at several placements
SETTINGS = (1.0, 0.1, 1000.0, 16.0, 1.0)


class Desk(NamedTuple):
    """What the kernels of this game write in."""

    trial: Board
    leads: NDArray[np.float64]  # [A]
    survey: Survey  # of the walls around bases that one turn can finish
    weights: Weights  # of danger, in cells
    shares: NDArray[np.float64]  # [P], 0: the search itself finds out whose fall helps whom
    terms: Terms
    work: Work
    chance: Chance
    settings: NDArray[np.float64]


@kernel
def _add_sieges(board: Board, desk: Desk) -> float:
    """Adds to the leads what the walls around bases promise that one turn can finish; returns the greatest lead.

    A stone of a wall around an enemy's base counts as the base; a wall around the mover's counts against all but the
    stones that break it.
    """
    masks, _, counters = board
    num_columns = counters[NUM_COLUMNS]
    fill_survey(masks, counters, desk.survey)
    fill_siege_terms(masks, counters, desk.survey, desk.weights, desk.shares, desk.terms)
    best = -math.inf
    for action in range(desk.leads.shape[0]):
        desk.leads[action] -= desk.terms[DANGER, action]
        if action < desk.leads.shape[0] - 1 and desk.leads[action] > -math.inf:
            row = row_of(action, num_columns)
            if is_in_wall(desk.survey, BY_MOVER, counters[REMAINING], row, cell_bit(action - row * num_columns)):
                desk.leads[action] += BASE_VALUE
        best = max(best, desk.leads[action])
    return best


@kernel
def fill_priors(board: Board, desk: Desk, priors: Priors) -> None:
    """Fills the priors of all actions."""
    masks, _, counters = board
    num_columns = counters[NUM_COLUMNS]
    num_cells = desk.leads.shape[0] - 1
    copy_board(board, desk.trial)
    desk.leads[num_cells] = lead_after_ending(desk.trial, 0, desk.work)
    num_legal = 1
    for cell in range(num_cells):
        row = row_of(cell, num_columns)
        desk.leads[cell] = -math.inf
        if is_placeable(masks, row, cell - row * num_columns):
            desk.leads[cell] = lead_with(board, cell, desk.trial, desk.work)
            num_legal += 1
    best = _add_sieges(board, desk)
    total = 0.0
    for action in range(num_cells + 1):
        if desk.leads[action] == -math.inf:
            desk.leads[action] = -1.0
            continue
        desk.leads[action] = math.exp((desk.leads[action] - best) / desk.settings[TEMPERATURE])
        total += desk.leads[action]
    uniform = desk.settings[UNIFORM]
    for action in range(num_cells + 1):
        priors[action] = 0.0
        if desk.leads[action] >= 0:
            priors[action] = (1 - uniform) * desk.leads[action] / total + uniform / num_legal
