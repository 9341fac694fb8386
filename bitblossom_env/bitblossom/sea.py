"""R3.3, the sticky sea: one refinement by one turn's stones, and the whole replay of a player's stones.

The replay is no sequence of floods. After each step the sea is a union of whole components of (board - blocked), so
cells are added back in order of falling stamp with union-find; the merges form a tree whose nodes are the components
that ever existed, with sizes and rim flags; a walk down from the root keeps, at each stamp, the largest rimmed
children. The cost is nearly linear in the number of cells for any history.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.bitboard import ZERO, Masks, cell_bit, clear, copy, take_first_component, touches_rim
from ..core.jit import kernel
from .state import RECENCY, WORK_A, WORK_B, Stamps

Work = NDArray[np.int32]  # [NUM_WORK, N + 2], scratch of the replay; one per thread

ORDER = 0  # cells in order of falling stamp, cells without a stone of the player first; a position here is a node
RANK = 1  # per node: -1 for the final components, else the recency of the stones whose return made it
LEADER = 2  # per cell: parent in the union-find forest, ABSENT if not added yet
NODE = 3  # per leader cell: its component's node
LEAF = 4  # per cell without a stone: its final component's node
SIZE = 5  # per node: cells
RIMMED = 6  # per node: 1 if it holds a rim cell
FIRST_CHILD = 7  # per node, NO_NODE if none
LAST_CHILD = 8  # per node, NO_NODE if none
NEXT_SIBLING = 9  # per node, NO_NODE if none
IN_SEA = 10  # per node: 1 while it belongs to the sea
STARTS = 11  # counting sort: first position of each rank
NUM_WORK = 12
ABSENT = -1
NO_NODE = -1


@kernel
def mark_refined_sea(masks: Masks, num_columns: int, sea: int, stones: int, target: int) -> None:
    """Writes into `target` the sea that is left of `sea` when `stones` are added as one stamp of the replay."""
    num_rows = masks.shape[1]
    touched = ZERO
    for r in range(num_rows):
        touched |= masks[sea, r] & masks[stones, r]
        masks[WORK_A, r] = masks[sea, r] & ~masks[stones, r]
    if touched == ZERO:  # none of those cells is in the sea: next stamp
        copy(masks, sea, target)
        return
    greatest = 0
    clear(masks, target)
    size = take_first_component(masks, WORK_A, WORK_B)
    while size > 0:
        if size >= greatest and touches_rim(masks, WORK_B, num_columns):
            if size > greatest:
                clear(masks, target)
            greatest = size
            for r in range(num_rows):  # ties all stay sea
                masks[target, r] |= masks[WORK_B, r]
        size = take_first_component(masks, WORK_A, WORK_B)


@kernel
def mark_replayed_sea(masks: Masks, stamps: Stamps, num_columns: int, stones: int, target: int, work: Work) -> None:
    """Writes into `target` the sea after the whole replay of `stones`, whose recencies give the order of stamps."""
    _sort_cells(masks, stamps, num_columns, stones, work)
    _build_tree(masks.shape[1], num_columns, work)
    _walk_tree(masks.shape[1] * num_columns, work)
    clear(masks, target)
    for r in range(masks.shape[1]):
        for c in range(num_columns):
            cell = r * num_columns + c
            if masks[stones, r] & cell_bit(c) == ZERO and work[IN_SEA, work[LEAF, cell]] == 1:
                masks[target, r] |= cell_bit(c)


@kernel
def _sort_cells(masks: Masks, stamps: Stamps, num_columns: int, stones: int, work: Work) -> None:
    """Fills ORDER and RANK by a counting sort on recency; cells without a stone come first, with rank -1."""
    num_cells = masks.shape[1] * num_columns
    for i in range(num_cells + 2):
        work[STARTS, i] = 0
    for r in range(masks.shape[1]):
        for c in range(num_columns):
            rank = stamps[RECENCY, r, c] if masks[stones, r] & cell_bit(c) != ZERO else -1
            work[LEADER, r * num_columns + c] = rank  # parked here until the cell is added
            work[STARTS, rank + 2] += 1
    for i in range(1, num_cells + 2):
        work[STARTS, i] += work[STARTS, i - 1]
    for cell in range(num_cells):
        rank = work[LEADER, cell]
        position = work[STARTS, rank + 1]
        work[STARTS, rank + 1] += 1
        work[ORDER, position] = cell
        work[RANK, position] = rank
        work[LEADER, cell] = ABSENT


@kernel
def _find_leader(work: Work, cell: int) -> int:
    """Returns the leader of the cell's set, halving the path to it."""
    while work[LEADER, cell] != cell:
        work[LEADER, cell] = work[LEADER, work[LEADER, cell]]
        cell = work[LEADER, cell]
    return cell


@kernel
def _build_tree(num_rows: int, num_columns: int, work: Work) -> None:
    """Adds the cells in order, merging components; fills the node arrays and LEAF."""
    num_cells = num_rows * num_columns
    num_open = num_cells  # cells without a stone of the player
    for node in range(num_cells):
        cell = work[ORDER, node]
        if work[RANK, node] >= 0 and num_open == num_cells:
            num_open = node
            _fill_leaves(node, work)
        r = cell // num_columns
        c = cell - r * num_columns
        work[LEADER, cell] = cell
        work[NODE, cell] = node
        work[SIZE, node] = 1
        work[RIMMED, node] = 1 if r == 0 or c == 0 or r == num_rows - 1 or c == num_columns - 1 else 0
        work[FIRST_CHILD, node] = NO_NODE
        work[LAST_CHILD, node] = NO_NODE
        work[NEXT_SIBLING, node] = NO_NODE
        work[IN_SEA, node] = 0
        if r > 0:
            _merge(work, cell, cell - num_columns)
        if c > 0:
            _merge(work, cell, cell - 1)
        if c < num_columns - 1:
            _merge(work, cell, cell + 1)
        if r < num_rows - 1:
            _merge(work, cell, cell + num_columns)
    if num_open == num_cells:
        _fill_leaves(num_cells, work)


@kernel
def _fill_leaves(num_open: int, work: Work) -> None:
    """Records the final component of every cell that holds no stone of the player."""
    for node in range(num_open):
        cell = work[ORDER, node]
        work[LEAF, cell] = work[NODE, _find_leader(work, cell)]


@kernel
def _merge(work: Work, cell: int, neighbour: int) -> None:
    """Joins the component of a neighbour that has been added already to that of `cell`, which is of the newest rank."""
    if work[LEADER, neighbour] == ABSENT:
        return
    ours = _find_leader(work, cell)
    theirs = _find_leader(work, neighbour)
    if ours == theirs:
        return
    node = work[NODE, ours]
    other = work[NODE, theirs]
    work[SIZE, node] += work[SIZE, other]
    work[RIMMED, node] |= work[RIMMED, other]
    if work[RANK, node] == work[RANK, other]:  # made by the same stamp: one node, `other` is dropped
        _append_children(work, node, work[FIRST_CHILD, other], work[LAST_CHILD, other])
    else:
        _append_children(work, node, other, other)
    if work[SIZE, other] * 2 > work[SIZE, node]:  # the smaller set follows the greater one
        work[LEADER, ours] = theirs
        work[NODE, theirs] = node
    else:
        work[LEADER, theirs] = ours


@kernel
def _append_children(work: Work, node: int, first: int, last: int) -> None:
    """Appends the chain of siblings `first`..`last` to the children of `node`."""
    if first == NO_NODE:
        return
    if work[FIRST_CHILD, node] == NO_NODE:
        work[FIRST_CHILD, node] = first
    else:
        work[NEXT_SIBLING, work[LAST_CHILD, node]] = first
    work[LAST_CHILD, node] = last


@kernel
def _walk_tree(num_cells: int, work: Work) -> None:
    """Sets IN_SEA to 1 for exactly the final components that are sea, walking stamps in ascending order."""
    root = work[NODE, _find_leader(work, 0)]
    work[IN_SEA, root] = 1
    num_sea = 1
    end = num_cells
    while end > 0 and work[RANK, end - 1] >= 0 and num_sea > 0:
        start = end - 1  # nodes start..end-1 split at this stamp
        while start > 0 and work[RANK, start - 1] == work[RANK, end - 1]:
            start -= 1
        num_sea = _split_nodes(start, end, num_sea, work)
        end = start


@kernel
def _split_nodes(start: int, end: int, num_sea: int, work: Work) -> int:
    """Splits the sea's nodes among start..end-1 and returns how many components the sea has then."""
    greatest = 0
    num_split = 0
    for node in range(start, end):
        if work[IN_SEA, node] == 1:
            num_split += 1
            greatest = max(greatest, _find_greatest_child(node, work))
    # The sea's components are all equally great: one that does not split is greater than any child.
    num_left = num_sea - num_split
    num_new = 0
    for node in range(start, end):
        if work[IN_SEA, node] == 1:
            work[IN_SEA, node] = 0
            if num_left == 0:
                num_new += _admit_children(node, greatest, work)
    return num_left + num_new


@kernel
def _find_greatest_child(node: int, work: Work) -> int:
    """Returns the size of the largest rimmed child of a node, 0 if it has none."""
    greatest = 0
    child = work[FIRST_CHILD, node]
    while child != NO_NODE:
        if work[RIMMED, child] == 1:
            greatest = max(greatest, work[SIZE, child])
        child = work[NEXT_SIBLING, child]
    return greatest


@kernel
def _admit_children(node: int, size: int, work: Work) -> int:
    """Takes the rimmed children of that size into the sea (ties all stay) and returns how many they are."""
    num_admitted = 0
    child = work[FIRST_CHILD, node]
    while child != NO_NODE:
        if work[RIMMED, child] == 1 and work[SIZE, child] == size:
            work[IN_SEA, child] = 1
            num_admitted += 1
        child = work[NEXT_SIBLING, child]
    return num_admitted
