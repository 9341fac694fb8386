"""The state of B games of Aronda: three arrays with a leading game axis, their fields named once.

* `masks uint64 [B, M]`: sets of fields, bit f is field f of `board.py`. The number of stones of a seat in a field is
  0..3 while it is unowned, two bits of it in two sets.
* `waves int8 [B, 25]`: in which wave the latest stone took a field, 1 for its own from inside; 0 if it did not.
* `counters int32 [B, K]`: the rules of the game, then what changes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.array_state import ArrayState
from .board import NUM_FIELDS

Masks = NDArray[np.uint64]
Waves = NDArray[np.int8]
Counters = NDArray[np.int32]

# --- masks [M] -------------------------------------------------------------------------------------------------------
OWNED = 0  # + seat: fields that the seat owns
ONES = 2  # + seat: fields where the number of its stones is odd
TWOS = 4  # + seat: fields where it is two or three
LAST_TURN = 6  # fields with stones placed in the latest turn that are still there
LEGAL = 7  # derived (reach.py): where the seat to move may place; empty after the end
NUM_MASKS = 8

# --- counters [K] ----------------------------------------------------------------------------------------------------
WITH_BLOCKADE = 0  # A4.3, 1 on, 0 off
STOP_AT_MAJORITY = 1  # A4.2, 1 on, 0 off
TURN = 2  # number of the current turn, from 0
TO_MOVE = 3  # seat; after the end, the one that placed last
STONES_LEFT = 4  # stones that may still be placed in this turn, the next one counted
HAS_BEGUN = 5  # 1 once a stone of this turn has been placed
END_REASON = 6  # RUNNING, or one of the codes below
STARTER = 7  # seat that began
NUM_COUNTERS = 8

NUM_SEATS = 2
TURN_STONES = 2  # A2.1
RUNNING = 0
FULL_BOARD = 1
MAJORITY_OWNED = 2
BLOCKADE = 3
ALL_PASSED = 4


@dataclass
class ArondaState(ArrayState):
    """Arrays of B games; what `get_state` hands out has B = 1."""

    NUM_RULES = TURN
    MOVER_COUNTER, TURN_COUNTER, END_COUNTER = TO_MOVE, TURN, END_REASON
    masks: Masks
    waves: Waves
    counters: Counters

    def arrays(self) -> tuple[Masks, Waves, Counters]:
        """Returns the arrays as kernels take them."""
        return self.masks, self.waves, self.counters


def new_state(num_games: int, blockade: bool, stop_at_majority: bool) -> ArondaState:
    """Returns games before the first stone, seat 0 to begin; LEGAL not filled."""
    counters = np.zeros((num_games, NUM_COUNTERS), np.int32)
    counters[:, WITH_BLOCKADE] = blockade
    counters[:, STOP_AT_MAJORITY] = stop_at_majority
    counters[:, STONES_LEFT] = 1
    return ArondaState(
        np.zeros((num_games, NUM_MASKS), np.uint64), np.zeros((num_games, NUM_FIELDS), np.int8), counters
    )
