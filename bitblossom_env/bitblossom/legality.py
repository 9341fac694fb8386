"""R2.2-R2.7: which cells the mover may place on, and which stones it may take back."""

from __future__ import annotations

from ..core.bitboard import (
    ONE,
    ZERO,
    Masks,
    Word,
    cell_bit,
    clear,
    copy,
    full_row,
    is_empty,
    neighbours_in_row,
)
from ..core.bits import lowest_bit
from ..core.jit import kernel
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
    clear(masks, PLACEABLE)
    if counters[REMAINING] <= 0:
        return
    board = full_row(counters[NUM_COLUMNS])
    for r in range(masks.shape[1]):
        occupied = masks[ENEMIES, r] | masks[STONES + counters[TO_MOVE], r]
        open_cells = (board & ~occupied) | (masks[DOOMED, r] & ~masks[OVERLAYS, r])
        masks[PLACEABLE, r] = open_cells & ~_opening_zone_in_row(masks, counters, r)
    if _has_overlay_held_by_territory(masks):
        _drop_orphaning_cells(masks, counters)


@kernel
def _opening_zone_in_row(masks: Masks, counters: Counters, row: int) -> Word:
    """Returns the cells closed to a player in its own first turn: the 8 neighbours of other home bases, R2.7."""
    mover = counters[TO_MOVE]
    if counters[OPENING_RULE] == 0 or counters[TURNS_TAKEN + mover] > 0:
        return ZERO
    zone = ZERO
    for down in range(-1, 2):
        if 0 <= row + down < masks.shape[1]:
            zone |= neighbours_in_row(masks[BASES, row + down] & ~masks[STONES + mover, row + down])
    return zone


@kernel
def _has_overlay_held_by_territory(masks: Masks) -> bool:
    """Returns whether some overlay lies on a piece doomed by territory alone: only that can end by placing."""
    for r in range(masks.shape[1]):
        held = masks[RING_ORTHOGONAL, r] | masks[RING_DIAGONAL, r] | masks[CUT, r]
        if masks[OVERLAYS, r] & ~held != ZERO:
            return True
    return False


@kernel
def _drop_orphaning_cells(masks: Masks, counters: Counters) -> None:
    """Takes out of PLACEABLE the cells where a stone would leave an overlay on a piece no longer doomed, R2.4."""
    for r in range(masks.shape[1]):
        # A stone outside the present sea, or an overlay, leaves the division as it is.
        masks[WORK_C, r] = masks[PLACEABLE, r] & masks[NOW_SEA, r] & ~masks[ENEMIES, r]
    _drop_unsound(masks, counters, PLACEABLE)


@kernel
def _drop_unsound(masks: Masks, counters: Counters, target: int) -> None:
    """Takes out of `target` the cells of WORK_C where one fresh stone more, or less, would break the turn, R2.4."""
    for r in range(masks.shape[1]):
        candidates = masks[WORK_C, r]
        while candidates != ZERO:
            bit = cell_bit(lowest_bit(candidates))
            candidates &= candidates - ONE
            if not _is_sound_with_toggled(masks, counters, r, bit):
                masks[target, r] &= ~bit
    mark_doomed(masks, counters)  # the trials have left their own divisions behind


@kernel
def _is_sound_with_toggled(masks: Masks, counters: Counters, row: int, bit: Word) -> bool:
    """Returns whether the turn is sound with one fresh stone more or less; leaves the derived fields of that trial."""
    stones = STONES + counters[TO_MOVE]
    masks[stones, row] ^= bit
    masks[FRESH, row] ^= bit
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
    if counters[BONUS] > 0 or not is_empty(masks, OVERLAYS):
        copy(masks, FRESH, WORK_C)
        _drop_unsound(masks, counters, RETRACTABLE)
    for r in range(masks.shape[1]):  # no overlay counts in any test, so taking one back breaks nothing
        masks[RETRACTABLE, r] |= masks[OVERLAYS, r]


@kernel
def is_placeable(masks: Masks, row: int, column: int) -> bool:
    """Returns whether the mover may place on a cell."""
    return (masks[PLACEABLE, row] & cell_bit(column)) != ZERO


@kernel
def is_retractable(masks: Masks, row: int, column: int) -> bool:
    """Returns whether the mover may take back its stone on a cell."""
    return (masks[RETRACTABLE, row] & cell_bit(column)) != ZERO
