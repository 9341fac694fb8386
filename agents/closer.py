"""`closer`: looks one turn ahead, at every sea and every base, its own and the enemies'.

A stone may convert cells of its owner's sea into territory, and the stones of one turn may wall in a base. Stone by
stone `closer`

1. takes a base that it can wall in with the stones it has left;
2. else plays where this is greatest: what `greedy` says the board is worth (it closes what pays), plus what the
   best-placed enemy would win by a stone of its own on the same cell (it blocks what would be closed next): cells, plus
   pieces captured, plus 1000 for its own base. A wall around its own base that an enemy could finish in one turn
   outweighs all that;
3. ends the turn when no stone is worth more.
"""

from __future__ import annotations

from collections.abc import Mapping

from agents.base import Agent, check_bare
from agents.besieger import Besieger

LIMIT = 3  # stones, the usual budget of a turn
WEIGHTS = (0.0, 1000.0, 0.0, 0.0)  # of `sieges.py`: only a wall within reach counts


def make(argument: str, options: Mapping[str, str]) -> Agent:
    """Returns the agent; it has neither argument nor options."""
    check_bare("closer", argument, options)
    return Besieger("closer", WEIGHTS, LIMIT)
