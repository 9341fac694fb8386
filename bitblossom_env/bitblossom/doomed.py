"""R3: the three tests on one provisional board, their union without home bases, and the budget that follows (R2.1)."""

from __future__ import annotations

from ..core.bitboard import ZERO, Masks, clear
from ..core.bits import count_bits
from ..core.jit import kernel, small_kernel
from .cuts import mark_cuts
from .rings import mark_rings
from .state import (
    BASES,
    BONUS,
    BONUS_CAP,
    CUT,
    DOOMED,
    ENEMIES,
    FIRST_TURN_PLACEMENTS,
    FRESH,
    NOW_SEA,
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
from .territory import lost_sea_in_row, sea_field


@kernel
def mark_doomed(masks: Masks, counters: Counters) -> None:
    """Recomputes the captures by each rule, DOOMED, BONUS and REMAINING from the provisional board and NOW_SEA."""
    stones = STONES + counters[TO_MOVE]
    if counters[WITH_RING_ORTHOGONAL] or counters[WITH_RING_DIAGONAL]:
        mark_rings(masks, stones)  # R3.1
        if not counters[WITH_RING_ORTHOGONAL]:
            clear(masks, RING_ORTHOGONAL)
        if not counters[WITH_RING_DIAGONAL]:
            clear(masks, RING_DIAGONAL)
    if counters[WITH_CUTS]:  # R3.2
        mark_cuts(masks, counters)
    sea = sea_field(counters, counters[TO_MOVE])
    walls = ~ZERO if counters[WITH_TERRITORY] else ZERO
    for r in range(masks.shape[1]):
        doomed = masks[RING_ORTHOGONAL, r] | masks[RING_DIAGONAL, r] | masks[CUT, r]
        doomed |= masks[ENEMIES, r] & lost_sea_in_row(masks, sea, r) & walls  # R3.3
        masks[DOOMED, r] = doomed & ~masks[BASES, r]
    fill_budget(masks, counters)


@small_kernel
def fill_budget(masks: Masks, counters: Counters) -> None:
    """Writes BONUS and REMAINING, R2.1 and R2.8."""
    bonus = 0
    num_placed = 0
    for r in range(masks.shape[1]):
        bonus += count_bits(masks[CUT, r] & ~masks[BASES, r])
        num_placed += count_bits(masks[FRESH, r]) + count_bits(masks[OVERLAYS, r])
    if counters[BONUS_CAP] != UNLIMITED:
        bonus = min(bonus, counters[BONUS_CAP])
    budget = counters[FIRST_TURN_PLACEMENTS] if counters[TURN] == 0 else counters[PLACEMENTS]
    counters[BONUS] = bonus
    counters[REMAINING] = budget + bonus - num_placed


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
    sea = sea_field(counters, int(counters[TO_MOVE]))
    walled = masks[ENEMIES] & masks[sea] & ~masks[NOW_SEA]
    taken["territory"] = walled & masks[DOOMED]  # nothing where the rules switch this capture off
    return {name: sum(int(word).bit_count() for word in words) for name, words in taken.items()}
