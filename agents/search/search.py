"""Searches of one turn: trees grown side by side, one a thread, and what they say together.

Dimension letters: P seats, A actions of a node.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.search.rules import Room, SearchedGame, Simulate
from agents.search.tree import NO_NODE, ROOT, SETTINGS, SIZE, Tree, add_node
from bitblossom_env.core.game import Game

MAX_BYTES = 2**28  # of one tree; system memory is taken as nodes are opened
MAX_LENGTH = 512  # nodes of a path
CHUNK = 32  # simulations between two looks at the clock


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


def new_tree(num_nodes: int, num_actions: int, num_seats: int) -> Tree:
    """Returns an empty tree with room for `num_nodes`."""
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


def new_room(rules: SearchedGame, game: Game, seed: int) -> Room[Any, Any]:
    """Returns room for a search that begins at `game`; `seed` is positive and below 2**64."""
    return Room(
        root=rules.new_board(game),
        board=rules.new_board(game),
        nodes=np.empty(MAX_LENGTH, np.int32),
        values=np.empty(game.num_seats),
        settings=np.array(SETTINGS),
        desk=rules.new_desk(game, seed),
    )


def add_root(rules: SearchedGame, tree: Tree, board: Any) -> int:
    """Returns the node of a position, a new one if need be."""
    key = np.uint64(rules.kernels.key_of(board))
    return add_node(tree, key, rules.kernels.mover_of(board))


class Search:
    """Trees that begin at one position and follow the game from there, within one turn."""

    def __init__(self, rules: SearchedGame, game: Game, seeds: Sequence[int], num_nodes: int) -> None:
        num_actions = rules.num_actions(game)
        most = MAX_BYTES // (12 * num_actions)
        self._rules = rules
        self.trees = [new_tree(min(num_nodes, most), num_actions, game.num_seats) for _ in seeds]
        self.rooms = [new_room(rules, game, seed) for seed in seeds]
        self.go_to(game)

    def go_to(self, game: Game) -> None:
        """Makes `game` the position from which simulations start; what is known of it stays known."""
        board = self._rules.new_board(game)
        for tree, room in zip(self.trees, self.rooms, strict=True):
            self._rules.kernels.copy(board, room.root)
            tree.progress[ROOT] = add_root(self._rules, tree, board)

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
        run = partial(_run, self._rules.simulate, num_simulations=share, seconds=limits.seconds)
        if len(self.trees) == 1:
            run(self.trees[0], self.rooms[0])
            return
        with ThreadPoolExecutor(len(self.trees)) as pool:
            list(pool.map(run, self.trees, self.rooms))

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


def _run(simulate: Simulate, tree: Tree, room: Room[Any, Any], *, num_simulations: int, seconds: float | None) -> int:
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
