"""What a search asks of a game; each game answers in a folder of its own.

Dimension letters: P seats, A actions of a node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from bitblossom_env.core.bitboard import Word
from bitblossom_env.core.game import Game

Values = NDArray[np.float64]  # float64 [P], one per seat
Priors = NDArray[np.float32]  # float32 [A], how likely an action is the best before any is tried; 0 if it is illegal
AnyBoard = TypeVar("AnyBoard")  # the arrays of one game
AnyDesk = TypeVar("AnyDesk")  # what the kernels of one game write in


class Room(NamedTuple, Generic[AnyBoard, AnyDesk]):
    """What a search writes in."""

    root: AnyBoard  # where simulations begin
    board: AnyBoard  # where the present one has come to
    nodes: NDArray[np.int32]  # [L] nodes of its path
    values: Values  # what has come out of it
    settings: NDArray[np.float64]  # of the tree, see there
    desk: AnyDesk


class Kernels(NamedTuple):
    """The rules of a game and how it is played on, as kernels; `room` is a `Room` of the game."""

    copy: Callable[[Any, Any], None]  # board, board: makes the second equal to the first
    key_of: Callable[[Any], Word]  # board: 64 bits, the same for positions that go on alike
    mover_of: Callable[[Any], int]  # board: seat to move
    is_over: Callable[[Any], bool]  # board
    fill_priors: Callable[[Any, Priors], None]  # room: of `room.board`; they add up to 1
    play: Callable[[Any, int], None]  # room, action: on `room.board`
    look: Callable[[Any, Any, Any], None]  # room, uint8 [F * N], int8 [A]: what the mover there sees and may do
    fill_returns: Callable[[Any], None]  # room: who has won at `room.board`, which is over; -1..1, adds up to 0
    play_out: Callable[[Any], None]  # room: plays on from `room.board` and fills `room.values`, 0..1, which add up to 1


Simulate = Callable[[Any, Any, int], None]  # tree, room, number of simulations
Descend = Callable[[Any, Any, Any, Any], None]  # a round of many trees, see `gumbel.descent`


class SearchedGame(Protocol):
    """The same from Python, and what a search must know before it begins."""

    @property
    def kernels(self) -> Kernels:
        """What simulations are made of."""

    @property
    def simulate(self) -> Simulate:
        """The kernel made of them, see `make_simulate`."""

    @property
    def descend(self) -> Descend:
        """The same for the search with a network, see `make_descend`."""

    def check(self, game: Game, agent: str) -> None:
        """Raises `ValueError` in one line that names `agent` for a game of another kind."""

    def turn_start(self, game: Game) -> Game | None:
        """Returns the position at the start of the turn, where plans begin; None where it cannot be known any more."""

    def only_action(self, game: Game) -> int | None:
        """Returns the game's action where there is nothing to search for, None elsewhere."""

    def num_actions(self, game: Game) -> int:
        """Returns A."""

    def game_action(self, game: Game, action: int) -> int:
        """Returns how the game numbers an action of a node."""

    def new_board(self, game: Game) -> Any:
        """Returns fresh arrays of the position."""

    def new_desk(self, game: Game, seed: int) -> Any:
        """Returns room for the game's kernels; `seed` is positive and below 2**64."""
