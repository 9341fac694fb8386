"""The trees of many games, side by side: positions as nodes with their boards, and what a network says of them.

Dimension letters: G games, D nodes of a game, P seats, A actions of a node, L length of a path, S simulations of a
round.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.search.rules import SearchedGame
from agents.search.search import new_tree
from agents.search.tree import SIZE, Tree
from bitblossom_env.core.game import Game
from bitblossom_env.core.jit import kernel, small_kernel

MAX_LENGTH = 256  # nodes of a path; what is deeper is taken for a leaf
Boards = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]  # the three arrays of a game, each with axes before its own


class Forest(NamedTuple):
    """G trees with the boards and judgements of their nodes; node 0 is where a search begins."""

    trees: Tree  # every array with a leading game axis
    boards: Boards  # [G, D, ...]
    judged: NDArray[np.float64]  # [G, D, P] by a network, by the rules where the game is over; seats absolute
    is_over: NDArray[np.bool_]  # [G, D]
    noise: NDArray[np.float64]  # [G, A] added to the logits of the actions at the root


class Room(NamedTuple):
    """What the kernels of a game write in."""

    board: Any
    values: NDArray[np.float64]  # [P]
    desk: Any
    policy: NDArray[np.float64]  # [A]
    settings: NDArray[np.float64]  # see `descent.py`


class Round(NamedTuple):
    """Simulations that wait together for the network; the first `counts[0]` rows are filled."""

    counts: NDArray[np.int64]  # [2]: simulations, and those of them whose leaf the network is to judge
    games: NDArray[np.int64]  # [S]
    actions: NDArray[np.int64]  # [S] with which they begin
    paths: NDArray[np.int32]  # [S, L]
    lengths: NDArray[np.int64]  # [S]
    asked: NDArray[np.int64]  # [S] row of `planes` and `masks` that shows the leaf, -1 if it needs no judgement
    planes: NDArray[np.uint8]  # [S, F * N] as the seat to move sees it
    masks: NDArray[np.int8]  # [S, A]


NUM_SIMULATIONS, NUM_ASKED = 0, 1  # entries of `counts`


def new_forest(rules: SearchedGame, game: Game, num_games: int, num_nodes: int) -> Forest:
    """Returns room for `num_games` searches of games like `game`, `num_nodes` each."""
    num_actions, num_seats = rules.num_actions(game), game.num_seats
    tree = new_tree(num_nodes, num_actions, num_seats)
    first, second, third = (
        np.zeros((num_games, num_nodes, *array.shape), array.dtype) for array in rules.new_board(game)
    )
    return Forest(
        trees=Tree._make(np.repeat(array[None], num_games, axis=0) for array in tree),
        boards=(first, second, third),
        judged=np.zeros((num_games, num_nodes, num_seats)),
        is_over=np.zeros((num_games, num_nodes), np.bool_),
        noise=np.zeros((num_games, num_actions)),
    )


def new_round(rules: SearchedGame, game: Game, num_simulations: int) -> Round:
    """Returns room for `num_simulations` at a time of games like `game`."""
    num_planes = game.observe(game.to_move).size
    return Round(
        counts=np.zeros(2, np.int64),
        games=np.zeros(num_simulations, np.int64),
        actions=np.zeros(num_simulations, np.int64),
        paths=np.zeros((num_simulations, MAX_LENGTH), np.int32),
        lengths=np.zeros(num_simulations, np.int64),
        asked=np.zeros(num_simulations, np.int64),
        planes=np.zeros((num_simulations, num_planes), np.uint8),
        masks=np.zeros((num_simulations, rules.num_actions(game)), np.int8),
    )


def tree_in(trees: Tree, g: int) -> Tree:
    """Returns the tree of a game to Python: views, which kernels cannot hand out."""
    return Tree._make(array[g] for array in trees)


@small_kernel
def tree_of(trees: Tree, g: int) -> Tree:
    """Returns the tree of a game."""
    return Tree(
        trees.keys[g],
        trees.movers[g],
        trees.visits[g],
        trees.sums[g],
        trees.is_open[g],
        trees.priors[g],
        trees.edge_visits[g],
        trees.children[g],
        trees.table[g],
        trees.progress[g],
    )


@small_kernel
def board_of(boards: Boards, g: int, node: int) -> Any:
    """Returns the board of a node."""
    return boards[0][g, node], boards[1][g, node], boards[2][g, node]


@kernel
def clear(forest: Forest, num_games: int) -> None:
    """Forgets the trees of the first `num_games` games."""
    for g in range(num_games):
        forest.trees.progress[g, SIZE] = 0
        for place in range(forest.trees.table.shape[1]):
            forest.trees.table[g, place] = -1


@kernel
def take_in(forest: Forest, rnd: Round, priors: NDArray[np.float32], values: NDArray[np.float64]) -> None:
    """Opens the leaves of a round that the network has judged, and books what every leaf is worth along its path.

    `priors` float32 [asked, A] are probabilities, `values` float64 [asked, P] expected returns counted from the mover.
    """
    num_seats = forest.judged.shape[2]
    for s in range(rnd.counts[NUM_SIMULATIONS]):
        g, row, length = rnd.games[s], rnd.asked[s], rnd.lengths[s]
        tree = tree_of(forest.trees, g)
        leaf = rnd.paths[s, length - 1]
        if row >= 0 and not tree.is_open[leaf]:
            for k in range(num_seats):
                forest.judged[g, leaf, (tree.movers[leaf] + k) % num_seats] = values[row, k]
            for action in range(tree.priors.shape[1]):
                tree.priors[leaf, action] = priors[row, action]
                tree.edge_visits[leaf, action] = 0
                tree.children[leaf, action] = -1
            tree.is_open[leaf] = True
        for index in range(length):
            node = rnd.paths[s, index]
            tree.visits[node] += 1
            for seat in range(num_seats):
                tree.sums[node, seat] += forest.judged[g, leaf, seat]
