"""Uniformly random legal actions at the least cost, so that a benchmark of random play measures the game."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bitblossom_env.core.jit import kernel

BLOCK = 32  # entries that one vector instruction adds up


@kernel
def choose_one(mask: NDArray[np.int8], number: float) -> int:
    """Returns the action that `number` in [0, 1) picks among the ones of a mask int8 [A], -1 if there is none."""
    num_legal = 0
    for action in range(mask.shape[0]):
        num_legal += mask[action]
    left = int(number * num_legal)
    start = 0
    while start + BLOCK <= mask.shape[0]:  # over whole blocks first: they are added, not searched
        num_here = 0
        for action in range(start, start + BLOCK):
            num_here += mask[action]
        if left < num_here:
            break
        left -= num_here
        start += BLOCK
    for action in range(start, mask.shape[0]):
        left -= mask[action]
        if left < 0:
            return action
    return -1


@kernel
def choose_each(masks: NDArray[np.int8], numbers: NDArray[np.float64], actions: NDArray[np.int64]) -> None:
    """Writes into `actions` int64 [B] what `numbers` [B] in [0, 1) pick among the ones of masks int8 [B, A]."""
    for b in range(masks.shape[0]):
        actions[b] = choose_one(masks[b], numbers[b])
