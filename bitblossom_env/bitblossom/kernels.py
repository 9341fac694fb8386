"""The compiled doors: one call from Python each, over games with a leading axis."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.array_batch import ViewArrays
from ..core.batch import ALL_LEGAL
from ..core.jit import kernel
from .observation import (
    NO_PLANE,
    PLACEABLE_PLANE,
    SEA_PLANES,
    fill_action_mask,
    fill_placeable_plane,
    fill_planes,
    fill_sea_planes,
)
from .scoring import count_areas, fill_owner
from .sea_replay import NUM_WORK, Work
from .state import END_REASON, RUNNING, TO_MOVE
from .turn import apply_action, is_legal

BatchMasks = NDArray[np.uint64]  # [B, M, rows]
BatchStamps = NDArray[np.int32]  # [B, 2, N]
BatchCounters = NDArray[np.int32]  # [B, K]
Arrays = tuple[BatchMasks, BatchStamps, BatchCounters]

_local = threading.local()


class Scratch:
    """What one thread hands to kernels to write in; they release the lock, so no two threads share any."""

    def __init__(self, num_cells: int) -> None:
        self.work: Work = np.zeros((NUM_WORK, num_cells + 2), np.int32)
        self.actions = np.zeros(1, np.int64)  # the action of a single game
        # views of a single game that nobody reads
        self.views: ViewArrays = (
            np.zeros((0, 1), np.uint8),
            np.zeros((1, 2 * num_cells + 1), np.int8),
            np.zeros(1, np.int8),
            np.zeros(1, np.bool_),
        )


def scratch_for(num_cells: int) -> Scratch:
    """Returns this thread's scratch for boards of `num_cells`."""
    by_size: dict[Any, Scratch] = _local.__dict__
    scratch = by_size.get(num_cells)
    if scratch is None:
        scratch = by_size[num_cells] = Scratch(num_cells)
    return scratch


@kernel
def find_illegal(arrays: Arrays, actions: NDArray[np.int64], low: int, high: int) -> int:
    """Returns the first running game of low..high-1 whose action is illegal, ALL_LEGAL if there is none."""
    masks, _, counters = arrays
    for b in range(low, high):
        if counters[b, END_REASON] == RUNNING and not is_legal(masks[b], counters[b], actions[b]):
            return b
    return ALL_LEGAL


@kernel
def advance(arrays: Arrays, actions: NDArray[np.int64], low: int, high: int, work: Work, views: ViewArrays) -> int:
    """Plays one action in each running game of low..high-1 and renews their rows of `views`.

    Returns ALL_LEGAL, or the first game with an illegal action, none of them moved.
    """
    masks, stamps, counters = arrays
    wrong = find_illegal(arrays, actions, low, high)
    if wrong != ALL_LEGAL:
        return wrong
    for b in range(low, high):
        if counters[b, END_REASON] == RUNNING:
            apply_action(masks[b], stamps[b], counters[b], actions[b], work)
            _view(arrays, b, work, views)
    return ALL_LEGAL


@kernel
def look(arrays: Arrays, low: int, high: int, work: Work, views: ViewArrays) -> None:
    """Renews the rows low..high-1 of `views`."""
    for b in range(low, high):
        _view(arrays, b, work, views)


@kernel
def _view(arrays: Arrays, b: int, work: Work, views: ViewArrays) -> None:
    """Writes what the seat to move in game `b` sees and may do."""
    masks, stamps, counters = arrays
    planes, legal, to_move, is_over = views
    # As wide as what Python passes: one compiled form of what follows.
    mover: int = np.int64(counters[b, TO_MOVE])  # type: ignore[assignment]  # an int to Numba
    if planes.shape[0] > 0:
        fill_planes(masks[b], stamps[b], counters[b], mover, work, planes[b])
    fill_action_mask(masks[b], counters[b], legal[b])
    to_move[b] = mover
    is_over[b] = counters[b, END_REASON] != RUNNING


@kernel
def fill_mask(masks: BatchMasks, counters: BatchCounters, out: NDArray[np.int8]) -> None:
    """Writes the legal actions of game 0 into int8 [A]."""
    fill_action_mask(masks[0], counters[0], out)


@kernel
def fill_observation(
    masks: BatchMasks,
    stamps: BatchStamps,
    counters: BatchCounters,
    observer: int,
    work: Work,
    out: NDArray[np.uint8],
) -> None:
    """Writes what seat `observer` sees of game 0 into uint8 [F * N]."""
    fill_planes(masks[0], stamps[0], counters[0], observer, work, out)


@kernel
def fill_extra_planes(
    arrays: Arrays, b: int, observer: int, numbers: NDArray[np.int64], planes: NDArray[np.uint8]
) -> None:
    """Writes the optional planes of game `b` into uint8 [F * N]; `numbers`: see `extra_plane_numbers`."""
    masks, _, counters = arrays
    if numbers[SEA_PLANES] != NO_PLANE:
        fill_sea_planes(masks[b], counters[b], observer, planes, numbers[SEA_PLANES])
    if numbers[PLACEABLE_PLANE] != NO_PLANE:
        fill_placeable_plane(masks[b], counters[b], planes, numbers[PLACEABLE_PLANE])


@kernel
def add_extra_planes(
    arrays: Arrays, low: int, high: int, numbers: NDArray[np.int64], planes: NDArray[np.uint8]
) -> None:
    """Writes the optional planes of the seats to move in games low..high-1 into uint8 [B, F * N]."""
    for b in range(low, high):
        observer: int = np.int64(arrays[2][b, TO_MOVE])  # type: ignore[assignment]  # an int to Numba
        fill_extra_planes(arrays, b, observer, numbers, planes[b])


@kernel
def fill_result(arrays: Arrays, b: int, work: Work, owner: NDArray[np.int8]) -> None:
    """Fills AREAS of `work`, and int8 [rows, cols] with the seat that each cell of game `b` counts for (R4.4)."""
    masks, _, counters = arrays
    count_areas(masks[b], counters[b], work)
    fill_owner(masks[b], counters[b], owner)
