"""`closer`: looks one turn ahead, at every sea and every base, its own and the enemies'.

A stone may convert cells of its owner's sea into territory, the stones of one turn may wall in a region or a base.
Stone by stone `closer`

1. takes a base that it can wall in with the stones it has left;
2. else plays where this is greatest: what `greedy` says the board is worth; plus what the best-placed enemy would win
   by a stone of its own on the same cell (it blocks what would be closed next): cells and captured pieces, times the
   enemy's share (`sieges/rivals.py`), and 1000 for its own base; plus the most that a wall with this stone would
   convert which the stones left can finish. A wall around its own base that an enemy could finish in one turn outweighs
   all that;
3. ends the turn when no stone is worth more.
"""

from __future__ import annotations

from collections.abc import Mapping

from agents.base import Agent, check_bare
from agents.sieges.besieger import Besieger, Foresight

FORESIGHT = Foresight(
    weights=(0.0, 1000.0, 0.0, 0.0),  # only a wall within reach counts
    base_stones=3,  # the usual budget of a turn
    region_stones=0,
    region_decay=1.0,  # all stones of a wall are placed at once
    enemy_regions=0.0,
)


def make(argument: str, options: Mapping[str, str]) -> Agent:
    """Returns the agent; it has neither argument nor options."""
    check_bare("closer", argument, options)
    return Besieger("closer", FORESIGHT)
