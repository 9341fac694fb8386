"""How a finished game counts (A4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.game import EndReason, Outcome
from .board import NUM_FIELDS
from .state import ALL_PASSED, BLOCKADE, END_REASON, FULL_BOARD, MAJORITY_OWNED, NUM_SEATS, OWNED, TO_MOVE, ArondaState

REASONS = {
    FULL_BOARD: EndReason.FULL_BOARD,
    MAJORITY_OWNED: EndReason.MAJORITY,
    BLOCKADE: EndReason.BLOCKADE,
    ALL_PASSED: EndReason.ALL_PASSED,
}
NOBODY = -1
FIRST, SECOND, SHARED = 1.0, 2.0, 1.5  # ranks


def owner_map(state: ArondaState, index: int) -> NDArray[np.int8]:
    """Returns int8 [25]: the seat that owns each field of a game, -1 nobody."""
    owner = np.full(NUM_FIELDS, NOBODY, np.int8)
    for seat in range(NUM_SEATS):
        word = int(state.masks[index, OWNED + seat])
        owner[[field for field in range(NUM_FIELDS) if word >> field & 1]] = seat
    return owner


def outcome_of(state: ArondaState, index: int) -> Outcome | None:
    """Returns how a game ended, None while it runs."""
    reason = REASONS.get(int(state.counters[index, END_REASON]))
    if reason is None:
        return None
    owner = owner_map(state, index)
    areas = tuple(int((owner == seat).sum()) for seat in range(NUM_SEATS))
    winners = tuple(seat for seat in range(NUM_SEATS) if areas[seat] == max(areas))
    if reason is EndReason.BLOCKADE:  # whatever the fields owned
        winners = (int(state.counters[index, TO_MOVE]),)
    owner.flags.writeable = False
    return Outcome(
        reason=reason,
        winners=winners,
        areas=areas,
        ranks=tuple(SHARED if len(winners) == NUM_SEATS else FIRST if seat in winners else SECOND for seat in range(2)),
        owner=owner,
        truncated=False,
    )


def returns_of(reward: str, outcome: Outcome) -> NDArray[np.float64]:
    """Returns float64 [2], zero-sum, what each seat is paid at the end.

    For `reward` "win": 1 for the winner, -1 for the loser, 0 for both if they share the win. For "area": the fields
    that it owns more than the other, as a share of all 25.
    """
    if reward == "area":
        lead = (outcome.areas[0] - outcome.areas[1]) / NUM_FIELDS
        return np.array([lead, -lead])
    if len(outcome.winners) == NUM_SEATS:
        return np.zeros(NUM_SEATS)
    return np.array([1.0 if seat in outcome.winners else -1.0 for seat in range(NUM_SEATS)])
