"""4-connected components of sets as row masks: filling one, taking one by one, whether a cell held one together."""

from __future__ import annotations

from .bitboard import ONE, ZERO, Masks, Word, cell_bit, clear, spread_along_row
from .bits import count_bits, lowest_bit
from .jit import kernel


@kernel
def _sweep(masks: Masks, allowed: int, target: int, down: int) -> bool:
    """Grows `target` in `allowed` row by row, `down` = 1 or -1; returns whether it grew.

    Each row of `target` must be whole runs of `allowed`, and is so afterwards.
    """
    last = masks.shape[1] - 1
    grew = False
    row = 0 if down > 0 else last
    before = masks[target, row]
    for _ in range(last):
        row += down
        own = masks[target, row]
        seeds = own | (before & masks[allowed, row])
        if seeds != own:
            own = spread_along_row(seeds, masks[allowed, row])
            masks[target, row] = own
            grew = True
        before = own
    return grew


@kernel
def mark_component(masks: Masks, allowed: int, row: int, bit: Word, target: int) -> None:
    """Fills `target` with the component of `allowed` that holds a cell of it, given by row and row mask."""
    clear(masks, target)
    masks[target, row] = spread_along_row(bit, masks[allowed, row])
    _sweep(masks, allowed, target, 1)
    down = -1
    while _sweep(masks, allowed, target, down):
        down = -down


@kernel
def take_first_component(masks: Masks, remaining: int, target: int) -> int:
    """Moves one whole component of `remaining` into `target` and returns its number of cells, 0 if none is left."""
    for r in range(masks.shape[1]):
        if masks[remaining, r] != ZERO:
            mark_component(masks, remaining, r, cell_bit(lowest_bit(masks[remaining, r])), target)
            size = 0
            for q in range(r, masks.shape[1]):
                masks[remaining, q] &= ~masks[target, q]
                size += count_bits(masks[target, q])
            return size
    clear(masks, target)
    return 0


@kernel
def is_still_connected(masks: Masks, field: int, row: int, bit: Word, target: int) -> bool:
    """Returns whether the neighbours, in a set, of a cell that has left it are in one component of it.

    `target` is a set to write in. Most cells are decided by the eight cells around them.
    """
    above = masks[field, row - 1] if row > 0 else ZERO
    below = masks[field, row + 1] if row < masks.shape[1] - 1 else ZERO
    own = masks[field, row]
    sides = (bit << ONE) | (bit >> ONE)
    num_neighbours = count_bits(own & sides) + count_bits(above & bit) + count_bits(below & bit)
    num_joined = 0  # neighbours next to each other around the cell that share a corner cell
    if above & bit != ZERO:
        num_joined += count_bits(above & sides & own)
    if below & bit != ZERO:
        num_joined += count_bits(below & sides & own)
    if num_neighbours - num_joined <= 1:
        return True
    return _are_connected(masks, field, row, bit, target)


@kernel
def _are_connected(masks: Masks, field: int, row: int, bit: Word, target: int) -> bool:
    """Returns whether all neighbours of a cell that are in a set are in one component of it; fills no further."""
    last = masks.shape[1] - 1
    above = masks[field, row - 1] & bit if row > 0 else ZERO
    below = masks[field, row + 1] & bit if row < last else ZERO
    beside = masks[field, row] & ((bit << ONE) | (bit >> ONE))
    clear(masks, target)
    if above != ZERO:
        masks[target, row - 1] = spread_along_row(above, masks[field, row - 1])
    else:
        masks[target, row] = spread_along_row(cell_bit(lowest_bit(beside)), masks[field, row])
    down = 1
    _sweep(masks, field, target, down)
    grows = True
    while grows:
        missing = beside & ~masks[target, row]
        if row < last:
            missing |= below & ~masks[target, row + 1]
        if missing == ZERO:
            return True
        down = -down
        grows = _sweep(masks, field, target, down)
    return False
