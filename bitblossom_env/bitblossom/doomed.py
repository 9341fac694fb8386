"""R3: the three tests on one provisional board, their union without home bases, and the budget that follows (R2.1)."""

from __future__ import annotations

import numpy as np

from ..core.bitboard import ZERO, Masks, count_cells
from ..core.bits import count_bits
from ..core.jit import kernel
from .cuts import mark_cuts
from .rings import mark_diagonal_rings, mark_orthogonal_rings
from .state import (
    BASES,
    BONUS,
    BONUS_CAP,
    CUT,
    DOOMED,
    FIRST_TURN_PLACEMENTS,
    FRESH,
    OVERLAYS,
    PLACEMENTS,
    REMAINING,
    RING_DIAGONAL,
    RING_ORTHOGONAL,
    STONES,
    TO_MOVE,
    TURN,
    UNLIMITED,
    WITH_CUTS,
    WITH_RING_DIAGONAL,
    WITH_RING_ORTHOGONAL,
    WITH_TERRITORY,
    Counters,
    State,
)
from .territory import captured_in_row, mark_now_sea


@kernel
def mark_doomed(masks: Masks, counters: Counters) -> None:
    """Recomputes NOW_SEA, the captures by each rule, DOOMED, BONUS and REMAINING from the provisional board."""
    stones = STONES + counters[TO_MOVE]
    mark_now_sea(masks, counters)  # R3.3
    if counters[WITH_RING_ORTHOGONAL]:  # R3.1
        mark_orthogonal_rings(masks, stones)
    if counters[WITH_RING_DIAGONAL]:  # R3.1
        mark_diagonal_rings(masks, stones)
    if counters[WITH_CUTS]:  # R3.2
        mark_cuts(masks, counters)
    for r in range(masks.shape[1]):
        doomed = masks[RING_ORTHOGONAL, r] | masks[RING_DIAGONAL, r] | masks[CUT, r]
        if counters[WITH_TERRITORY]:
            doomed |= captured_in_row(masks, counters, r)
        masks[DOOMED, r] = doomed & ~masks[BASES, r]
    fill_budget(masks, counters)


@kernel
def fill_budget(masks: Masks, counters: Counters) -> None:
    """Writes BONUS and REMAINING, R2.1 and R2.8."""
    bonus = 0
    for r in range(masks.shape[1]):
        bonus += count_bits(masks[CUT, r] & ~masks[BASES, r])
    if counters[BONUS_CAP] != UNLIMITED:
        bonus = min(bonus, counters[BONUS_CAP])
    budget = counters[FIRST_TURN_PLACEMENTS] if counters[TURN] == 0 else counters[PLACEMENTS]
    counters[BONUS] = bonus
    counters[REMAINING] = budget + bonus - count_cells(masks, FRESH) - count_cells(masks, OVERLAYS)


@kernel
def is_turn_sound(masks: Masks, counters: Counters) -> bool:
    """Returns whether the turn invariants hold, R2.4: the budget is kept, every overlay lies on a doomed piece."""
    for r in range(masks.shape[1]):
        if masks[OVERLAYS, r] & ~masks[DOOMED, r] != ZERO:
            return False
    return counters[REMAINING] >= 0


def count_captures(state: State) -> dict[str, int]:
    """Returns how many pieces each rule would take from game 0 if the turn ended now; a piece counts under each."""
    masks, counters = state.masks[0], state.counters[0]
    fields = {"ring_orthogonal": RING_ORTHOGONAL, "ring_diagonal": RING_DIAGONAL, "cut": CUT}
    taken = {name: masks[field] & ~masks[BASES] for name, field in fields.items()}
    walled = np.array([captured_in_row(masks, counters, r) for r in range(masks.shape[1])], np.uint64)
    taken["territory"] = walled & masks[DOOMED]  # nothing where the rules switch this capture off
    return {name: sum(int(word).bit_count() for word in words) for name, words in taken.items()}
