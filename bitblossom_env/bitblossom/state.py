"""The state of B games of Bit Blossom: three arrays with a leading game axis, their fields named once.

* `masks uint64 [B, M, rows]`: sets of cells, fields below, then one set per seat for stones and one for seas.
* `stamps int32 [B, 2, N]`: two numbers per cell that holds a piece, N = rows x cols.
* `counters int32 [B, K]`: the rules of the game, then what changes.

Fields marked *derived* follow from the others and have one owner that recomputes them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.array_state import ArrayState
from .config import MAX_SEATS, Config

Masks = NDArray[np.uint64]
Stamps = NDArray[np.int32]
Counters = NDArray[np.int32]

# --- masks [M, rows] ---------------------------------------------------------------------------------------------
BASES = 0  # home bases of all seats
FRESH = 1  # the mover's stones of this turn, overlays left out
OVERLAYS = 2  # the mover's overlays of this turn
LAST_TURN = 3  # derived (turn.py, standing.py): stones placed in the previous turn that are still there
ENEMIES = 4  # derived (standing.py): pieces of every seat but the mover
NOW_SEA = 5  # derived (territory.py): the mover's sea on the provisional board
RING_ORTHOGONAL = 6  # derived (doomed.py): enemy pieces in an orthogonal ring, bases included
RING_DIAGONAL = 7  # derived (doomed.py): the same for a diagonal ring
CUT = 8  # derived (doomed.py): enemy pieces taken by a cut, bases included
DOOMED = 9  # derived (doomed.py): what is removed if the turn ends now
PLACEABLE = 10  # derived (legality.py): cells where the mover may place
RETRACTABLE = 11  # derived (legality.py): cells that the mover may retract
WORK_A = 12  # scratch of sea.py, scoring.py
WORK_B = 13  # scratch of sea.py, territory.py, scoring.py
WORK_C = 14  # scratch of legality.py, scoring.py
STONES = 15  # + seat: pieces of the seat, bases included, overlays left out
#              then, + P + seat, derived (standing.py): the seat's sea at the start of the turn, see territory.py

# --- stamps [2, N] -------------------------------------------------------------------------------------------------
STAMP = 0  # turn in which the (lower) piece was placed, PRE_GAME for bases, NO_PIECE
RECENCY = 1  # derived (standing.py): distinct stamps newer than the piece's at the start of the turn, 0.. ; 0 if fresh
PRE_GAME = -1
NO_PIECE = -2

# --- counters [K] ------------------------------------------------------------------------------------------------
NUM_SEATS = 0  # 2..8
NUM_COLUMNS = 1  # 3..32
PLACEMENTS = 2  # R2.1
FIRST_TURN_PLACEMENTS = 3  # R2.8, the usual budget where the rules name none
MAX_RETRACTIONS = 4  # R2.6, UNLIMITED for no cap
BONUS_CAP = 5  # R2.1, UNLIMITED for no cap
OPENING_RULE = 6  # R2.7, 1 on, 0 off
MAX_TURNS = 7  # R4.3, UNLIMITED for none
END_ON_ALL_PASS = 8  # R4.3, 1 on, 0 off
WITH_RING_ORTHOGONAL = 9  # R3.1
WITH_RING_DIAGONAL = 10  # R3.1
WITH_CUTS = 11  # R3.2
WITH_TERRITORY = 12  # R3.3, the capture only: territory itself always counts
TURN = 13  # number of the current turn, from 0
TO_MOVE = 14  # seat
PASSES = 15  # passes in a row
RETRACTIONS = 16  # retractions of this turn
END_REASON = 17  # RUNNING, or an index of END_REASONS + 1
BONUS = 18  # derived (doomed.py): placements refunded by pending cuts, cap applied
REMAINING = 19  # derived (doomed.py): placements left, R2.1
NUM_CELLS = 20  # N = rows x cols; fixed
NOW_PARTS = 21  # derived (territory.py): components of NOW_SEA, all equally great
NOW_RUNNER_UP = 22  # derived (territory.py): no rimmed component of this turn's division outside NOW_SEA has more cells
TURNS_TAKEN = 23  # + seat: turns that the seat has ended, passes included
ELIMINATED = TURNS_TAKEN + MAX_SEATS  # + seat: 1 while eliminated, the status at the start of this turn
SEA_PARTS = ELIMINATED + MAX_SEATS  # + seat, derived (standing.py): components of the seat's sea, all equally great
NUM_COUNTERS = SEA_PARTS + MAX_SEATS

UNLIMITED = -1
RUNNING = 0
LAST_SURVIVOR = 1
ALL_ELIMINATED = 2
FULL_BOARD = 3
ALL_PASSED = 4
TURN_LIMIT = 5


@dataclass
class State(ArrayState):
    """Arrays of B games; what `get_state` hands out has B = 1."""

    NUM_RULES = TURN
    MOVER_COUNTER, TURN_COUNTER, END_COUNTER = TO_MOVE, TURN, END_REASON
    masks: Masks
    stamps: Stamps
    counters: Counters

    def copy(self) -> State:
        """Returns a state that shares no memory with this one; written out, since searches live on it."""
        return State(self.masks.copy(), self.stamps.copy(), self.counters.copy())


def num_fields(num_seats: int) -> int:
    """Returns M, the number of sets that a game of `num_seats` keeps."""
    return STONES + 2 * num_seats


def new_state(config: Config, num_games: int) -> State:
    """Returns `num_games` empty boards under the rules of `config`; no pieces, derived fields not filled."""
    masks = np.zeros((num_games, num_fields(config.num_players), config.rows), np.uint64)
    stamps = np.zeros((num_games, 2, config.num_cells), np.int32)
    stamps[:, STAMP] = NO_PIECE
    counters = np.zeros((num_games, NUM_COUNTERS), np.int32)
    counters[:, :TURN] = rule_counters(config)
    counters[:, NUM_CELLS] = config.num_cells
    return State(masks, stamps, counters)


def rule_counters(config: Config) -> list[int]:
    """Returns the counters before TURN: the rules, in the order of the fields above."""

    def or_unlimited(value: int | None) -> int:
        return UNLIMITED if value is None else value

    first = config.first_turn_placements
    return [
        config.num_players,
        config.cols,
        config.placements_per_turn,
        config.placements_per_turn if first is None else first,
        or_unlimited(config.max_retractions_per_turn),
        or_unlimited(config.bonus_cap),
        int(config.opening_rule == "base-neighbourhood"),
        or_unlimited(config.turn_limit),
        int(config.end_on_all_pass),
        int(config.ring_orthogonal),
        int(config.ring_diagonal),
        int(config.cuts),
        int(config.territory),
    ]


def hash_of(state: State) -> int:
    """Returns 64 bits of the rules and the position of game 0; nothing derived and no order of placing enters them."""
    masks, stamps, counters = state.masks[0], state.stamps[0], state.counters[0]
    num_seats = int(counters[NUM_SEATS])
    digest = hashlib.blake2b(digest_size=8)
    digest.update(masks[STONES : STONES + num_seats].tobytes())
    digest.update(masks[[BASES, FRESH, OVERLAYS]].tobytes())
    digest.update(stamps[STAMP].tobytes())
    digest.update(counters[: END_REASON + 1].tobytes())
    digest.update(counters[TURNS_TAKEN : TURNS_TAKEN + num_seats].tobytes())
    return int.from_bytes(digest.digest(), "big")
