"""R3.1, the four-piece ring: four orthogonal, or four diagonal, neighbours are the mover's, one of them fresh."""

from __future__ import annotations

from ..core.bitboard import ONE, ZERO, Masks
from ..core.jit import kernel
from .state import ENEMIES, FRESH, RING_DIAGONAL, RING_ORTHOGONAL


@kernel
def mark_rings(masks: Masks, stones: int) -> None:
    """Fills RING_ORTHOGONAL and RING_DIAGONAL with the enemy pieces ringed by `stones`, the mover's pieces.

    Off-board is never a surrounder: rows beyond the board are empty.
    """
    last = masks.shape[1] - 1
    above, fresh_above = ZERO, ZERO
    own, fresh = masks[stones, 0], masks[FRESH, 0]
    for r in range(last + 1):
        below = masks[stones, r + 1] if r < last else ZERO
        fresh_below = masks[FRESH, r + 1] if r < last else ZERO
        near = fresh_above | fresh_below
        straight = above & below & (own << ONE) & (own >> ONE) & (near | (fresh << ONE) | (fresh >> ONE))
        slanted = (above << ONE) & (above >> ONE) & (below << ONE) & (below >> ONE) & ((near << ONE) | (near >> ONE))
        masks[RING_ORTHOGONAL, r] = masks[ENEMIES, r] & straight
        masks[RING_DIAGONAL, r] = masks[ENEMIES, r] & slanted
        above, own, fresh_above, fresh = own, below, fresh, fresh_below
