"""What a tree search asks of Aronda: keys of positions, priors of fields, playing on, values.

A game of Aronda is short, so every simulation is played to its end.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from agents.search.chance import HALF, START, Chance, draw_bit, mixed
from agents.search.rules import Priors, Room, Values
from bitblossom_env.aronda.board import NUM_FIELDS, THRESHOLDS
from bitblossom_env.aronda.captures import count_stones
from bitblossom_env.aronda.observation import fill_action_mask, fill_planes
from bitblossom_env.aronda.state import (
    BLOCKADE,
    END_REASON,
    LEGAL,
    NUM_SEATS,
    ONES,
    OWNED,
    RUNNING,
    STONES_LEFT,
    TO_MOVE,
    TWOS,
    Counters,
    Masks,
    Waves,
)
from bitblossom_env.aronda.turn import is_legal
from bitblossom_env.aronda.turn import play as play_stone
from bitblossom_env.core.bitboard import Word
from bitblossom_env.core.bits import count_bits
from bitblossom_env.core.jit import kernel

Board = tuple[Masks, Waves, Counters]  # one game: masks uint64 [M], waves int8 [25], counters int32 [K]

# --- settings, float64 ---------------------------------------------------------------------------------------------
TEMPERATURE = 0  # fields gained that make a field e times as likely
NEARNESS = 1  # fields that one stone more towards a threshold is worth
UNIFORM = 2  # share of the priors that all legal fields have alike
NUM_TRIES = 3  # fields that a rollout looks at for each stone
SETTINGS = (1.0, 1.0, 0.2, 4.0)
WIN_WEIGHT = 0.9  # of the value of a finished game; the rest is the share of the owned fields


class Desk(NamedTuple):
    """What the kernels of this game write in."""

    trial: Board
    worths: NDArray[np.float64]  # [25]
    chance: Chance
    settings: NDArray[np.float64]


ArondaRoom: TypeAlias = "Room[Board, Desk]"


@kernel
def copy_board(source: Board, target: Board) -> None:
    """Makes `target` equal to `source`; in which waves fields were taken is left out."""
    for k in range(source[0].shape[0]):
        target[0][k] = source[0][k]
    for k in range(source[2].shape[0]):
        target[2][k] = source[2][k]


@kernel
def key_of(board: Board) -> Word:
    """Returns 64 bits of what decides how the game goes on; how long it has taken does not."""
    masks, _, counters = board
    key = START
    for seat in range(NUM_SEATS):
        key = mixed(key, masks[OWNED + seat] | (masks[ONES + seat] << HALF))
        key = mixed(key, masks[TWOS + seat])
    return mixed(key, np.uint64(counters[TO_MOVE]) | (np.uint64(counters[STONES_LEFT]) << HALF))


@kernel
def mover_of(board: Board) -> int:
    """Returns the seat to move."""
    return int(board[2][TO_MOVE])


@kernel
def is_over(board: Board) -> bool:
    """Returns whether the game has ended."""
    return bool(board[2][END_REASON] != RUNNING)


@kernel
def _gain(board: Board, field: int, trial: Board) -> int:
    """Returns how many fields the mover gains by a stone in a field; one that ends the game by a blockade gains all."""
    mover = board[2][TO_MOVE]
    copy_board(board, trial)
    play_stone(trial[0], trial[1], trial[2], field)
    if trial[2][END_REASON] == BLOCKADE:
        return NUM_FIELDS
    return int(count_bits(trial[0][OWNED + mover]) - count_bits(board[0][OWNED + mover]))


@kernel
def fill_priors(room: ArondaRoom, priors: Priors) -> None:
    """Fills the priors: fields gained, and how near a stone brings a field to its threshold, against the best field."""
    board, desk = room.board, room.desk
    mover = board[2][TO_MOVE]
    best = -math.inf
    for field in range(NUM_FIELDS):
        desk.worths[field] = -math.inf
        if is_legal(board[0], field):
            gain = _gain(board, field, desk.trial)
            missing = 0 if gain > 0 else THRESHOLDS[field] - 1 - count_stones(board[0], mover, field)
            desk.worths[field] = gain - desk.settings[NEARNESS] * missing
            best = max(best, desk.worths[field])
    total = 0.0
    for field in range(NUM_FIELDS):
        desk.worths[field] = math.exp((desk.worths[field] - best) / desk.settings[TEMPERATURE])
        total += desk.worths[field]
    uniform = desk.settings[UNIFORM] / count_bits(board[0][LEGAL])
    for field in range(NUM_FIELDS):
        priors[field] = 0.0
        if is_legal(board[0], field):
            priors[field] = (1 - desk.settings[UNIFORM]) * desk.worths[field] / total + uniform


@kernel
def play(room: ArondaRoom, field: int) -> None:
    """Places a stone on the board of a room."""
    play_stone(room.board[0], room.board[1], room.board[2], field)


@kernel
def _win_share(board: Board, seat: int) -> float:
    """Returns 1 for the winner of a finished game, 0 for the loser, a half for both where nobody has won."""
    masks, _, counters = board
    if counters[END_REASON] == BLOCKADE:
        return 1.0 if counters[TO_MOVE] == seat else 0.0
    own, other = count_bits(masks[OWNED + seat]), count_bits(masks[OWNED + 1 - seat])
    if own == other:
        return 0.5
    return 1.0 if own > other else 0.0


@kernel
def fill_values(board: Board, values: Values) -> None:
    """Fills what a finished game is worth to each seat: who has won, and a little of the owned fields."""
    total = 0
    for seat in range(NUM_SEATS):
        total += count_bits(board[0][OWNED + seat])
    for seat in range(NUM_SEATS):
        share = count_bits(board[0][OWNED + seat]) / total if total > 0 else 0.5
        values[seat] = WIN_WEIGHT * _win_share(board, seat) + (1 - WIN_WEIGHT) * share


@kernel
def fill_returns(room: ArondaRoom) -> None:
    """Fills what each seat has got at the board of a room, which is over."""
    for seat in range(NUM_SEATS):
        room.values[seat] = 2 * _win_share(room.board, seat) - 1


@kernel
def look(room: ArondaRoom, planes: NDArray[np.uint8], legal: NDArray[np.int8]) -> None:
    """Fills what the mover at the board of a room sees, and where it may place."""
    masks, _, counters = room.board
    fill_planes(masks, counters, counters[TO_MOVE], planes)
    fill_action_mask(masks, legal)


@kernel
def _draw_field(room: ArondaRoom) -> int:
    """Returns the one of a few fields, drawn from the legal ones, that gains most."""
    board, desk = room.board, room.desk
    legal = board[0][LEGAL]
    num_legal = count_bits(legal)
    chosen = draw_bit(legal, num_legal, desk.chance)
    tries = int(desk.settings[NUM_TRIES])
    if tries <= 1:
        return chosen
    best = _gain(board, chosen, desk.trial)
    for _ in range(1, tries):
        field = draw_bit(legal, num_legal, desk.chance)
        gain = _gain(board, field, desk.trial)
        if gain > best:
            chosen, best = field, gain
    return chosen


@kernel
def play_out(room: ArondaRoom) -> None:
    """Plays on from the board of a room to the end and fills its values."""
    while not is_over(room.board):
        play(room, _draw_field(room))
    fill_values(room.board, room.values)
