"""What a position of a turn is worth, tried out on arrays beside the game: shared by the heuristic agents.

Dimension letter: N cells.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitblossom_env.bitblossom import kernels
from bitblossom_env.bitblossom.doomed import mark_doomed
from bitblossom_env.bitblossom.game import BitBlossomGame
from bitblossom_env.bitblossom.legality import is_placeable
from bitblossom_env.bitblossom.scoring import count_areas
from bitblossom_env.bitblossom.sea_replay import AREAS, Work
from bitblossom_env.bitblossom.state import (
    BASES,
    BONUS,
    ELIMINATED,
    ENEMIES,
    NUM_COLUMNS,
    NUM_SEATS,
    TO_MOVE,
    Counters,
    Masks,
    Stamps,
)
from bitblossom_env.bitblossom.territory import sea_field
from bitblossom_env.bitblossom.turn import commit_turn, place
from bitblossom_env.core.bits import count_bits
from bitblossom_env.core.game import Game
from bitblossom_env.core.jit import kernel

Board = tuple[Masks, Stamps, Counters]  # one game: masks uint64 [M, rows], stamps int32 [2, N], counters int32 [K]

BONUS_VALUE = 2  # cells that a refunded placement is worth
BASE_VALUE = 1000  # more than any area
ILLEGAL = -(2**31)  # value of a cell where the mover may not place


@kernel
def count_walled_bases(masks: Masks, counters: Counters) -> int:
    """Returns how many enemy home bases lie outside the sea that the mover had at the start of the turn."""
    total = 0
    sea = sea_field(counters, counters[TO_MOVE])
    for r in range(masks.shape[1]):
        total += count_bits(masks[ENEMIES, r] & masks[BASES, r] & ~masks[sea, r])
    return total


@kernel
def count_lead(masks: Masks, counters: Counters, seat: int, work: Work) -> int:
    """Returns by how many cells the area of a seat is greater than the greatest other one."""
    count_areas(masks, counters, work)
    greatest = 0
    for other in range(counters[NUM_SEATS]):
        if other != seat:
            greatest = max(greatest, work[AREAS, other])
    return int(work[AREAS, seat] - greatest)


@kernel
def value_of_ending(masks: Masks, stamps: NDArray[np.int32], counters: Counters, work: Work) -> int:
    """Commits the turn (the arrays are used up) and returns what the position is worth to the seat that moved."""
    mover = counters[TO_MOVE]
    bonus = counters[BONUS]
    walled_before = count_walled_bases(masks, counters)
    commit_turn(masks, stamps, counters, work)
    lead = count_lead(masks, counters, mover, work)
    walled = count_walled_bases(masks, counters) - walled_before
    lost = counters[ELIMINATED + mover]
    return int(lead + BONUS_VALUE * bonus + BASE_VALUE * (walled - lost))


@kernel
def copy_board(source: Board, target: Board) -> None:
    """Makes `target` equal to `source`."""
    masks, stamps, counters = source
    target_masks, target_stamps, target_counters = target
    for field in range(masks.shape[0]):
        for r in range(masks.shape[1]):
            target_masks[field, r] = masks[field, r]
    for layer in range(stamps.shape[0]):
        for cell in range(stamps.shape[1]):
            target_stamps[layer, cell] = stamps[layer, cell]
    for k in range(counters.shape[0]):
        target_counters[k] = counters[k]


@kernel
def copy_game(game: kernels.Arrays, i: int, trial: kernels.Arrays, j: int) -> None:
    """Makes game `j` of the arrays of `trial` equal to game `i` of `game`."""
    copy_board((game[0][i], game[1][i], game[2][i]), (trial[0][j], trial[1][j], trial[2][j]))


@kernel
def fill_values(game: kernels.Arrays, trial: kernels.Arrays, work: Work, values: NDArray[np.int64]) -> None:
    """Fills int64 [N + 1]: worth after a stone on each cell (ILLEGAL where none may be placed), last: of ending now.

    `trial` is room to try a stone in; it holds the position of `game` to begin with.
    """
    masks = game[0][0]
    tried_masks, tried_stamps, tried_counters = trial[0][0], trial[1][0], trial[2][0]
    num_columns = game[2][0, NUM_COLUMNS]
    num_cells = masks.shape[1] * num_columns
    values[num_cells] = value_of_ending(tried_masks, tried_stamps, tried_counters, work)
    for cell in range(num_cells):
        r, c = cell // num_columns, cell % num_columns
        values[cell] = ILLEGAL
        if not is_placeable(masks, r, c):
            continue
        copy_game(game, 0, trial, 0)
        place(tried_masks, tried_stamps, tried_counters, r, c)
        mark_doomed(tried_masks, tried_counters)
        values[cell] = value_of_ending(tried_masks, tried_stamps, tried_counters, work)


def placement_values(game: BitBlossomGame) -> NDArray[np.int64]:
    """Returns int64 [N + 1]: what `fill_values` says of a running game."""
    num_cells = game.setup.num_cells
    state, trial = game.get_state(), game.get_state()
    values = np.empty(num_cells + 1, np.int64)
    fill_values(
        (state.masks, state.stamps, state.counters),
        (trial.masks, trial.stamps, trial.counters),
        kernels.scratch_for(num_cells).work,
        values,
    )
    return values


def as_bit_blossom(game: Game, name: str) -> BitBlossomGame:
    """Returns `game` as what the agent called `name` can play; raises `ValueError` for another game."""
    if not isinstance(game, BitBlossomGame):
        raise ValueError(f"agent {name!r} plays bitblossom only; got a game of {game.setup.game_name}")
    return game


def choose_greedily(game: BitBlossomGame, rng: np.random.Generator) -> int:
    """Returns the placement that is worth most, ties broken by `rng`; the end of the turn if none raises the value."""
    values = placement_values(game)
    return choose_best(values[:-1], values[-1], game.setup.end_turn, rng)


def choose_best(worth: NDArray[Any], worth_of_ending: float, end_turn: int, rng: np.random.Generator) -> int:
    """Returns the cell of the greatest `worth` [N], ties broken by `rng`; `end_turn` if ending is worth as much."""
    best = worth.max()
    if best <= worth_of_ending:
        return end_turn
    equals = (worth == best).nonzero()[0]
    return int(equals[rng.integers(equals.size)])
