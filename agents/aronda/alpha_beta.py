"""Who wins from a position of Aronda: alpha-beta with a table of positions, exact as far as it gets.

Values are those of seat 0: 1 it wins, -1 the other does, 0 they share. Seat 0 takes the greatest, seat 1 the least; as
a turn has two stones, the same seat often chooses twice in a row, and no sign is ever flipped.

Dimension letters: D stones ahead, T entries of the table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitblossom_env.aronda.board import NUM_FIELDS, THRESHOLDS
from bitblossom_env.aronda.captures import count_stones
from bitblossom_env.aronda.state import (
    BLOCKADE,
    END_REASON,
    NUM_COUNTERS,
    NUM_MASKS,
    ONES,
    OWNED,
    RUNNING,
    STONES_LEFT,
    TO_MOVE,
    TWOS,
    ArondaState,
    Counters,
    Masks,
)
from bitblossom_env.aronda.turn import is_legal, play
from bitblossom_env.core.bitboard import Word
from bitblossom_env.core.bits import count_bits
from bitblossom_env.core.jit import kernel

MAX_DEPTH = 128  # stones: fewer than 2 in each of 25 fields for each seat, and those that take them
NODES, LIMIT, HAS_FAILED = 0, 1, 2  # entries of `progress`
LOSS, WIN = -1, 1
_SEAT_BITS, _MOVER_BIT, _LEFT_BIT = np.uint64(NUM_FIELDS), np.uint64(50), np.uint64(51)
_SHIFTS = (np.uint64(13), np.uint64(29), np.uint64(17), np.uint64(31))


class Room(NamedTuple):
    """What a search writes in."""

    masks: Masks  # [D, M]
    waves: NDArray[np.int8]  # [D, 25]
    counters: Counters  # [D, K]
    keys: NDArray[np.uint64]  # [T, 3] the positions themselves, packed; T a power of two
    bounds: NDArray[np.int8]  # [T, 2] what is known of their values: at least, at most
    progress: NDArray[np.int64]  # [3]


def new_room(table_size: int) -> Room:
    """Returns room with an empty table; `table_size` is a power of two."""
    return Room(
        np.zeros((MAX_DEPTH, NUM_MASKS), np.uint64),
        np.zeros((MAX_DEPTH, NUM_FIELDS), np.int8),
        np.zeros((MAX_DEPTH, NUM_COUNTERS), np.int32),
        np.zeros((table_size, 3), np.uint64),
        np.zeros((table_size, 2), np.int8),
        np.zeros(3, np.int64),
    )


@kernel
def value_of_end(masks: Masks, counters: Counters) -> int:
    """Returns what a finished game is worth."""
    if counters[END_REASON] == BLOCKADE:
        return WIN if counters[TO_MOVE] == 0 else LOSS
    lead = count_bits(masks[OWNED]) - count_bits(masks[OWNED + 1])
    return WIN if lead > 0 else LOSS if lead < 0 else 0


@kernel
def pack(masks: Masks, counters: Counters, part: int) -> Word:
    """Returns one of the three words that hold all that the future hangs on."""
    if part == 0:
        word = masks[OWNED] | masks[OWNED + 1] << _SEAT_BITS
        return word | np.uint64(counters[TO_MOVE]) << _MOVER_BIT | np.uint64(counters[STONES_LEFT]) << _LEFT_BIT
    first = ONES if part == 1 else TWOS
    return masks[first] | masks[first + 1] << _SEAT_BITS


@kernel
def find_slot(room: Room, depth: int) -> int:
    """Returns the entry of the table where a position is, or may be written over what is there."""
    masks, counters = room.masks[depth], room.counters[depth]
    word = pack(masks, counters, 0)
    for part in range(1, 3):
        other = pack(masks, counters, part)
        word ^= other ^ (other << _SHIFTS[0]) ^ (other >> _SHIFTS[2])
        word ^= (word << _SHIFTS[1]) ^ (word >> _SHIFTS[3])
    slot: int = np.int64((word ^ (word >> _SHIFTS[2])) & np.uint64(room.keys.shape[0] - 1))  # type: ignore[assignment]
    return slot


@kernel
def is_known(room: Room, depth: int, slot: int) -> bool:
    """Returns whether an entry is that of the position."""
    for part in range(3):
        if room.keys[slot, part] != pack(room.masks[depth], room.counters[depth], part):
            return False
    return True


@kernel
def note_value(room: Room, depth: int, value: int, window: tuple[int, int]) -> None:
    """Writes down what a search with a window has found."""
    slot = find_slot(room, depth)
    for part in range(3):
        room.keys[slot, part] = pack(room.masks[depth], room.counters[depth], part)
    alpha, beta = window
    room.bounds[slot, 0] = value if value > alpha else LOSS
    room.bounds[slot, 1] = value if value < beta else WIN


@kernel
def play_ahead(room: Room, depth: int, field: int) -> None:
    """Makes the position at the next depth that after a stone in a field."""
    for k in range(NUM_MASKS):
        room.masks[depth + 1, k] = room.masks[depth, k]
    for k in range(NUM_COUNTERS):
        room.counters[depth + 1, k] = room.counters[depth, k]
    play(room.masks[depth + 1], room.waves[depth + 1], room.counters[depth + 1], field)


@kernel
def takes(masks: Masks, mover: int, field: int) -> bool:
    """Returns whether a stone of the mover would take its field."""
    return bool(count_stones(masks, mover, field) + 1 >= THRESHOLDS[field])


@kernel
def search(room: Room, depth: int, alpha: int, beta: int) -> int:
    """Returns the value of the position at a depth, exactly if it lies between `alpha` and `beta`, else on its side.

    Meaningless once HAS_FAILED is set: the limit of nodes was reached.
    """
    masks, counters = room.masks[depth], room.counters[depth]
    if counters[END_REASON] != RUNNING:
        return value_of_end(masks, counters)
    if room.progress[NODES] >= room.progress[LIMIT] or depth + 1 == MAX_DEPTH:
        room.progress[HAS_FAILED] = 1
        return 0
    room.progress[NODES] += 1
    slot = find_slot(room, depth)
    if is_known(room, depth, slot):
        least, most = room.bounds[slot, 0], room.bounds[slot, 1]
        if least >= beta or least == most:
            return int(least)
        if most <= alpha:
            return int(most)
    mover = counters[TO_MOVE]
    low, high = alpha, beta
    best = LOSS if mover == 0 else WIN
    for order in range(2 * NUM_FIELDS):  # stones that take something come first
        field = order % NUM_FIELDS
        if not is_legal(masks, field) or takes(masks, mover, field) != (order < NUM_FIELDS):
            continue
        play_ahead(room, depth, field)
        value = search(room, depth + 1, low, high)
        if room.progress[HAS_FAILED] == 1:
            return 0
        if mover == 0:
            best = max(best, value)
            low = max(low, best)
        else:
            best = min(best, value)
            high = min(high, best)
        if low >= high:
            break
    note_value(room, depth, best, (alpha, beta))
    return best


def start(room: Room, state: ArondaState, num_nodes: int) -> None:
    """Makes the position of a state that at depth 0, with a limit of nodes; the table is kept."""
    masks, _, counters = state.arrays()
    room.masks[0], room.counters[0] = masks[0], counters[0]
    room.progress[:] = 0, num_nodes, 0
