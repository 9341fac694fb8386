"""What a seat sees: planes uint8 [F, 25], and where it may place, int8 [25].

`k` counts seats from the observer on: 0 itself, 1 the other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.bitboard import ONE
from ..core.jit import kernel
from .board import NUM_FIELDS, THRESHOLDS
from .state import (
    END_REASON,
    LAST_TURN,
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
)

# Number of the plane, in order.
STONES_PLANE = 0  # + k: stones in a field, 0..3
OWNED_PLANE = 2  # + k: 1 where the seat owns the field
THRESHOLD_PLANE = 4  # 2, 3 or 4
LAST_TURN_PLANE = 5  # 1 where a stone of the latest turn lies
ACTIVE_PLANE = 6  # + k, constant: 1 if the seat is to move
STONES_LEFT_PLANE = 8  # constant: stones that the seat to move may still place in this turn, 1 or 2; 0 after the end
PLANE_NAMES = (
    *(f"stones/{k}" for k in range(NUM_SEATS)),
    *(f"owned/{k}" for k in range(NUM_SEATS)),
    "threshold",
    "last_turn",
    *(f"active/{k}" for k in range(NUM_SEATS)),
    "stones_left",
)


@kernel
def fill_planes(masks: Masks, counters: Counters, observer: int, planes: NDArray[np.uint8]) -> None:
    """Fills uint8 [F * 25] with what seat `observer` sees."""
    is_running = counters[END_REASON] == RUNNING
    left = counters[STONES_LEFT] if is_running else 0
    for k in range(NUM_SEATS):
        seat = observer ^ k
        active = 1 if is_running and counters[TO_MOVE] == seat else 0
        ones, twos, owned = masks[ONES + seat], masks[TWOS + seat], masks[OWNED + seat]
        for field in range(NUM_FIELDS):
            place = np.uint64(field)
            planes[(STONES_PLANE + k) * NUM_FIELDS + field] = ((ones >> place) & ONE) + ((twos >> place) & ONE) * 2
            planes[(OWNED_PLANE + k) * NUM_FIELDS + field] = (owned >> place) & ONE
            planes[(ACTIVE_PLANE + k) * NUM_FIELDS + field] = active
    for field in range(NUM_FIELDS):
        planes[THRESHOLD_PLANE * NUM_FIELDS + field] = THRESHOLDS[field]
        planes[LAST_TURN_PLANE * NUM_FIELDS + field] = (masks[LAST_TURN] >> np.uint64(field)) & ONE
        planes[STONES_LEFT_PLANE * NUM_FIELDS + field] = left


@kernel
def fill_action_mask(masks: Masks, out: NDArray[np.int8]) -> None:
    """Fills int8 [25]: 1 where the seat to move may place."""
    for field in range(NUM_FIELDS):
        out[field] = (masks[LEGAL] >> np.uint64(field)) & ONE
