"""Which positions are one node of a tree, and cells drawn from a set."""

from __future__ import annotations

import numpy as np

from agents.search.chance import HALF, START, Chance, draw_below, find_bit, mixed
from agents.trials import Board
from bitblossom_env.bitblossom.state import (
    NUM_COLUMNS,
    NUM_SEATS,
    OVERLAYS,
    PASSES,
    STAMP,
    STONES,
    TO_MOVE,
    TURN,
    TURNS_TAKEN,
    Counters,
    Masks,
)
from bitblossom_env.core.bitboard import Word
from bitblossom_env.core.bits import count_bits
from bitblossom_env.core.jit import kernel


@kernel
def key_of(board: Board) -> Word:
    """Returns 64 bits of the position, as `Game.hash()` does: the order of this turn's placements does not enter it.

    Retractions are left out: no search takes a stone back.
    """
    masks, stamps, counters = board
    key = START
    for field in range(STONES, STONES + counters[NUM_SEATS]):
        for r in range(masks.shape[1]):
            key = mixed(key, masks[field, r])
    for r in range(masks.shape[1]):
        key = mixed(key, masks[OVERLAYS, r])
    num_cells = stamps.shape[1]
    for cell in range(1, num_cells, 2):
        pair = np.uint64(stamps[STAMP, cell - 1] + 2) | (np.uint64(stamps[STAMP, cell] + 2) << HALF)
        key = mixed(key, pair)
    key = mixed(key, np.uint64(stamps[STAMP, num_cells - 1] + 2))
    key = mixed(key, np.uint64(counters[TURN]) | (np.uint64(counters[PASSES]) << HALF))
    for seat in range(counters[NUM_SEATS]):
        key = mixed(key, np.uint64(counters[TURNS_TAKEN + seat]))
    return mixed(key, np.uint64(counters[TO_MOVE]))


@kernel
def draw_cell(masks: Masks, counters: Counters, field: int, num_cells: int, chance: Chance) -> int:
    """Returns one of the `num_cells` > 0 cells of a set, each as likely."""
    index = draw_below(chance, num_cells)
    row = 0
    while index >= count_bits(masks[field, row]):
        index -= count_bits(masks[field, row])
        row += 1
    return int(row * counters[NUM_COLUMNS] + find_bit(masks[field, row], index))
