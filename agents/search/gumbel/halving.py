"""Sequential halving: how the simulations of a search are shared out among the actions of its root."""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray


@functools.cache
def widths(num_simulations: int, num_considered: int) -> NDArray[np.int64]:
    """Returns int64 [R]: how many actions get a simulation in each round; they add up to `num_simulations`.

    `num_considered` actions begin; half of them go on to the next phase, and at least two. Every phase has about as
    many simulations (Karnin, Koren, Somekh 2013); what is left over goes to the last ones.
    """
    if num_considered <= 1:
        return np.ones(num_simulations, np.int64)
    num_phases = max(1, (num_considered - 1).bit_length())
    rounds: list[int] = []
    width, left = num_considered, num_simulations
    while left > 0:
        per_action = max(1, num_simulations // (num_phases * width))
        for _ in range(per_action):
            rounds.append(min(width, left))
            left -= rounds[-1]
            if left == 0:
                break
        width = max(2, width // 2)
    return np.array(rounds, np.int64)
