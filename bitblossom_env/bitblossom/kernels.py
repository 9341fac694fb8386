"""The compiled doors: one call from Python each, over games with a leading axis."""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from ..core.jit import kernel
from .observation import fill_action_mask, fill_planes
from .sea import NUM_WORK, Work
from .state import END_REASON, RUNNING, TO_MOVE
from .turn import apply_action, derive_all, is_legal

BatchMasks = NDArray[np.uint64]  # [B, M, rows]
BatchStamps = NDArray[np.int32]  # [B, 2, rows, cols]
BatchCounters = NDArray[np.int32]  # [B, K]

ALL_LEGAL = -1

_local = threading.local()


def work_for(num_cells: int) -> Work:
    """Returns this thread's scratch for boards of `num_cells`; kernels release the lock, so threads share none."""
    try:
        return _local.work[num_cells]
    except (AttributeError, KeyError):
        if not hasattr(_local, "work"):
            _local.work = {}
        _local.work[num_cells] = np.zeros((NUM_WORK, num_cells + 2), np.int32)
        return _local.work[num_cells]


@kernel
def play_one(masks: BatchMasks, stamps: BatchStamps, counters: BatchCounters, action: int, work: Work) -> bool:
    """Plays an action in game 0 and returns True; returns False and changes nothing if it is illegal."""
    if not is_legal(masks[0], counters[0], action):
        return False
    apply_action(masks[0], stamps[0], counters[0], action, work)
    return True


@kernel
def play_all(
    masks: BatchMasks, stamps: BatchStamps, counters: BatchCounters, actions: NDArray[np.int64], work: Work
) -> int:
    """Plays one action in each running game; returns ALL_LEGAL, or the first game with an illegal one, none moved."""
    for b in range(masks.shape[0]):
        if counters[b, END_REASON] == RUNNING and not is_legal(masks[b], counters[b], actions[b]):
            return b
    for b in range(masks.shape[0]):
        if counters[b, END_REASON] == RUNNING:
            apply_action(masks[b], stamps[b], counters[b], actions[b], work)
    return ALL_LEGAL


@kernel
def derive(masks: BatchMasks, stamps: BatchStamps, counters: BatchCounters, work: Work) -> None:
    """Fills the derived fields of game 0."""
    derive_all(masks[0], stamps[0], counters[0], work)


@kernel
def fill_masks(masks: BatchMasks, counters: BatchCounters, out: NDArray[np.int8]) -> None:
    """Writes the legal actions of every game into int8 [B, A]."""
    for b in range(masks.shape[0]):
        fill_action_mask(masks[b], counters[b], out[b])


@kernel
def fill_observations(
    masks: BatchMasks,
    stamps: BatchStamps,
    counters: BatchCounters,
    areas: NDArray[np.int32],
    out: NDArray[np.uint8],
) -> None:
    """Writes what each seat to move sees into uint8 [B, F, rows, cols]."""
    for b in range(masks.shape[0]):
        fill_planes(masks[b], stamps[b], counters[b], counters[b, TO_MOVE], areas, out[b])


@kernel
def fill_observation(
    masks: BatchMasks,
    stamps: BatchStamps,
    counters: BatchCounters,
    observer: int,
    areas: NDArray[np.int32],
    out: NDArray[np.uint8],
) -> None:
    """Writes what seat `observer` sees of game 0 into uint8 [F, rows, cols]."""
    fill_planes(masks[0], stamps[0], counters[0], observer, areas, out)
