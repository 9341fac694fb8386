"""The compiled doors: one call from Python each, over games with a leading axis."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.array_batch import ViewArrays
from ..core.batch import ALL_LEGAL
from ..core.jit import kernel
from .observation import fill_action_mask, fill_planes
from .reach import mark_legal
from .state import END_REASON, RUNNING, TO_MOVE
from .turn import is_legal, play

BatchMasks = NDArray[np.uint64]  # [B, M]
BatchWaves = NDArray[np.int8]  # [B, 25]
BatchCounters = NDArray[np.int32]  # [B, K]
Arrays = tuple[BatchMasks, BatchWaves, BatchCounters]


@kernel
def find_illegal(arrays: Arrays, actions: NDArray[np.int64], low: int, high: int) -> int:
    """Returns the first running game of low..high-1 whose action is illegal, ALL_LEGAL if there is none."""
    masks, _, counters = arrays
    for b in range(low, high):
        if counters[b, END_REASON] == RUNNING and not is_legal(masks[b], actions[b]):
            return b
    return ALL_LEGAL


@kernel
def advance(arrays: Arrays, actions: NDArray[np.int64], low: int, high: int, views: ViewArrays) -> int:
    """Plays one action in each running game of low..high-1 and renews their rows of `views`.

    Returns ALL_LEGAL, or the first game with an illegal action, none of them moved.
    """
    masks, waves, counters = arrays
    wrong = find_illegal(arrays, actions, low, high)
    if wrong != ALL_LEGAL:
        return wrong
    for b in range(low, high):
        if counters[b, END_REASON] == RUNNING:
            play(masks[b], waves[b], counters[b], actions[b])
            _view(arrays, b, views)
    return ALL_LEGAL


@kernel
def look(arrays: Arrays, low: int, high: int, views: ViewArrays) -> None:
    """Renews the rows low..high-1 of `views`."""
    for b in range(low, high):
        _view(arrays, b, views)


@kernel
def _view(arrays: Arrays, b: int, views: ViewArrays) -> None:
    """Writes what the seat to move in game `b` sees and may do."""
    masks, _, counters = arrays
    planes, legal, to_move, is_over = views
    # As wide as what Python passes: one compiled form of what follows.
    mover: int = np.int64(counters[b, TO_MOVE])  # type: ignore[assignment]  # an int to Numba
    if planes.shape[0] > 0:
        fill_planes(masks[b], counters[b], mover, planes[b])
    fill_action_mask(masks[b], legal[b])
    to_move[b] = mover
    is_over[b] = counters[b, END_REASON] != RUNNING


@kernel
def place(arrays: Arrays, field: int) -> int:
    """Plays a stone in game 0, which is running, and returns ALL_LEGAL; if it is illegal, returns 0."""
    masks, waves, counters = arrays
    if not is_legal(masks[0], field):
        return 0
    play(masks[0], waves[0], counters[0], field)
    return ALL_LEGAL


@kernel
def fill_mask(arrays: Arrays, out: NDArray[np.int8]) -> None:
    """Writes the legal actions of game 0 into int8 [25]."""
    fill_action_mask(arrays[0][0], out)


@kernel
def fill_observation(arrays: Arrays, observer: int, out: NDArray[np.uint8]) -> None:
    """Writes what seat `observer` sees of game 0 into uint8 [F * 25]."""
    fill_planes(arrays[0][0], arrays[2][0], observer, out)


@kernel
def derive(arrays: Arrays) -> None:
    """Fills what is derived of game 0, which is running."""
    mark_legal(arrays[0][0], arrays[2][0])
