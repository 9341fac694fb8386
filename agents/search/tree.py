"""The tree of a search: positions as nodes found by their keys, actions as edges; all in arrays made beforehand.

A simulation goes down from the root, at each node by the action that looks best to the seat to move there (max^n),
adds the first position that is new, plays on from it and books what has come out in every node it came through.
Positions reached by several orders of placements are one node, so an edge has visits of its own and the value of its
node.

Dimension letters: P seats, A actions of a node, D nodes, L length of a path.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.search.rules import Kernels, Simulate
from bitblossom_env.core.bitboard import Word
from bitblossom_env.core.jit import kernel, kernel_of

NO_NODE = -1
ROOT = 0  # entry of `progress`: number of the node that simulations start from
SIZE = 1  # entry of `progress`: number of nodes
# --- settings, float64 ---------------------------------------------------------------------------------------------
EXPLORATION = 0  # weight of what an action's prior promises against what its simulations have brought
REDUCTION = 1  # an action not tried yet is worth so much less than its position
SETTINGS = (1.0, 0.1)


class Tree(NamedTuple):
    """Nodes, edges and the table that finds a node by its key."""

    keys: NDArray[np.uint64]  # [D]
    movers: NDArray[np.int32]  # [D] seat to move
    visits: NDArray[np.int32]  # [D] simulations that came through
    sums: NDArray[np.float64]  # [D, P] of the values that they brought
    is_open: NDArray[np.bool_]  # [D] whether the priors are filled
    priors: NDArray[np.float32]  # [D, A] how likely an action is the best, before any is tried; 0 if it is illegal
    edge_visits: NDArray[np.int32]  # [D, A]
    children: NDArray[np.int32]  # [D, A] node that an action leads to, NO_NODE if not known yet
    table: NDArray[np.int32]  # [2 ** k > 2 D] node numbers in the places of their keys, or the next free; NO_NODE
    progress: NDArray[np.int64]  # [2], fields above


@kernel
def find_node(tree: Tree, key: Word) -> int:
    """Returns the place in the table where a key is, or would be."""
    last = tree.table.shape[0] - 1
    place: int = np.int64(key & np.uint64(last))  # type: ignore[assignment]
    while tree.table[place] != NO_NODE and tree.keys[tree.table[place]] != key:
        place = (place + 1) & last
    return place


@kernel
def add_node(tree: Tree, key: Word, mover: int) -> int:
    """Returns the node of a position, a new one if need be; NO_NODE if there is no room for it."""
    place = find_node(tree, key)
    if tree.table[place] != NO_NODE:
        return int(tree.table[place])
    node = tree.progress[SIZE]
    if node == tree.keys.shape[0]:
        return NO_NODE
    tree.progress[SIZE] += 1
    tree.table[place] = node
    tree.keys[node] = key
    tree.movers[node] = mover
    tree.visits[node] = 0
    tree.is_open[node] = False
    for seat in range(tree.sums.shape[1]):
        tree.sums[node, seat] = 0.0
    return int(node)


@kernel
def _choose_edge(tree: Tree, node: int, settings: NDArray[np.float64]) -> int:
    """Returns the action that looks best to the seat to move: value so far plus what its prior promises (PUCT)."""
    mover = tree.movers[node]
    reach = settings[EXPLORATION] * math.sqrt(tree.visits[node])
    untried = tree.sums[node, mover] / tree.visits[node] - settings[REDUCTION]
    best, chosen = -1.0, -1
    for action in range(tree.priors.shape[1]):
        prior = tree.priors[node, action]
        if prior == 0:
            continue
        worth = untried
        child = tree.children[node, action]
        if child != NO_NODE and tree.visits[child] > 0:
            worth = tree.sums[child, mover] / tree.visits[child]
        worth += reach * prior / (1 + tree.edge_visits[node, action])
        if worth > best:
            best, chosen = worth, action
    return chosen


@kernel
def _clear_edges(tree: Tree, node: int) -> None:
    """Makes a node whose priors are filled ready for visits."""
    for action in range(tree.priors.shape[1]):
        tree.edge_visits[node, action] = 0
        tree.children[node, action] = NO_NODE
    tree.is_open[node] = True


def _make_descent(game: str, kernels: Kernels) -> Callable[[Any, Any], int]:
    """Returns the kernel that goes down the tree of a game."""
    copy, key_of, mover_of, is_over, fill_priors, play, *_ = kernels

    @kernel_of(game)
    def go_down(tree: Tree, room: Any) -> int:
        """Goes from the root to a position not seen before, or to the end; returns how many nodes it came through."""
        copy(room.root, room.board)
        node = tree.progress[ROOT]
        length = 0
        while node != NO_NODE:
            room.nodes[length] = node
            length += 1
            if tree.visits[node] == 0 or is_over(room.board) or length == room.nodes.shape[0]:
                break
            if not tree.is_open[node]:
                fill_priors(room, tree.priors[node])
                _clear_edges(tree, node)
            action = _choose_edge(tree, node, room.settings)
            tree.edge_visits[node, action] += 1
            play(room, action)
            child = tree.children[node, action]
            if child == NO_NODE:
                child = add_node(tree, key_of(room.board), mover_of(room.board))
                tree.children[node, action] = child
            node = child
        return length

    return go_down


def make_simulate(game: str, kernels: Kernels) -> Simulate:
    """Returns the kernel that runs simulations of the game called `game` from the root of a tree."""
    go_down, play_out = _make_descent(game, kernels), kernels.play_out

    @kernel_of(game)
    def simulate(tree: Tree, room: Any, num_simulations: int) -> None:
        """Runs simulations from the root."""
        for _ in range(num_simulations):
            length = go_down(tree, room)
            play_out(room)
            for index in range(length):
                node = room.nodes[index]
                tree.visits[node] += 1
                for seat in range(room.values.shape[0]):
                    tree.sums[node, seat] += room.values[seat]

    return simulate
