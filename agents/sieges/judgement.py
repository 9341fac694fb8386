"""What a besieger thinks of a position, term by term.

Dimension letters: P seats, N cells.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.sieges.captures import Capture
from agents.sieges.rivals import Shares
from agents.sieges.survey import Survey

# --- terms of a rating, in cells -----------------------------------------------------------------------------------
OWN = 0  # what `greedy` says the board is worth
BLOCKED = 1  # what the best-placed enemy would win on the cell
REGION = 2  # the most that a wall of several stones converts of which this is one, or that breaking one saves
SAFETY = 3  # less the danger to the own base
PRESSURE = 4  # on the base of the target
NUM_PARTS = 5


@dataclass(frozen=True)
class Judgement:
    """What a besieger thinks of a position in which it can place; arrays float64, last column: ending the turn."""

    survey: Survey  # room of the agent: holds until it judges the next position
    shares: Shares  # float64 [P], see `rivals.py`
    capture: Capture | None  # the base that it takes, whatever the rest says; then all else is 0
    target: int  # seat on whose base it presses, -1 if there is none
    parts: NDArray[np.float64]  # [NUM_PARTS, N + 1]
    ratings: NDArray[np.float64]  # [N + 1] their sum; ILLEGAL where no stone may be placed
