"""Everything that follows from pieces, recencies and counters, worked out anew: for new games and given positions."""

from __future__ import annotations

from ..core.bitboard import Masks, is_empty
from ..core.jit import kernel
from .legality import mark_legal
from .sea_replay import Work
from .standing import fill_eliminated, find_end, mark_enemies, mark_last_turn, replay_sea
from .state import (
    END_REASON,
    FRESH,
    NUM_SEATS,
    OVERLAYS,
    RETRACTIONS,
    RUNNING,
    STONES,
    TO_MOVE,
    Counters,
    Stamps,
)
from .territory import mark_now_sea


@kernel
def derive_all(masks: Masks, stamps: Stamps, counters: Counters, work: Work) -> None:
    """Fills every derived field of a position whose pieces, recencies and counters are set.

    A position without a stone or a retraction of this turn is judged as at the end of the turn before.
    """
    mover = counters[TO_MOVE]
    mark_enemies(masks, counters)
    mark_last_turn(masks, stamps, counters)
    for r in range(masks.shape[1]):  # the mover's replay at the start of the turn knows no stone of this turn
        masks[STONES + mover, r] ^= masks[FRESH, r]
    for seat in range(counters[NUM_SEATS]):
        replay_sea(masks, stamps, counters, seat, work)
    for r in range(masks.shape[1]):
        masks[STONES + mover, r] ^= masks[FRESH, r]
    mark_now_sea(masks, counters)
    fill_eliminated(masks, counters)
    counters[END_REASON] = RUNNING
    if counters[RETRACTIONS] == 0 and is_empty(masks, FRESH) and is_empty(masks, OVERLAYS):
        counters[END_REASON] = find_end(masks, counters)
    mark_legal(masks, counters)
