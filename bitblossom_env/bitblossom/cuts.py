"""R3.2, the cut: two links along one direction, the second from the first one's target; three fresh stones.

A link of direction d from fresh stone A is a *joint* (A+d is fresh, target A+d) or a *pierce* (A+d is an enemy piece
and A+2d is fresh, target A+2d, victim A+d). Links read the same backwards, so four of the eight directions suffice.
"""

from __future__ import annotations

from ..core.bitboard import ONE, ZERO, Masks, Word, clear, count_cells, moved, neighbours_in_row, shifted
from ..core.jit import kernel
from .state import CUT, ENEMIES, FRESH, NUM_SEATS, STONES, TO_MOVE, Counters

NUM_STONES = 3  # a cut needs three fresh stones


@kernel
def mark_cuts(masks: Masks, counters: Counters) -> None:
    """Fills CUT with the enemy pieces taken by cuts of the mover."""
    clear(masks, CUT)
    if count_cells(masks, FRESH) >= NUM_STONES:
        for down in range(2):
            for right in range(1 - 2 * down, 2):  # (0, 1), (1, -1), (1, 0), (1, 1)
                _mark_cuts_along(masks, counters, down, right)


@kernel
def _joints(masks: Masks, row: int, down: int, right: int) -> Word:
    """Returns the sources of joint links in a row."""
    return shifted(masks, FRESH, row, 0, 0) & shifted(masks, FRESH, row, down, right)


@kernel
def _pierces(masks: Masks, row: int, down: int, right: int) -> Word:
    """Returns the sources of pierce links in a row."""
    sources = shifted(masks, FRESH, row, 0, 0) & shifted(masks, ENEMIES, row, down, right)
    return sources & shifted(masks, FRESH, row, 2 * down, 2 * right)


@kernel
def _links(masks: Masks, row: int, down: int, right: int) -> Word:
    """Returns the sources of links of either form in a row."""
    return _joints(masks, row, down, right) | _pierces(masks, row, down, right)


@kernel
def _mark_cuts_along(masks: Masks, counters: Counters, down: int, right: int) -> None:
    """Adds to CUT the victims of all cuts along one direction: of their first links, then of their second links."""
    for r in range(masks.shape[1]):
        if masks[FRESH, r] == ZERO:
            continue
        near, far = r + down, r + 2 * down  # rows of the targets of a joint and of a pierce
        joints = _joints(masks, r, down, right)
        pierces = _pierces(masks, r, down, right)
        if joints | pierces == ZERO:
            continue
        joints &= moved(_links(masks, near, down, right), -right)
        pierces &= moved(_links(masks, far, down, right), -2 * right)
        if joints | pierces == ZERO:
            continue
        _take_links(masks, counters, r, joints | pierces, down, right)
        _take_links(masks, counters, near, moved(joints, right), down, right)
        _take_links(masks, counters, far, moved(pierces, 2 * right), down, right)


@kernel
def _take_links(masks: Masks, counters: Counters, row: int, sources: Word, down: int, right: int) -> None:
    """Adds to CUT what the links from `sources` in a row capture."""
    joints = sources & _joints(masks, row, down, right)
    if joints != ZERO and down != 0 and right != 0:  # an orthogonal joint captures nothing
        _take_joints(masks, counters, row, joints, down, right)
    pierces = sources & _pierces(masks, row, down, right)
    if pierces != ZERO:
        _take_pierces(masks, counters, row + down, moved(pierces, right))


@kernel
def _take_joints(masks: Masks, counters: Counters, row: int, sources: Word, down: int, right: int) -> None:
    """Adds the other two corners of each joint's unit square, where both hold pieces of one same enemy."""
    for seat in range(counters[NUM_SEATS]):
        if seat != counters[TO_MOVE]:
            corners = sources & shifted(masks, STONES + seat, row, down, 0)
            corners &= shifted(masks, STONES + seat, row, 0, right)
            if corners != ZERO:
                masks[CUT, row + down] |= corners
                masks[CUT, row] |= moved(corners, right)


@kernel
def _take_pierces(masks: Masks, counters: Counters, row: int, victims: Word) -> None:
    """Adds the pierced pieces of a row that have a piece of their own owner on one of their 8 neighbours."""
    for seat in range(counters[NUM_SEATS]):
        if seat != counters[TO_MOVE]:
            own = shifted(masks, STONES + seat, row, 0, 0)
            around = (own << ONE) | (own >> ONE)
            around |= neighbours_in_row(shifted(masks, STONES + seat, row, -1, 0))
            around |= neighbours_in_row(shifted(masks, STONES + seat, row, 1, 0))
            masks[CUT, row] |= victims & own & around
