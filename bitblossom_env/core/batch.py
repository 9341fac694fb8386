"""The interface through which environments and training see many games of one setup in lockstep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .game import Game, Outcome, Setup

ALL_LEGAL = -1  # what `GameBatch.find_illegal` says where no action is


@dataclass(frozen=True, eq=False)
class Views:
    """What the seats to move see and may do, one row a game; the arrays are written in place."""

    planes: NDArray[np.uint8] | None  # [B, F, ...], None where nobody looks
    masks: NDArray[np.int8]  # [B, A] 1 exactly where `advance` accepts; all 0 after the end
    to_move: NDArray[np.int8]  # [B] seat whose action is awaited; after the end, the seat that moved last
    is_over: NDArray[np.bool_]  # [B]

    @classmethod
    def allocate(cls, setup: Setup, num_games: int, observe: bool = True) -> Views:
        """Returns views of the right form for B games of `setup`."""
        shape = (num_games, len(setup.plane_names), *setup.board_shape)
        return cls(
            planes=np.zeros(shape, np.uint8) if observe else None,
            masks=np.zeros((num_games, setup.num_actions), np.int8),
            to_move=np.zeros(num_games, np.int8),
            is_over=np.zeros(num_games, np.bool_),
        )


class GameBatch(Protocol):
    """B games in lockstep: the same kernels as `Game`, over arrays with a leading game axis.

    `advance` and `look` release the lock; threads may call them at the same time for ranges that do not overlap.
    """

    @property
    def num_games(self) -> int:
        """B."""

    def start(self, index: int, game: Game) -> None:
        """Puts a copy of `game` into row `index`."""

    def game(self, index: int) -> Game:
        """A copy of row `index` as a game of its own."""

    def outcome(self, index: int) -> Outcome | None:
        """How the game of row `index` ended; None while it runs."""

    def get_states(self, indices: NDArray[np.int64]) -> Any:
        """A copy of the states of some rows, for `set_states` of any batch of the same setup."""

    def set_states(self, indices: NDArray[np.int64], states: Any) -> None:
        """Puts copies of states that `get_states` has returned into rows, one per index, or one for all of them."""

    def find_illegal(self, actions: NDArray[np.int64], low: int, high: int) -> int:
        """The first running game of low..high-1 whose action, of int64 [B], is illegal; ALL_LEGAL if none is."""

    def advance(self, actions: NDArray[np.int64], low: int, high: int, views: Views) -> int:
        """Plays one action, int64 [B], in the running games of low..high-1 and renews their rows of `views`.

        Returns ALL_LEGAL, or the first of these games whose action is illegal; none of them has moved then.
        """

    def look(self, low: int, high: int, views: Views) -> None:
        """Renews the rows low..high-1 of `views`, finished games included."""
