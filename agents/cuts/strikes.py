"""Strikes: where one capture is a few stones away.

A *strike* is the set of cells on which the mover lacks a stone for a capture: of three in a line that would be a cut
(R3.2), or of the four neighbours of an enemy piece that would be a ring (R3.1). Each is found at its *anchor*: the
middle stone of the cut, or the piece in the ring.

Dimension letter: K kinds of strike.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bitblossom_env.bitblossom.state import (
    BASES,
    CUT,
    DOOMED,
    ENEMIES,
    FRESH,
    NUM_COLUMNS,
    NUM_SEATS,
    PLACEABLE,
    STONES,
    TO_MOVE,
    Counters,
    Masks,
)
from bitblossom_env.core.bitboard import ONE, ZERO, Word, cell_bit, neighbours_in_row, shifted
from bitblossom_env.core.jit import kernel

# --- sets of cells uint64 [NUM_SETS, rows], filled for one position at a time ----------------------------------------
CUT_CELLS = 0  # the mover's fresh stones and the empty cells where it may place one: what a cut is made of
RING_CELLS = 1  # the mover's pieces and those empty cells: what a ring is made of
VICTIMS = 2  # enemy pieces that a pierce would take, taken by no cut so far
LEFT_JOINTS = 3  # cells from which a joint down and left would take two pieces, one of them taken by no cut so far
RIGHT_JOINTS = 4  # the same, down and right
NUM_SETS = 5

# --- kinds -----------------------------------------------------------------------------------------------------------
NUM_CUTS = 16  # kinds 0..15: 4 directions, times 2 lengths of the first link, times 2 of the second
NUM_KINDS = NUM_CUTS + 2  # then the orthogonal and the diagonal ring
MAX_LACKING = 4  # cells of one strike


def _offsets() -> NDArray[np.int64]:
    """Returns int64 [K, 4, 2]: rows down and columns right of the anchor, stone by stone; a cut uses three of four."""
    cuts = [
        [(-first * down, -first * right), (0, 0), (second * down, second * right), (0, 0)]
        for down, right in ((0, 1), (1, -1), (1, 0), (1, 1))
        for first in (1, 2)  # a joint, a pierce
        for second in (1, 2)
    ]
    return np.array([*cuts, [(-1, 0), (0, -1), (0, 1), (1, 0)], [(-1, -1), (-1, 1), (1, -1), (1, 1)]], np.int64)


OFFSETS = _offsets()
FIRST_END, SECOND_END = 0, 2  # of a cut, in OFFSETS


@kernel
def mark_sets(masks: Masks, counters: Counters, sets: Masks) -> None:
    """Fills the sets for a position of a running turn."""
    for r in range(masks.shape[1]):
        empty_cells = masks[PLACEABLE, r] & ~masks[ENEMIES, r]  # an overlay is no part of a cut or a ring
        sets[CUT_CELLS, r] = masks[FRESH, r] | empty_cells
        sets[RING_CELLS, r] = masks[STONES + counters[TO_MOVE], r] | empty_cells
        for field in range(VICTIMS, NUM_SETS):
            sets[field, r] = ZERO
        for seat in range(counters[NUM_SEATS]):
            if seat != counters[TO_MOVE]:
                _add_pieces_of(masks, STONES + seat, r, sets)


@kernel
def _add_pieces_of(masks: Masks, stones: int, row: int, sets: Masks) -> None:
    """Adds to a row of VICTIMS, LEFT_JOINTS and RIGHT_JOINTS what one enemy's pieces offer."""
    own, below = masks[stones, row], shifted(masks, stones, row, 1, 0)
    new = own & ~(masks[BASES, row] | masks[CUT, row])
    new_below = below & ~(shifted(masks, BASES, row, 1, 0) | shifted(masks, CUT, row, 1, 0))
    around = (own << ONE) | (own >> ONE) | neighbours_in_row(below)
    around |= neighbours_in_row(shifted(masks, stones, row, -1, 0))
    sets[VICTIMS, row] |= new & around
    sets[LEFT_JOINTS, row] |= (new_below & (own << ONE)) | (below & (new << ONE))
    sets[RIGHT_JOINTS, row] |= (new_below & (own >> ONE)) | (below & (new >> ONE))


@kernel
def find_anchors(masks: Masks, sets: Masks, row: int, kind: int) -> Word:
    """Returns the anchors, in a row, of the strikes of a kind; nothing may lack there, then it is no strike."""
    field = CUT_CELLS if kind < NUM_CUTS else RING_CELLS
    found = ~ZERO
    for k in range(OFFSETS.shape[1]):
        found &= shifted(sets, field, row, OFFSETS[kind, k, 0], OFFSETS[kind, k, 1])
    if kind >= NUM_CUTS:
        return found & masks[ENEMIES, row] & ~(masks[BASES, row] | masks[DOOMED, row])
    found &= _links(masks, row, kind, FIRST_END) & _links(masks, row, kind, SECOND_END)
    return found & (_links_that_take(sets, row, kind, FIRST_END) | _links_that_take(sets, row, kind, SECOND_END))


@kernel
def _links(masks: Masks, row: int, kind: int, end: int) -> Word:
    """Returns the cells of a row from which stones there and at one end of a cut would be linked."""
    down, right = OFFSETS[kind, end, 0], OFFSETS[kind, end, 1]
    if max(abs(down), abs(right)) == 1:  # a joint asks for nothing but the two stones
        return ~ZERO
    return shifted(masks, ENEMIES, row, down // 2, right // 2)


@kernel
def _links_that_take(sets: Masks, row: int, kind: int, end: int) -> Word:
    """Returns the cells of a row from which the link to one end of a cut would take something anew."""
    down, right = OFFSETS[kind, end, 0], OFFSETS[kind, end, 1]
    if max(abs(down), abs(right)) == 2:
        return shifted(sets, VICTIMS, row, down // 2, right // 2)
    if down == 0 or right == 0:
        return ZERO
    field = RIGHT_JOINTS if down == right else LEFT_JOINTS
    if down > 0:
        return shifted(sets, field, row, 0, 0)
    return shifted(sets, field, row, down, right)  # a joint is kept at its upper cell


@kernel
def fill_strike(masks: Masks, counters: Counters, anchor: int, kind: int, strike: NDArray[np.int64]) -> int:
    """Fills int64 [4] with the cells that lack a stone; returns how many they are, 0..4."""
    num_columns = counters[NUM_COLUMNS]
    own = FRESH if kind < NUM_CUTS else STONES + counters[TO_MOVE]
    count = 0
    for k in range(3 if kind < NUM_CUTS else 4):
        row = anchor // num_columns + OFFSETS[kind, k, 0]
        column = anchor % num_columns + OFFSETS[kind, k, 1]
        if masks[own, row] & cell_bit(column) == ZERO:
            strike[count] = row * num_columns + column
            count += 1
    return count
