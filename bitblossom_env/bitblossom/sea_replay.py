"""R3.3, the sticky sea: the whole replay of a player's stones, at one go.

The replay is no sequence of floods. After each step the sea is a union of whole components of (board - blocked), so
cells are added back in order of falling stamp with union-find, those without a stone as whole runs of a row. The merges
form a tree whose nodes are the components that ever existed, with sizes and rim flags; a walk down from the root keeps,
at each stamp, the largest rimmed children. The cost is nearly linear in the number of cells for any history.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.bitboard import ONE, ZERO, Masks, cell_bit, first_run, full_row
from ..core.bits import count_bits, lowest_bit
from ..core.jit import kernel, small_kernel
from .state import RECENCY, Stamps

Work = NDArray[np.int32]  # [NUM_WORK, N + 2], scratch of the replay; one per thread

ORDER = 0  # per node: its first cell; nodes are runs of cells without a stone, then stones in order of falling stamp
RANK = 1  # per node: -1 for the final components, else the recency of the stones whose return made it
LEADER = 2  # per cell: parent in the union-find forest, ABSENT if not added yet
NODE = 3  # per leader cell: its component's node
LEAF = 4  # per run: its final component's node
SIZE = 5  # per node: cells
RIMMED = 6  # per node: 1 if it holds a rim cell
FIRST_CHILD = 7  # per node, NO_NODE if none
LAST_CHILD = 8  # per node, NO_NODE if none
NEXT_SIBLING = 9  # per node, NO_NODE if none
IN_SEA = 10  # per node: 1 while it belongs to the sea
STARTS = 11  # counting sort: first position of each rank
AREAS = 12  # per seat: counted cells, see scoring.py
NUM_WORK = 13
ABSENT = -1
NO_NODE = -1


@kernel
def mark_replayed_sea(masks: Masks, stamps: Stamps, num_columns: int, stones: int, target: int, work: Work) -> int:
    """Writes into `target` the sea after the whole replay of `stones`, whose recencies give the order of stamps.

    Returns the number of its components.
    """
    num_runs = _add_runs(masks, num_columns, stones, work)
    num_nodes = _sort_stones(masks, stamps, num_columns, stones, num_runs, work)
    _add_stones(masks.shape[1], num_columns, num_runs, num_nodes, work)
    num_parts = _walk_tree(num_nodes, work)
    board = full_row(num_columns)
    node = 0
    for r in range(masks.shape[1]):
        sea = ZERO
        cells = board & ~masks[stones, r]
        while cells != ZERO:
            run = first_run(cells)
            cells ^= run
            if work[IN_SEA, work[LEAF, node]] == 1:
                sea |= run
            node += 1
        masks[target, r] = sea
    return num_parts


@kernel
def _add_runs(masks: Masks, num_columns: int, stones: int, work: Work) -> int:
    """Adds the cells without a stone, run by run of each row, and joins the runs; returns how many runs there are.

    A run is one node; LEAF says afterwards of which final component it is part.
    """
    last = masks.shape[1] - 1
    board = full_row(num_columns)
    sides = ONE | cell_bit(num_columns - 1)
    above = ZERO
    node = 0
    for r in range(last + 1):
        first = r * num_columns
        rim = board if r in (0, last) else sides
        for cell in range(first, first + num_columns):
            work[LEADER, cell] = ABSENT
        own = board & ~masks[stones, r]
        cells = own
        while cells != ZERO:
            run = first_run(cells)
            cells ^= run
            is_rimmed = 1 if run & rim != ZERO else 0
            start = first + lowest_bit(run)
            for cell in range(start, start + count_bits(run)):
                work[LEADER, cell] = start
            _add_node(node, start, count_bits(run), is_rimmed, work)
            work[RANK, node] = -1
            node += 1
        shared = own & above  # each of its runs lies in one run of this row and in one of the row above
        while shared != ZERO:
            cell = first + lowest_bit(shared)
            shared ^= first_run(shared)
            _merge(work, cell, cell - num_columns)
        above = own
    for run_node in range(node):
        work[LEAF, run_node] = work[NODE, _find_leader(work, work[ORDER, run_node])]
    return node


@small_kernel
def _add_node(node: int, cell: int, size: int, is_rimmed: int, work: Work) -> None:
    """Makes a component of its own that the cell leads."""
    work[ORDER, node] = cell
    work[NODE, cell] = node
    work[SIZE, node] = size
    work[RIMMED, node] = is_rimmed
    work[FIRST_CHILD, node] = NO_NODE
    work[LAST_CHILD, node] = NO_NODE
    work[NEXT_SIBLING, node] = NO_NODE
    work[IN_SEA, node] = 0


@kernel
def _sort_stones(masks: Masks, stamps: Stamps, num_columns: int, stones: int, num_runs: int, work: Work) -> int:
    """Fills ORDER and RANK of the stones' nodes by a counting sort on recency; returns the number of all nodes."""
    oldest = 0
    for i in range(work.shape[1]):
        work[STARTS, i] = 0
    for r in range(masks.shape[1]):
        cells = masks[stones, r]
        while cells != ZERO:
            rank = stamps[RECENCY, r * num_columns + lowest_bit(cells)]
            cells &= cells - ONE
            work[STARTS, rank + 1] += 1
            oldest = max(oldest, rank)
    work[STARTS, 0] = num_runs
    for i in range(1, oldest + 2):
        work[STARTS, i] += work[STARTS, i - 1]
    for r in range(masks.shape[1]):
        cells = masks[stones, r]
        while cells != ZERO:
            cell = r * num_columns + lowest_bit(cells)
            cells &= cells - ONE
            rank = stamps[RECENCY, cell]
            node = work[STARTS, rank]
            work[STARTS, rank] += 1
            work[ORDER, node] = cell
            work[RANK, node] = rank
    return work[STARTS, oldest]


@small_kernel
def _find_leader(work: Work, cell: int) -> int:
    """Returns the leader of the cell's set, halving the path to it."""
    while work[LEADER, cell] != cell:
        work[LEADER, cell] = work[LEADER, work[LEADER, cell]]
        cell = work[LEADER, cell]
    return cell


@kernel
def _add_stones(num_rows: int, num_columns: int, num_runs: int, num_nodes: int, work: Work) -> None:
    """Adds the cells of the stones back in order of falling stamp, merging components."""
    for node in range(num_runs, num_nodes):
        cell = work[ORDER, node]
        r = cell // num_columns
        c = cell - r * num_columns
        is_rimmed = 1 if r == 0 or c == 0 or r == num_rows - 1 or c == num_columns - 1 else 0
        work[LEADER, cell] = cell
        _add_node(node, cell, 1, is_rimmed, work)
        if r > 0:
            _merge(work, cell, cell - num_columns)
        if c > 0:
            _merge(work, cell, cell - 1)
        if c < num_columns - 1:
            _merge(work, cell, cell + 1)
        if r < num_rows - 1:
            _merge(work, cell, cell + num_columns)


@small_kernel
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


@small_kernel
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
def _walk_tree(num_nodes: int, work: Work) -> int:
    """Sets IN_SEA to 1 for exactly the final components that are sea, walking stamps in ascending order.

    Returns how many they are.
    """
    root = work[NODE, _find_leader(work, 0)]
    work[IN_SEA, root] = 1
    num_sea = 1
    end = num_nodes
    while end > 0 and work[RANK, end - 1] >= 0 and num_sea > 0:
        start = end - 1  # nodes start..end-1 split at this stamp
        while start > 0 and work[RANK, start - 1] == work[RANK, end - 1]:
            start -= 1
        num_sea = _split_nodes(start, end, num_sea, work)
        end = start
    return num_sea


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
