"""A state of B games as a few arrays with a leading game axis; the last of them, `counters`, begins with the rules."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray


class ArrayState:
    """What the states of all games share; a game's own is a dataclass whose fields are the arrays."""

    NUM_RULES: ClassVar[int]  # counters before it are the rules, equal for all games of a setup
    MOVER_COUNTER: ClassVar[int]  # seat to move; after the end, the seat that moved last
    TURN_COUNTER: ClassVar[int]  # number of the current turn
    END_COUNTER: ClassVar[int]  # 0 while the game runs, else why it has ended
    counters: NDArray[np.int32]  # [B, K]

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """Returns the arrays, in the order of the fields."""
        return tuple(vars(self).values())

    def copy(self) -> Self:
        """Returns a state that shares no memory with this one."""
        return type(self)(*(array.copy() for array in self.arrays()))

    def rows(self, where: slice | NDArray[np.int64]) -> Self:
        """Returns the state of some games; a slice shares memory, numbers do not."""
        return type(self)(*(array[where] for array in self.arrays()))

    def put(self, where: NDArray[np.int64], others: Self) -> None:
        """Writes the games of `others`, one per number or one for all, over those that `where` names."""
        for mine, theirs in zip(self.arrays(), others.arrays(), strict=True):
            mine[where] = theirs

    def has_same_rules(self, others: Any) -> bool:
        """Returns whether `others` is a state whose games have the form and the rules of those of this one."""
        if type(others) is not type(self):
            return False
        for mine, theirs in zip(self.arrays(), others.arrays(), strict=True):
            if theirs.shape[1:] != mine.shape[1:] or theirs.dtype != mine.dtype or len(theirs) != len(others.counters):
                return False
        return bool((others.counters[:, : self.NUM_RULES] == self.counters[0, : self.NUM_RULES]).all())
