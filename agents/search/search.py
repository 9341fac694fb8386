"""Searches of one turn: trees grown side by side, one a thread, and what they say together.

Dimension letters: P seats, A actions of a node (N placements, then the end of the turn).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.search.tree import NO_NODE, ROOT, SETTINGS, SIZE, Room, Tree, add_node, simulate
from agents.sieges.survey import new_survey
from agents.trials import BASE_VALUE, Board, copy_board
from bitblossom_env.bitblossom.game import BitBlossomGame
from bitblossom_env.bitblossom.sea_replay import NUM_WORK
from bitblossom_env.bitblossom.state import MAX_RETRACTIONS, PLACEMENTS, State

MAX_BYTES = 2**28  # of one tree; system memory is taken as nodes are opened
MAX_LENGTH = 512  # nodes of a path
CHUNK = 32  # simulations between two looks at the clock
FEAR = (0.0, float(BASE_VALUE), 0.0, 0.0)  # only walls that the next turn can finish are feared


@dataclass(frozen=True)
class Limits:
    """How long one action may be thought about."""

    num_simulations: int  # over all threads
    seconds: float | None = None  # None: as long as the simulations take
    num_threads: int = 1


@dataclass(frozen=True)
class Findings:
    """What a search says of the actions of a position."""

    visits: NDArray[np.int64]  # [A] simulations that began with the action
    values: NDArray[np.float64]  # [A, P] mean value per seat of what the action leads to, 0 where it is unknown
    value: NDArray[np.float64]  # [P] mean value of the position
    num_simulations: int  # in which the position has been met

    def ranked(self, mover: int) -> list[int]:
        """Returns the actions from best to worst: by visits, equals by what they are worth to the seat to move."""
        return [int(action) for action in np.lexsort((-self.values[:, mover], -self.visits))]


def new_tree(num_nodes: int, num_cells: int, num_seats: int) -> Tree:
    """Returns an empty tree with room for `num_nodes`."""
    num_actions = num_cells + 1
    table_size = 4
    while table_size <= 2 * num_nodes:
        table_size *= 2
    return Tree(
        keys=np.empty(num_nodes, np.uint64),
        movers=np.empty(num_nodes, np.int32),
        visits=np.empty(num_nodes, np.int32),
        sums=np.empty((num_nodes, num_seats)),
        is_open=np.empty(num_nodes, np.bool_),
        priors=np.empty((num_nodes, num_actions), np.float32),
        edge_visits=np.empty((num_nodes, num_actions), np.int32),
        children=np.empty((num_nodes, num_actions), np.int32),
        table=np.full(table_size, NO_NODE, np.int32),
        progress=np.zeros(2, np.int64),
    )


def board_of(state: State) -> Board:
    """Returns the arrays of game 0 of a state."""
    return state.masks[0], state.stamps[0], state.counters[0]


def new_room(game: BitBlossomGame, seed: int) -> Room:
    """Returns room for a search that begins at `game`; `seed` is positive and below 2**64."""
    state = game.get_state()
    state.counters[0, MAX_RETRACTIONS] = 0  # no search takes a stone back: nothing is spent on finding which it could
    num_cells = game.setup.num_cells
    return Room(
        root=board_of(state),
        board=board_of(state.copy()),
        trial=board_of(state.copy()),
        nodes=np.empty(MAX_LENGTH, np.int32),
        values=np.empty(game.num_seats),
        leads=np.empty(num_cells + 1),
        survey=new_survey(game.num_seats, game.setup.board_shape, int(state.counters[0, PLACEMENTS])),
        weights=np.array(FEAR),
        shares=np.zeros(game.num_seats),
        terms=np.empty((2, num_cells + 1)),
        work=np.zeros((NUM_WORK, num_cells + 2), np.int32),
        chance=np.array([seed], np.uint64),
        settings=np.array(SETTINGS),
    )


class Search:
    """Trees that begin at one position and follow the game from there, within one turn."""

    def __init__(self, game: BitBlossomGame, seeds: Sequence[int], num_nodes: int) -> None:
        self._end_turn = game.setup.end_turn
        num_cells = game.setup.num_cells
        most = MAX_BYTES // (12 * (num_cells + 1))
        self.trees = [new_tree(min(num_nodes, most), num_cells, game.num_seats) for _ in seeds]
        self.rooms = [new_room(game, seed) for seed in seeds]
        self.go_to(game)

    def go_to(self, game: BitBlossomGame) -> None:
        """Makes `game` the position from which simulations start; what is known of it stays known."""
        state = game.get_state()
        state.counters[0, MAX_RETRACTIONS] = 0
        for tree, room in zip(self.trees, self.rooms, strict=True):
            copy_board(board_of(state), room.root)
            tree.progress[ROOT] = add_node(tree, room.root)

    @property
    def num_bytes(self) -> int:
        """Memory that the trees take when they are full."""
        return sum(array.nbytes for tree in self.trees for array in tree)

    def has_room(self, num_nodes: int) -> bool:
        """Returns whether every tree can take so many nodes more."""
        return all(len(tree.keys) - tree.progress[SIZE] >= num_nodes for tree in self.trees)

    def run(self, limits: Limits) -> None:
        """Runs simulations in every tree, until a limit is reached."""
        share = -(-limits.num_simulations // len(self.trees))
        if len(self.trees) == 1:
            _run(self.trees[0], self.rooms[0], share, limits.seconds)
            return
        with ThreadPoolExecutor(len(self.trees)) as pool:
            list(pool.map(_run, self.trees, self.rooms, [share] * len(self.trees), [limits.seconds] * len(self.trees)))

    def findings(self) -> Findings:
        """Returns what all trees together say of the position that they stand at."""
        num_actions, num_seats = self.trees[0].priors.shape[1], self.trees[0].sums.shape[1]
        visits, sums = np.zeros(num_actions, np.int64), np.zeros((num_actions, num_seats))
        counts, total, met = np.zeros(num_actions), np.zeros(num_seats), 0
        for tree in self.trees:
            root = tree.progress[ROOT]
            met += int(tree.visits[root])
            total += tree.sums[root]
            if not tree.is_open[root]:
                continue
            visits += tree.edge_visits[root]
            known = (tree.children[root] != NO_NODE).nonzero()[0]
            nodes = tree.children[root, known]
            counts[known] += tree.visits[nodes]
            sums[known] += tree.sums[nodes]
        values = sums / np.maximum(counts, 1)[:, None]
        return Findings(visits, values, total / max(met, 1), met)


def _run(tree: Tree, room: Room, num_simulations: int, seconds: float | None) -> int:
    """Runs simulations in one tree, with a limit of time in chunks; returns how many."""
    if seconds is None:
        simulate(tree, room, num_simulations)
        return num_simulations
    end = time.monotonic() + seconds
    done = 0
    while done < num_simulations and time.monotonic() < end:
        simulate(tree, room, min(CHUNK, num_simulations - done))
        done += min(CHUNK, num_simulations - done)
    return done
