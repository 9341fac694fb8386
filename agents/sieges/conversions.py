"""What one stone of an enemy would convert: cells of its sea that become its territory.

It is worked out as the replay of the sea would (R3.3), never guessed: cells that split a sea, ties, a greatest part
that is one cell short, the last rim cell.

Dimension letter: N cells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.sieges.rivals import Shares
from agents.trials import BASE_VALUE
from bitblossom_env.bitblossom.game import BitBlossomGame
from bitblossom_env.bitblossom.sea import mark_refined_sea
from bitblossom_env.bitblossom.state import (
    BASES,
    ELIMINATED,
    NUM_COLUMNS,
    NUM_SEATS,
    SEA_PARTS,
    STONES,
    TO_MOVE,
    WORK_B,
    WORK_C,
    Counters,
    Masks,
)
from bitblossom_env.bitblossom.territory import sea_field
from bitblossom_env.core.bitboard import ONE, ZERO, cell_bit, clear, touches_rim
from bitblossom_env.core.bits import count_bits, lowest_bit
from bitblossom_env.core.components import is_still_connected
from bitblossom_env.core.jit import kernel

Gains = NDArray[np.float64]  # float64 [N], in cells

PIECE_VALUE = 1  # cells that a captured piece is worth beside the cell it leaves


@kernel
def fill_gains(masks: Masks, counters: Counters, seat: int, spare: int, share: float, gains: Gains) -> None:
    """Raises float64 [N] to what one stone of `seat` on each empty cell of its sea converts.

    Worth: cells and pieces of others on them, as many times as `share` says, and BASE_VALUE for the mover's base.
    `spare` is a set to write in.
    """
    sea = sea_field(counters, seat)
    num_columns = counters[NUM_COLUMNS]
    clear(masks, spare)
    for row in range(masks.shape[1]):
        empty = masks[sea, row]
        for other in range(counters[NUM_SEATS]):
            empty &= ~masks[STONES + other, row]
        while empty != ZERO:
            column = lowest_bit(empty)
            empty &= empty - ONE
            if changes_division(masks, counters, seat, row, column):
                masks[spare, row] = cell_bit(column)
                mark_refined_sea(masks, num_columns, sea, spare, WORK_C)
                cell = row * num_columns + column
                gains[cell] = max(gains[cell], worth_of_converted(masks, counters, seat, spare, share))
                masks[spare, row] = ZERO


@kernel
def changes_division(masks: Masks, counters: Counters, seat: int, row: int, column: int) -> bool:
    """Returns whether a stone alone in its turn changes a seat's sea beyond its own cell.

    Where several parts are equally great any stone does; a single part changes if it splits or keeps no rim cell.
    """
    if counters[SEA_PARTS + seat] > 1:
        return True
    sea = sea_field(counters, seat)
    bit = cell_bit(column)
    masks[sea, row] ^= bit
    is_whole = is_still_connected(masks, sea, row, bit, WORK_B) and touches_rim(masks, sea, counters[NUM_COLUMNS])
    masks[sea, row] ^= bit
    return not is_whole


@kernel
def worth_of_converted(masks: Masks, counters: Counters, seat: int, spare: int, share: float) -> float:
    """Returns what the cells are worth that are in a seat's sea, but not in WORK_C and not in `spare`."""
    sea = sea_field(counters, seat)
    mover = STONES + counters[TO_MOVE]
    total, is_base_lost = 0, 0
    for r in range(masks.shape[1]):
        converted = masks[sea, r] & ~(masks[WORK_C, r] | masks[spare, r])
        total += count_bits(converted)
        for other in range(counters[NUM_SEATS]):
            if other != seat:
                total += PIECE_VALUE * count_bits(converted & masks[STONES + other, r] & ~masks[BASES, r])
        is_base_lost += count_bits(converted & masks[BASES, r] & masks[mover, r])
    return float(share * total + BASE_VALUE * is_base_lost)


@kernel
def fill_enemy_gains(masks: Masks, counters: Counters, spare: int, shares: Shares, gains: Gains) -> None:
    """Fills float64 [N]: what the best-placed enemy that can still move would win by a stone on each cell.

    Each enemy's cells and pieces count as many times as `shares` float64 [P] says, see `rivals.py`.
    """
    for cell in range(gains.shape[0]):
        gains[cell] = 0.0
    for seat in range(counters[NUM_SEATS]):
        if seat != counters[TO_MOVE] and counters[ELIMINATED + seat] == 0:
            fill_gains(masks, counters, seat, spare, shares[seat], gains)


def enemy_gains(game: BitBlossomGame, shares: Shares) -> Gains:
    """Returns float64 [N]: what `fill_enemy_gains` says of a running game."""
    state = game.get_state()
    masks = np.concatenate([state.masks[0], np.zeros((1, state.masks.shape[2]), np.uint64)])
    gains = np.zeros(game.setup.num_cells, np.float64)
    fill_enemy_gains(masks, state.counters[0], len(masks) - 1, shares, gains)
    return gains
