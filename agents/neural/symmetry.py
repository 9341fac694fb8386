"""Rotations and mirrors of the board, one table for planes, masks, actions and cell targets alike."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Value = TypeVar("Value", bound=np.generic)


class Symmetries:
    """Symmetries of a board as permutations of its cells.

    Attributes:
        cells: int64 [S, N]: cell n of the transformed board shows cell `cells[s, n]` of the board; row 0
            changes nothing.
        inverse: int64 [S, N]: cell c of the board is cell `inverse[s, c]` of the transformed board.
    """

    def __init__(self, cells: NDArray[np.int64]) -> None:
        self.cells = cells
        self.inverse = np.argsort(cells, axis=1)

    @classmethod
    def of_grid(cls, rows: int, cols: int) -> Symmetries:
        """Returns the 8 symmetries of a square board, or the 4 of an oblong one."""
        board = np.arange(rows * cols).reshape(rows, cols)
        # Only half turns keep an oblong board in its shape.
        turns = (0, 1, 2, 3) if rows == cols else (0, 2)
        turned = [np.rot90(board, k) for k in turns]
        return cls(np.array([b.ravel() for t in turned for b in (t, t[:, ::-1])], np.int64))

    def __len__(self) -> int:
        return len(self.cells)

    def planes(self, planes: NDArray[Value], which: NDArray[np.int64]) -> NDArray[Value]:
        """Returns `planes` [B, S, *board shape] with symmetry `which` int64 [B] of each board applied."""
        # Numbers of cells counted over all boards and planes: one plain `take`, the quickest way to pick them.
        first = np.arange(0, planes.size, self.cells.shape[1]).reshape(*planes.shape[:2], 1)
        return planes.reshape(-1).take(self.cells[which][:, None] + first).reshape(planes.shape)

    def mask(self, mask: NDArray[Value], which: NDArray[np.int64]) -> NDArray[Value]:
        """Returns network masks [B, N + 1] transformed; end turn, the last, has no place."""
        out = mask.copy()
        out[:, :-1] = np.take_along_axis(mask[:, :-1], self.cells[which], axis=1)
        return out

    def targets(self, cells: NDArray[Value], which: NDArray[np.int64]) -> NDArray[Value]:
        """Returns per-cell targets [B, N] transformed."""
        return np.take_along_axis(cells, self.cells[which], axis=1)

    def actions(self, actions: NDArray[np.int64], which: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns network actions int64 [B] of the board as actions of the transformed board."""
        return self._move(self.inverse, actions, which)

    def actions_back(self, actions: NDArray[np.int64], which: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns network actions int64 [B] of the transformed board as actions of the board."""
        return self._move(self.cells, actions, which)

    def _move(
        self, table: NDArray[np.int64], actions: NDArray[np.int64], which: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        num_cells = table.shape[1]
        placed = table[which, np.minimum(actions, num_cells - 1)]
        return np.where(actions < num_cells, placed, actions)
