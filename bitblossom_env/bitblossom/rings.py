"""R3.1, the four-piece ring: four orthogonal, or four diagonal, neighbours are the mover's, one of them fresh."""

from __future__ import annotations

from ..core.bitboard import ONE, ZERO, Masks, Word
from ..core.jit import kernel
from .state import ENEMIES, FRESH, RING_DIAGONAL, RING_ORTHOGONAL


@kernel
def _row(masks: Masks, field: int, row: int) -> Word:
    """Returns one row of a set; off-board rows are empty, so off-board is never a surrounder."""
    if row < 0 or row >= masks.shape[1]:
        return ZERO
    return masks[field, row]


@kernel
def mark_orthogonal_rings(masks: Masks, stones: int) -> None:
    """Fills RING_ORTHOGONAL with the enemy pieces ringed by `stones`, the field of the mover's pieces."""
    for r in range(masks.shape[1]):
        own = masks[stones, r]
        fresh = masks[FRESH, r]
        ring = _row(masks, stones, r - 1) & _row(masks, stones, r + 1) & (own << ONE) & (own >> ONE)
        newly = _row(masks, FRESH, r - 1) | _row(masks, FRESH, r + 1) | (fresh << ONE) | (fresh >> ONE)
        masks[RING_ORTHOGONAL, r] = masks[ENEMIES, r] & ring & newly


@kernel
def mark_diagonal_rings(masks: Masks, stones: int) -> None:
    """Fills RING_DIAGONAL with the enemy pieces ringed by `stones`, the field of the mover's pieces."""
    for r in range(masks.shape[1]):
        above = _row(masks, stones, r - 1)
        below = _row(masks, stones, r + 1)
        ring = (above << ONE) & (above >> ONE) & (below << ONE) & (below >> ONE)
        fresh = _row(masks, FRESH, r - 1) | _row(masks, FRESH, r + 1)
        masks[RING_DIAGONAL, r] = masks[ENEMIES, r] & ring & ((fresh << ONE) | (fresh >> ONE))
