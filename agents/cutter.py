"""`cutter`: searches the turn for chains of cuts that pay for themselves, rings included.

A cut gives back a placement for each stone that it takes, and the stones so won are fresh and can arm further cuts.
From the position as it is, `cutter` follows *strikes*: three cells in a line whose stones would make a cut that takes
something, or the last cells of a ring around an enemy stone, as far as the budget of the moment reaches. The best few
positions of each length are followed on. A position is worth 2 for each piece doomed, by any rule, and 1 for each stone
of this turn, placed or still to be placed. If the best chain is worth more than the position, its first stone is
played; else what `greedy` plays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.base import Agent, check_bare
from agents.strikes import MAX_STRIKES, NO_CELL, STONES_IN_RING, Strikes, fill_strikes
from agents.trials import as_bit_blossom, choose_greedily, copy_game
from bitblossom_env.bitblossom import kernels
from bitblossom_env.bitblossom.game import BitBlossomGame
from bitblossom_env.bitblossom.legality import is_placeable, mark_legal
from bitblossom_env.bitblossom.state import (
    DOOMED,
    FRESH,
    NUM_COLUMNS,
    REMAINING,
    Counters,
    Masks,
)
from bitblossom_env.bitblossom.turn import place
from bitblossom_env.core.bits import count_bits
from bitblossom_env.core.game import Game
from bitblossom_env.core.jit import kernel

CAPTURE_VALUE = 2  # stones of this turn that a captured piece is worth
WIDTH = 4  # positions of each length that are followed on
MAX_LENGTH = 6  # strikes of a chain
TRIAL = 2 * WIDTH  # game in which a strike is tried; before it are two generations of lines
NUM_GAMES = TRIAL + 1


@kernel
def worth_of(masks: Masks, counters: Counters) -> int:
    """Returns what a position of a running turn is worth."""
    worth = counters[REMAINING]
    for r in range(masks.shape[1]):
        worth += CAPTURE_VALUE * count_bits(masks[DOOMED, r]) + count_bits(masks[FRESH, r])
    return int(worth)


@kernel
def _strike(arrays: kernels.Arrays, game: int, strike: NDArray[np.int64]) -> bool:
    """Places on the cells of a strike one by one; returns False at the first that is not legal."""
    masks, stamps, counters = arrays[0][game], arrays[1][game], arrays[2][game]
    for index in range(strike.shape[0]):
        if strike[index] == NO_CELL:
            break
        row, column = strike[index] // counters[NUM_COLUMNS], strike[index] % counters[NUM_COLUMNS]
        if not is_placeable(masks, row, column):
            return False
        place(masks, stamps, counters, row, column)
        mark_legal(masks, counters)
    return True


@kernel
def _find_slot(arrays: kernels.Arrays, worths: NDArray[np.int64], start: int, count: int) -> int:
    """Returns where among WIDTH games from `start` on the tried one belongs: free, or worth less; -1 for nowhere."""
    masks = arrays[0]
    slot, least = -1, worths[TRIAL]
    for game in range(start, start + count):
        is_same = worths[game] == worths[TRIAL]
        for r in range(masks.shape[2]):
            is_same = is_same and masks[game, FRESH, r] == masks[TRIAL, FRESH, r]
        if is_same:
            return -1
        if worths[game] < least:
            slot, least = game, worths[game]
    return start + count if count < WIDTH else slot


@kernel
def _lengthen(
    arrays: kernels.Arrays, line: int, target: tuple[int, int], strikes: Strikes, firsts: NDArray[np.int64],
    worths: NDArray[np.int64],
) -> int:  # fmt: skip
    """Adds to the `target` games (from, how many) what one more strike makes of game `line`; returns how many now."""
    start, count = target
    num_strikes = fill_strikes(arrays[0][line], arrays[2][line], strikes)
    for index in range(num_strikes):
        copy_game(arrays, line, arrays, TRIAL)
        if not _strike(arrays, TRIAL, strikes[index]):
            continue
        worths[TRIAL] = worth_of(arrays[0][TRIAL], arrays[2][TRIAL])
        slot = _find_slot(arrays, worths, start, count) if worths[TRIAL] > worths[line] else -1
        if slot >= 0:
            copy_game(arrays, TRIAL, arrays, slot)
            worths[slot] = worths[TRIAL]
            firsts[slot] = strikes[index, 0] if firsts[line] == NO_CELL else firsts[line]
            count = max(count, slot - start + 1)
    return count


@kernel
def find_best_start(
    arrays: kernels.Arrays, strikes: Strikes, firsts: NDArray[np.int64], worths: NDArray[np.int64]
) -> int:
    """Returns the first stone of the chain that is worth most, the shortest of equals; NO_CELL where none is worth it.

    `arrays` are NUM_GAMES games, the first of them the position; the rest, and what follows, is room to write in.
    """
    firsts[0] = NO_CELL
    worths[0] = worth_of(arrays[0][0], arrays[2][0])
    best, worth = NO_CELL, worths[0]
    start, count = 0, 1
    for _ in range(MAX_LENGTH):
        target = WIDTH - start
        longer = 0
        for line in range(start, start + count):
            longer = _lengthen(arrays, line, (target, longer), strikes, firsts, worths)
        for line in range(target, target + longer):
            if worths[line] > worth:
                best, worth = firsts[line], worths[line]
        start, count = target, longer
    return int(best)


def best_start(game: BitBlossomGame) -> int:
    """Returns what `find_best_start` says of a running game."""
    state = game.get_state()
    arrays = (
        np.repeat(state.masks, NUM_GAMES, axis=0),
        np.repeat(state.stamps, NUM_GAMES, axis=0),
        np.repeat(state.counters, NUM_GAMES, axis=0),
    )
    strikes = np.empty((MAX_STRIKES + 1, STONES_IN_RING), np.int64)
    firsts, worths = np.zeros(NUM_GAMES, np.int64), np.zeros(NUM_GAMES, np.int64)
    return find_best_start(arrays, strikes, firsts, worths)


@dataclass(frozen=True)
class CutterAgent:
    """Strikes where it pays, else plays as `greedy` does."""

    name: str = "cutter"

    def act(self, game: Game, seat: int, rng: np.random.Generator) -> int:  # noqa: ARG002 - the position is the mover's
        """Returns a legal placement or the end of the turn."""
        board = as_bit_blossom(game, self.name)
        first = best_start(board)
        return first if first != NO_CELL else choose_greedily(board, rng)


def make(argument: str, options: Mapping[str, str]) -> Agent:
    """Returns the agent; it has neither argument nor options."""
    check_bare("cutter", argument, options)
    return CutterAgent()
