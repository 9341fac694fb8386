"""R4.3 and R4.4: areas, who wins, the ranking and what each seat is paid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..core.bitboard import ONE, ZERO, Masks, Word, full_row
from ..core.bits import count_bits
from ..core.game import EndReason, Outcome
from ..core.jit import kernel
from .sea_replay import AREAS, Work
from .state import ENEMIES, NUM_COLUMNS, NUM_SEATS, STONES, TO_MOVE, WORK_A, WORK_B, WORK_C, Counters
from .territory import now_sea_field

NOBODY = -1
END_REASONS = (  # in the order of the codes LAST_SURVIVOR.. of state.py
    EndReason.LAST_SURVIVOR,
    EndReason.ALL_ELIMINATED,
    EndReason.FULL_BOARD,
    EndReason.ALL_PASSED,
    EndReason.TURN_LIMIT,
)


@kernel
def count_areas(masks: Masks, counters: Counters, work: Work) -> None:
    """Fills AREAS of `work`: a seat's pieces, and the empty cells in its territory and in nobody else's (R4.4).

    Uses WORK_A to WORK_C of the game: no two threads may look at one game at once.
    """
    mover = counters[TO_MOVE]
    board = full_row(counters[NUM_COLUMNS])
    for r in range(masks.shape[1]):
        masks[WORK_A, r] = ZERO  # in some territory
        masks[WORK_B, r] = ZERO  # in more than one
        masks[WORK_C, r] = board & ~(masks[ENEMIES, r] | masks[STONES + mover, r])  # empty
    for seat in range(counters[NUM_SEATS]):
        sea = now_sea_field(counters, seat)
        for r in range(masks.shape[1]):
            outside = masks[WORK_C, r] & ~masks[sea, r]
            masks[WORK_B, r] |= masks[WORK_A, r] & outside
            masks[WORK_A, r] |= outside
    for seat in range(counters[NUM_SEATS]):
        sea = now_sea_field(counters, seat)
        area = 0
        for r in range(masks.shape[1]):
            own = masks[WORK_C, r] & ~masks[sea, r] & ~masks[WORK_B, r]
            area += count_bits(masks[STONES + seat, r] | own)
        work[AREAS, seat] = area


@kernel
def fill_owner(masks: Masks, counters: Counters, owner: NDArray[np.int8]) -> None:
    """Fills int8 [rows, cols]: the seat that each cell counts for, NOBODY if none (R4.4)."""
    for r in range(masks.shape[1]):
        for c in range(counters[NUM_COLUMNS]):
            owner[r, c] = _find_owner(masks, counters, r, np.uint64(c))


@kernel
def _find_owner(masks: Masks, counters: Counters, row: int, column: Word) -> int:
    """Returns the seat that a cell counts for: its piece's owner, else the one seat in whose territory it lies."""
    claimant = NOBODY
    num_claims = 0
    for seat in range(counters[NUM_SEATS]):
        if (masks[STONES + seat, row] >> column) & ONE != ZERO:
            return seat
        if (masks[now_sea_field(counters, seat), row] >> column) & ONE == ZERO:
            claimant = seat
            num_claims += 1
    return claimant if num_claims == 1 else NOBODY


def ranks_of(areas: Sequence[int], eliminated: Sequence[bool]) -> tuple[float, ...]:
    """Returns the rank of each seat, 1 is best: survivors before eliminated, each by area, ties averaged."""
    most = max(areas) + 1
    scores = [area if out else area + most for area, out in zip(areas, eliminated, strict=True)]
    ranks = []
    for own in scores:
        num_better = len([other for other in scores if other > own])
        ranks.append(1 + num_better + (scores.count(own) - 1) / 2)
    return tuple(ranks)


def returns_of(reward: str, outcome: Outcome) -> NDArray[np.float64]:
    """Returns float64 [P], zero-sum: what each seat is paid at the end for `reward` "win", "rank" or "area"."""
    num_seats = len(outcome.areas)
    if reward == "rank":
        return 1 - 2 * (np.array(outcome.ranks) - 1) / (num_seats - 1)
    if reward == "area":
        shares = np.array(outcome.areas) / outcome.owner.size
        return np.asarray(shares - (shares.sum() - shares) / (num_seats - 1))
    num_winners = len(outcome.winners)
    if num_winners == num_seats:
        return np.zeros(num_seats)
    paid = np.full(num_seats, -1 / (num_seats - num_winners))
    paid[list(outcome.winners)] = 1 / num_winners
    return paid


def make_outcome(code: int, areas: Sequence[int], eliminated: Sequence[bool], owner: NDArray[np.int8]) -> Outcome:
    """Returns the outcome for an end code of state.py (R4.3)."""
    reason = END_REASONS[code - 1]
    contenders = [seat for seat, out in enumerate(eliminated) if not out] or list(range(len(areas)))
    best = max(areas[seat] for seat in contenders)
    owner.flags.writeable = False
    return Outcome(
        reason=reason,
        winners=tuple(seat for seat in contenders if areas[seat] == best),
        areas=tuple(areas),
        ranks=ranks_of(areas, eliminated),
        owner=owner,
        truncated=reason is EndReason.TURN_LIMIT,
    )
