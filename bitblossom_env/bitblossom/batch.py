"""B games of Bit Blossom in lockstep: the kernels of one game over arrays with a longer leading axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..core.array_batch import ArrayBatch, ViewArrays
from ..core.batch import ALL_LEGAL
from ..core.game import Outcome
from . import kernels
from .reading import outcome_of
from .state import State, new_state

if TYPE_CHECKING:
    from .game import BitBlossomGame, BitBlossomSetup


class BitBlossomBatch(ArrayBatch["BitBlossomSetup", "BitBlossomGame", State]):
    """Room for B games; a row is started before it is used."""

    def __init__(self, setup: BitBlossomSetup, num_games: int) -> None:
        super().__init__(setup, new_state(setup.config, num_games))

    def outcome(self, index: int) -> Outcome | None:
        """Returns how the game of row `index` ended, None while it runs."""
        return outcome_of(self._arrays, index, self._setup)

    @property
    def _arrays(self) -> kernels.Arrays:
        return self._state.masks, self._state.stamps, self._state.counters

    def _game_of(self, state: State) -> BitBlossomGame:
        return self._setup.game_from_state(state)

    def _find_illegal(self, actions: NDArray[np.int64], low: int, high: int) -> int:
        return int(kernels.find_illegal(self._arrays, actions, low, high))

    def _advance(self, actions: NDArray[np.int64], low: int, high: int, views: ViewArrays) -> int:
        work = kernels.scratch_for(self._setup.num_cells).work
        wrong = int(kernels.advance(self._arrays, actions, low, high, work, views))
        if wrong == ALL_LEGAL:
            self._add_extra_planes(low, high, views)
        return wrong

    def _look(self, low: int, high: int, views: ViewArrays) -> None:
        work = kernels.scratch_for(self._setup.num_cells).work
        kernels.look(self._arrays, low, high, work, views)
        self._add_extra_planes(low, high, views)

    def _add_extra_planes(self, low: int, high: int, views: ViewArrays) -> None:
        """Fills the optional planes, where there are any."""
        planes = views[0]
        if len(planes) and self._setup.config.extra_planes:
            kernels.add_extra_planes(self._arrays, low, high, self._setup.extra_planes, planes)
