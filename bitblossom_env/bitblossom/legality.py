"""R2.2-R2.7: which cells the mover may place on, and which stones it may take back."""

from __future__ import annotations

from ..core.bitboard import (
    ZERO,
    Masks,
    Word,
    cell_bit,
    clear,
    copy,
    full_row,
    is_empty,
    neighbours_in_row,
    unite,
)
from ..core.bits import lowest_bit
from ..core.jit import kernel, small_kernel
from .doomed import is_turn_sound, mark_doomed
from .state import (
    BASES,
    BONUS,
    CUT,
    DOOMED,
    END_REASON,
    ENEMIES,
    FRESH,
    MAX_RETRACTIONS,
    NOW_SEA,
    NUM_COLUMNS,
    OPENING_RULE,
    OVERLAYS,
    PLACEABLE,
    REMAINING,
    RETRACTABLE,
    RETRACTIONS,
    RING_DIAGONAL,
    RING_ORTHOGONAL,
    RUNNING,
    STONES,
    TO_MOVE,
    TURNS_TAKEN,
    UNLIMITED,
    WORK_C,
    Counters,
)
from .territory import keeps_division, mark_now_sea


@kernel
def mark_legal(masks: Masks, counters: Counters) -> None:
    """Recomputes everything that follows from the provisional board: doomed pieces, budget, PLACEABLE, RETRACTABLE."""
    mark_doomed(masks, counters)
    if counters[END_REASON] != RUNNING:
        clear(masks, PLACEABLE)
        clear(masks, RETRACTABLE)
        return
    mark_retractable(masks, counters)
    mark_placeable(masks, counters)


@kernel
def mark_placeable(masks: Masks, counters: Counters) -> None:
    """Fills PLACEABLE, R2.2; leaves the doomed pieces as they are."""
    if counters[REMAINING] <= 0:
        clear(masks, PLACEABLE)
        return
    stones = STONES + counters[TO_MOVE]
    board = full_row(counters[NUM_COLUMNS])
    held_by_territory = ZERO  # overlays on pieces doomed by territory alone: only that can end by placing
    for r in range(masks.shape[1]):
        occupied = masks[ENEMIES, r] | masks[stones, r]
        masks[PLACEABLE, r] = (board & ~occupied) | (masks[DOOMED, r] & ~masks[OVERLAYS, r])
        held = masks[RING_ORTHOGONAL, r] | masks[RING_DIAGONAL, r] | masks[CUT, r]
        held_by_territory |= masks[OVERLAYS, r] & ~held
    if counters[OPENING_RULE] and counters[TURNS_TAKEN + counters[TO_MOVE]] == 0:
        _close_opening_zone(masks, counters)
    if held_by_territory != ZERO:
        _drop_orphaning_cells(masks, counters)


@kernel
def _close_opening_zone(masks: Masks, counters: Counters) -> None:
    """Takes out of PLACEABLE the 8 neighbours of other home bases, for a player in its own first turn, R2.7."""
    stones = STONES + counters[TO_MOVE]
    for r in range(masks.shape[1]):
        for down in range(-1, 2):
            if 0 <= r + down < masks.shape[1]:
                others = masks[BASES, r + down] & ~masks[stones, r + down]
                masks[PLACEABLE, r] &= ~neighbours_in_row(others)


@kernel
def _drop_orphaning_cells(masks: Masks, counters: Counters) -> None:
    """Takes out of PLACEABLE the cells where a stone would leave an overlay on a piece no longer doomed, R2.4."""
    for r in range(masks.shape[1]):
        # A stone outside the present sea, or an overlay, leaves the division as it is.
        candidates = masks[PLACEABLE, r] & masks[NOW_SEA, r] & ~masks[ENEMIES, r]
        masks[WORK_C, r] = candidates
        while candidates != ZERO:
            bit = cell_bit(lowest_bit(candidates))
            candidates ^= bit
            if keeps_division(masks, counters, r, bit):
                masks[WORK_C, r] ^= bit
    _drop_unsound(masks, counters, PLACEABLE)


@kernel
def _drop_unsound(masks: Masks, counters: Counters, target: int) -> None:
    """Takes out of `target` the cells of WORK_C where one fresh stone more, or less, would break the turn, R2.4."""
    for r in range(masks.shape[1]):
        candidates = masks[WORK_C, r]
        while candidates != ZERO:
            bit = cell_bit(lowest_bit(candidates))
            candidates ^= bit
            if not _is_sound_with_toggled(masks, counters, r, bit):
                masks[target, r] &= ~bit
    if not is_empty(masks, WORK_C):  # the trials have left their own divisions behind
        mark_now_sea(masks, counters)
        mark_doomed(masks, counters)


@kernel
def _is_sound_with_toggled(masks: Masks, counters: Counters, row: int, bit: Word) -> bool:
    """Returns whether the turn is sound with one fresh stone more or less; leaves the derived fields of that trial."""
    stones = STONES + counters[TO_MOVE]
    masks[stones, row] ^= bit
    masks[FRESH, row] ^= bit
    mark_now_sea(masks, counters)
    mark_doomed(masks, counters)
    sound = is_turn_sound(masks, counters)
    masks[stones, row] ^= bit
    masks[FRESH, row] ^= bit
    return sound


@kernel
def mark_retractable(masks: Masks, counters: Counters) -> None:
    """Fills RETRACTABLE, R2.3, R2.4 and R2.6; leaves the doomed pieces as they are."""
    if counters[MAX_RETRACTIONS] != UNLIMITED and counters[RETRACTIONS] >= counters[MAX_RETRACTIONS]:
        clear(masks, RETRACTABLE)
        return
    copy(masks, FRESH, RETRACTABLE)
    can_overdraw = counters[REMAINING] + 1 < counters[BONUS]  # even if every pending cut were undone
    if can_overdraw or not is_empty(masks, OVERLAYS):
        copy(masks, FRESH, WORK_C)
        _drop_unsound(masks, counters, RETRACTABLE)
    unite(masks, OVERLAYS, RETRACTABLE)  # no overlay counts in any test, so taking one back breaks nothing


@small_kernel
def is_placeable(masks: Masks, row: int, column: int) -> bool:
    """Returns whether the mover may place on a cell."""
    return (masks[PLACEABLE, row] & cell_bit(column)) != ZERO


@small_kernel
def is_retractable(masks: Masks, row: int, column: int) -> bool:
    """Returns whether the mover may take back its stone on a cell."""
    return (masks[RETRACTABLE, row] & cell_bit(column)) != ZERO
