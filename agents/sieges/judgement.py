"""What a besieger thinks of a position, term by term."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.sieges.captures import Capture
from agents.sieges.rivals import Shares
from agents.sieges.survey import Survey

# Terms of a rating, in cells.
OWN = "own"  # what `greedy` says the board is worth
BLOCKED = "blocked"  # what the best-placed enemy would win on the cell
REGION = "region"  # the most that a wall of several stones converts of which this is one, or that breaking one saves
SAFETY = "safety"  # less the danger to the own base
PRESSURE = "pressure"  # on the base of the target
PARTS = (OWN, BLOCKED, REGION, SAFETY, PRESSURE)


@dataclass(frozen=True)
class Judgement:
    """What a besieger thinks of a position in which it can place; arrays float64 [N + 1], the last entry of ending."""

    survey: Survey  # room of the agent: holds until it judges the next position
    shares: Shares  # float64 [P], see `rivals.py`
    capture: Capture | None  # the base that it takes, whatever the rest says; then all else is 0
    target: int  # seat on whose base it presses, -1 if there is none
    parts: dict[str, NDArray[np.float64]]  # by the names above
    ratings: NDArray[np.float64]  # their sum; ILLEGAL where no stone may be placed
