"""Chains of strikes: a beam search for those that pay, over whole turns.

A cut refunds a placement for each piece that it takes, so one strike (`strikes.py`) can pay for the next. The best
WIDTH positions after each number of strikes are followed on. A position is worth

    CAPTURE_WORTH x pieces doomed, by any rule + placements left,

so a stone that is placed counts -1 and one that is refunded +1. A chain pays if its end is worth more than its start.
Every stone of a chain is legal when its turn comes, and none releases a piece that is doomed.

Dimension letters: S slots, each a position and the chain that has led to it; L chains: those of the slots, then the
best ones; N cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.cuts.strikes import MAX_LACKING, NUM_KINDS, NUM_SETS, fill_strike, find_anchors, mark_sets
from agents.trials import copy_game
from bitblossom_env.bitblossom.doomed import mark_doomed
from bitblossom_env.bitblossom.game import BitBlossomGame
from bitblossom_env.bitblossom.kernels import Arrays
from bitblossom_env.bitblossom.legality import is_placeable, mark_placeable
from bitblossom_env.bitblossom.state import DOOMED, FRESH, NUM_COLUMNS, REMAINING, Counters, Masks, Stamps
from bitblossom_env.bitblossom.turn import place
from bitblossom_env.core.bitboard import ONE, ZERO, count_cells
from bitblossom_env.core.bits import lowest_bit
from bitblossom_env.core.jit import kernel

CAPTURE_WORTH = 3  # placements that a captured piece is worth
WIDTH = 3
MAX_STRIKES = 4  # in one chain; once it has been carried out, the next search may find more
MAX_STONES = MAX_STRIKES * MAX_LACKING
NUM_EQUALS = 8  # best chains of equal worth that are told apart, the first ones found

ROOT = 0  # slot of the position that is searched
FIRST_BEAM = 1  # two beams of WIDTH slots, which take turns
TRIAL = FIRST_BEAM + 2 * WIDTH  # slot in which a strike is tried
NUM_SLOTS = TRIAL + 1
BEST = NUM_SLOTS  # + 0..NUM_EQUALS - 1: the best chains, without their positions
NUM_CHAINS = BEST + NUM_EQUALS


class Room(NamedTuple):
    """What one search works on and writes in."""

    games: Arrays  # of the S slots
    worths: NDArray[np.int64]  # [L] of the position at the end of each chain
    lengths: NDArray[np.int64]  # [L] stones of each chain
    cells: NDArray[np.int64]  # [L, MAX_STONES] of each chain, in the order of placing
    sets: Masks  # [NUM_SETS, rows] of `strikes.py`, for the position that is being extended
    strike: NDArray[np.int64]  # [MAX_LACKING] cells of the strike that is being tried
    doomed: NDArray[np.uint64]  # [rows] pieces doomed before the stone that is being tried


@kernel
def worth_of(masks: Masks, counters: Counters) -> int:
    """Returns what a position is worth."""
    return int(CAPTURE_WORTH * count_cells(masks, DOOMED) + counters[REMAINING])


@kernel
def place_without_release(
    masks: Masks, stamps: Stamps, counters: Counters, cell: int, doomed: NDArray[np.uint64]
) -> bool:
    """Places on a cell and renews what is doomed; returns whether everything doomed before (`doomed` [rows]) still is.

    A stone can release: it divides the mover's sea anew, and what was walled off in this turn may be sea again.
    """
    for r in range(masks.shape[1]):
        doomed[r] = masks[DOOMED, r]
    place(masks, stamps, counters, cell // counters[NUM_COLUMNS], cell % counters[NUM_COLUMNS])
    mark_doomed(masks, counters)
    for r in range(masks.shape[1]):
        if doomed[r] & ~masks[DOOMED, r] != ZERO:
            return False
    return True


@kernel
def _copy_slot(room: Room, source: int, target: int) -> None:
    """Makes the position and the chain of a slot equal to those of another; from BEST on the chain alone."""
    if target < NUM_SLOTS:
        copy_game(room.games, source, room.games, target)
    room.worths[target] = room.worths[source]
    room.lengths[target] = room.lengths[source]
    for k in range(room.lengths[source]):
        room.cells[target, k] = room.cells[source, k]


@kernel
def _try_strike(room: Room, node: int, count: int) -> bool:
    """Plays a strike of `count` cells in TRIAL, after `node`; returns whether that is legal and worth following."""
    all_masks, all_stamps, all_counters = room.games
    if count == 0 or count > all_counters[node, REMAINING]:
        return False
    _copy_slot(room, node, TRIAL)
    masks, stamps, counters = all_masks[TRIAL], all_stamps[TRIAL], all_counters[TRIAL]
    for k in range(count):
        cell = room.strike[k]
        if not is_placeable(masks, cell // counters[NUM_COLUMNS], cell % counters[NUM_COLUMNS]):
            return False
        if not place_without_release(masks, stamps, counters, cell, room.doomed):
            return False
        mark_placeable(masks, counters)
        room.cells[TRIAL, room.lengths[TRIAL]] = cell
        room.lengths[TRIAL] += 1
    room.worths[TRIAL] = worth_of(masks, counters)
    # A strike may cost more than it brings, if it brings anything: it may arm the next.
    return bool(room.worths[TRIAL] + count > room.worths[node])


@kernel
def _has_same_stones(one: Masks, other: Masks) -> bool:
    """Returns whether two positions of one turn hold the same fresh stones."""
    for r in range(one.shape[1]):
        if one[FRESH, r] != other[FRESH, r]:
            return False
    return True


@kernel
def _keep_trial(room: Room, first: int, num_kept: int) -> int:
    """Puts TRIAL into the beam that begins at slot `first` if it is new and good enough; returns how many are kept."""
    masks = room.games[0]
    worst = first
    for slot in range(first, first + num_kept):
        if _has_same_stones(masks[slot], masks[TRIAL]):
            return num_kept
        if room.worths[slot] < room.worths[worst]:
            worst = slot
    if num_kept < WIDTH:
        _copy_slot(room, TRIAL, first + num_kept)
        return num_kept + 1
    if room.worths[TRIAL] > room.worths[worst]:
        _copy_slot(room, TRIAL, worst)
    return num_kept


@kernel
def _extend(room: Room, node: int, first: int, num_kept: int) -> int:
    """Tries every strike after `node` and puts what is good into the beam at `first`; returns how many are kept."""
    masks, counters = room.games[0][node], room.games[2][node]
    mark_sets(masks, counters, room.sets)
    for index in range(masks.shape[1] * NUM_KINDS):
        row, kind = index // NUM_KINDS, index % NUM_KINDS
        anchors = find_anchors(masks, room.sets, row, kind)
        while anchors != ZERO:
            anchor = row * counters[NUM_COLUMNS] + lowest_bit(anchors)
            anchors &= anchors - ONE
            if _try_strike(room, node, fill_strike(masks, counters, anchor, kind, room.strike)):
                num_kept = _keep_trial(room, first, num_kept)
    return num_kept


@kernel
def _note_best(room: Room, first: int, num_kept: int, num_best: int) -> int:
    """Compares the chains of a beam with the best ones so far, all equal; returns how many are best now."""
    for slot in range(first, first + num_kept):
        known = BEST if num_best > 0 else ROOT
        gain = room.worths[slot] - room.worths[known]
        is_equal = num_best > 0 and gain == 0 and room.lengths[slot] == room.lengths[known]
        if gain > 0 or (num_best > 0 and gain == 0 and room.lengths[slot] < room.lengths[known]):
            num_best = 0
        elif not is_equal or num_best == NUM_EQUALS:
            continue
        _copy_slot(room, slot, BEST + num_best)
        num_best += 1
    return num_best


@kernel
def find_chains(room: Room) -> int:
    """Searches from ROOT; returns how many chains are best, kept from BEST on; 0 if none pays.

    Of chains that are worth the same, the shorter is better.
    """
    room.worths[ROOT] = worth_of(room.games[0][ROOT], room.games[2][ROOT])
    room.lengths[ROOT] = 0
    first, num_nodes, num_best = ROOT, 1, 0
    for k in range(MAX_STRIKES):
        target = FIRST_BEAM + WIDTH * (k % 2)
        num_kept = 0
        for node in range(first, first + num_nodes):
            num_kept = _extend(room, node, target, num_kept)
        num_best = _note_best(room, target, num_kept, num_best)
        first, num_nodes = target, num_kept
    return num_best


def room_for(game: BitBlossomGame) -> Room:
    """Returns room for a search from a running game."""
    state = game.get_state()
    num_rows = state.masks.shape[2]
    return Room(
        games=(
            np.repeat(state.masks, NUM_SLOTS, axis=0),
            np.repeat(state.stamps, NUM_SLOTS, axis=0),
            np.repeat(state.counters, NUM_SLOTS, axis=0),
        ),
        worths=np.zeros(NUM_CHAINS, np.int64),
        lengths=np.zeros(NUM_CHAINS, np.int64),
        cells=np.zeros((NUM_CHAINS, MAX_STONES), np.int64),
        sets=np.zeros((NUM_SETS, num_rows), np.uint64),
        strike=np.zeros(MAX_LACKING, np.int64),
        doomed=np.zeros(num_rows, np.uint64),
    )


def best_chains(game: BitBlossomGame) -> list[list[int]]:
    """Returns the cells, in the order of placing, of each chain that is best from here; empty where none pays."""
    room = room_for(game)
    return [room.cells[BEST + k, : room.lengths[BEST + k]].tolist() for k in range(find_chains(room))]
