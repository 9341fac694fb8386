"""Whose loss helps the mover: what each enemy weighs where there are several.

What an enemy loses helps the mover, and every other enemy just as much. Only the enemy that leads stands between the
mover and the win; another's fall mostly helps the leader. So an enemy weighs its area as a share of the area of the
greatest enemy that can still move: 1 for the leader, and for the only enemy there is.

Dimension letter: P seats.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bitblossom_env.bitblossom.scoring import count_areas
from bitblossom_env.bitblossom.sea_replay import AREAS, Work
from bitblossom_env.bitblossom.state import ELIMINATED, NUM_SEATS, TO_MOVE, Counters, Masks
from bitblossom_env.core.jit import kernel

Shares = NDArray[np.float64]  # float64 [P], 0..1; 0 for the mover and for who is eliminated


@kernel
def fill_shares(masks: Masks, counters: Counters, work: Work, shares: Shares) -> None:
    """Fills in what each enemy weighs on the board as it lies; writes in WORK_A to WORK_C and in AREAS of `work`."""
    count_areas(masks, counters, work)
    greatest = 1
    for seat in range(counters[NUM_SEATS]):
        is_rival = seat != counters[TO_MOVE] and counters[ELIMINATED + seat] == 0
        shares[seat] = 1.0 if is_rival else 0.0
        if is_rival:
            greatest = max(greatest, work[AREAS, seat])
    for seat in range(counters[NUM_SEATS]):
        shares[seat] *= work[AREAS, seat] / greatest
