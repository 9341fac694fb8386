"""`planner`: thinks in walls of several turns, against every base, around its own, and around regions.

For every enemy it knows the cheapest walls that would take the base, and for its own base those that each enemy could
build (`sieges/walls.py`: minimum vertex cuts in the builder's sea, in squares of several sizes). Stone by stone it

1. takes a base that it can wall in with the stones it has left, if ending the turn then really eliminates it;
2. else places where this is greatest: what `closer` says the stone is worth, with regions that need stones of the next
   turn as well, or a part of what breaking an enemy's wall around a region saves; less the danger to its own base, plus
   the pressure on one other. Each wall around a base counts, one that needs a stone more three times less; a wall that
   an enemy could finish in one turn outweighs everything but a captured base;
3. ends the turn when no stone improves on that.

With several enemies a victim's fall helps the mover, and all others just as much. So every enemy has a share: its area
divided by that of the greatest enemy (`sieges/rivals.py`). The leader's loss counts in full, another's as much less as
it lies behind. Blocked gains and pressure are multiplied by it; the base to press on is the one where the product is
greatest; and where two bases can be taken it is the leader's.
"""

from __future__ import annotations

from collections.abc import Mapping

from agents.base import Agent, check_bare
from agents.sieges.besieger import Besieger, Foresight

# Found by play against `closer` and earlier versions on 9x9; weights in cells.
FORESIGHT = Foresight(
    weights=(600.0, 1000.0, 100.0, 600.0),
    base_stones=8,  # nearly three turns
    region_stones=8,
    region_decay=1.1,
    enemy_regions=0.6,
)


def make(argument: str, options: Mapping[str, str]) -> Agent:
    """Returns the agent; it has neither argument nor options."""
    check_bare("planner", argument, options)
    return Besieger("planner", FORESIGHT)
