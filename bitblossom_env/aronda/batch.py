"""B games of Aronda in lockstep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..core.array_batch import ArrayBatch, ViewArrays
from ..core.game import Outcome
from . import kernels
from .scoring import outcome_of
from .state import ArondaState, new_state

if TYPE_CHECKING:
    from .game import ArondaGame, ArondaSetup


class ArondaBatch(ArrayBatch["ArondaSetup", "ArondaGame", ArondaState]):
    """Room for B games; a row is started before it is used."""

    def __init__(self, setup: ArondaSetup, num_games: int) -> None:
        super().__init__(setup, new_state(num_games, setup.config.blockade, setup.config.stop_at_majority))

    def outcome(self, index: int) -> Outcome | None:
        """Returns how the game of row `index` ended, None while it runs."""
        return outcome_of(self._state, index)

    def _game_of(self, state: ArondaState) -> ArondaGame:
        return self._setup.game_from_state(state)

    def _find_illegal(self, actions: NDArray[np.int64], low: int, high: int) -> int:
        return int(kernels.find_illegal(self._state.arrays(), actions, low, high))

    def _advance(self, actions: NDArray[np.int64], low: int, high: int, views: ViewArrays) -> int:
        return int(kernels.advance(self._state.arrays(), actions, low, high, views))

    def _look(self, low: int, high: int, views: ViewArrays) -> None:
        kernels.look(self._state.arrays(), low, high, views)
