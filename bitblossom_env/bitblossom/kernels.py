"""The compiled doors: one call from Python each, over games with a leading axis."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.jit import kernel
from .config import MAX_SEATS, Config
from .derive import derive_all
from .observation import fill_action_mask, fill_placeable_plane, fill_planes, fill_sea_planes, plane_names
from .sea import NUM_WORK, Work
from .state import END_REASON, RUNNING, TO_MOVE, State
from .turn import apply_action, is_legal

BatchMasks = NDArray[np.uint64]  # [B, M, rows]
BatchStamps = NDArray[np.int32]  # [B, 2, rows, cols]
BatchCounters = NDArray[np.int32]  # [B, K]

ALL_LEGAL = -1

_local = threading.local()


class Scratch:
    """What one thread hands to kernels to write in; they release the lock, so no two threads share any."""

    def __init__(self, num_cells: int) -> None:
        self.work: Work = np.zeros((NUM_WORK, num_cells + 2), np.int32)
        self.areas = np.zeros(MAX_SEATS, np.int32)
        self.actions = np.zeros(1, np.int64)  # the action of a single game


def scratch_for(num_cells: int) -> Scratch:
    """Returns this thread's scratch for boards of `num_cells`."""
    by_size: dict[Any, Scratch] = _local.__dict__
    scratch = by_size.get(num_cells)
    if scratch is None:
        scratch = by_size[num_cells] = Scratch(num_cells)
    return scratch


@kernel
def play(
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


def observe(state: State, config: Config, observer: int) -> NDArray[np.uint8]:
    """Returns uint8 [F, rows, cols], fresh: the planes of game 0 as seat `observer` sees them, optional ones last."""
    names = plane_names(config)
    planes = np.empty((len(names), config.rows, config.cols), np.uint8)
    areas = scratch_for(config.num_cells).areas
    fill_observation(state.masks, state.stamps, state.counters, observer, areas, planes)
    if config.extra_planes:
        fill_extra_planes(state, names, observer, planes)
    return planes


def fill_extra_planes(state: State, names: Sequence[str], observer: int, planes: NDArray[np.uint8]) -> None:
    """Fills the optional planes of game 0 among `names` in uint8 [F, rows, cols]."""
    if "sea/0" in names:
        fill_sea_planes(state.masks[0], state.counters[0], observer, planes, names.index("sea/0"))
    if "placeable" in names:
        fill_placeable_plane(state.masks[0], planes, names.index("placeable"))
