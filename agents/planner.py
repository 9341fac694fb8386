"""`planner`: thinks in walls of several turns, against every base and around its own.

For every enemy it knows the cheapest walls that would take the base, and for its own base those that each enemy could
build (`walls.py`: minimum vertex cuts in the builder's sea, in squares of several sizes). Stone by stone it

1. takes a base that it can wall in with the stones it has left, if ending the turn then really eliminates it;
2. else places where this is greatest: what `closer` says the stone is worth, less the danger to its own base, plus the
   pressure on the base that is nearest to falling. Each wall counts, one that needs a stone more three times less; a
   wall that an enemy could finish in one turn outweighs everything but a captured base;
3. ends the turn when no stone improves on that.
"""

from __future__ import annotations

from collections.abc import Mapping

from agents.base import Agent, check_bare
from agents.besieger import Besieger

LIMIT = 8  # stones, two turns and a half
# Of `sieges.py`, in cells. Found by play against `closer` and earlier versions on 9x9.
WEIGHTS = (600.0, 1000.0, 100.0, 600.0)


def make(argument: str, options: Mapping[str, str]) -> Agent:
    """Returns the agent; it has neither argument nor options."""
    check_bare("planner", argument, options)
    return Besieger("planner", WEIGHTS, LIMIT)
