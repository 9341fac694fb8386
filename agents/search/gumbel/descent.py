"""Which actions a search tries next, at the root and below it, and the policy that it ends with.

All follow from one thing, `fill_worth`: what is known of the value of each action, set against the prior in logits.
Equations are those of "Policy improvement by planning with Gumbel" (Danihelka et al., ICLR 2022), values of the seat to
move taken from the vector of all seats.

Dimension letters: G games, P seats, A actions of a node.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.search.gumbel.forest import (
    MAX_LENGTH,
    NUM_ASKED,
    NUM_SIMULATIONS,
    Forest,
    Round,
    board_of,
    tree_of,
)
from agents.search.rules import Descend, Kernels
from agents.search.tree import NO_NODE, SIZE, Tree, add_node
from bitblossom_env.core.jit import kernel, kernel_of

ROOT_NODE = 0
# --- settings, float64 ---------------------------------------------------------------------------------------------
VISIT_WEIGHT = 0  # c_visit: how much a value counts before anything is visited
VALUE_WEIGHT = 1  # c_scale: how much a value of -1..1, mapped to 0..1, counts for each visit of the most visited action
SETTINGS = (50.0, 0.5)
Worth = NDArray[np.float64]  # [A]


@kernel
def fill_worth(tree: Tree, judged: NDArray[np.float64], node: int, settings: Worth, worth: Worth) -> int:
    """Fills sigma(completed Q) of each action (equations 8 and 10); returns the visits of all edges.

    An action that has not been visited is worth what the node is: the network's word and the visited actions' values,
    these weighted by their priors, mixed as their visits say (equation 33).
    """
    mover = tree.movers[node]
    total, most = 0, 0
    weight, weighted = 0.0, 0.0
    for action in range(worth.shape[0]):
        visits = tree.edge_visits[node, action]
        total += visits
        most = max(most, visits)
        worth[action] = math.nan
        if visits > 0:
            child = tree.children[node, action]
            if tree.visits[child] > 0:
                worth[action] = tree.sums[child, mover] / tree.visits[child]
                weight += tree.priors[node, action]
                weighted += tree.priors[node, action] * worth[action]
    mixed = judged[node, mover]
    if weight > 0:
        mixed = (mixed + total * weighted / weight) / (1 + total)
    scale = (settings[VISIT_WEIGHT] + most) * settings[VALUE_WEIGHT]
    for action in range(worth.shape[0]):
        value = mixed if math.isnan(worth[action]) else worth[action]
        worth[action] = scale * (value + 1) / 2
    return total


@kernel
def fill_improved(tree: Tree, judged: NDArray[np.float64], node: int, settings: Worth, policy: Worth) -> int:
    """Fills the improved policy, softmax(logits + sigma(completed Q)), equation 11; returns all visits."""
    total = fill_worth(tree, judged, node, settings, policy)
    best = -math.inf
    for action in range(policy.shape[0]):
        if tree.priors[node, action] > 0:
            best = max(best, policy[action])
    sum_ = 0.0
    for action in range(policy.shape[0]):
        prior = tree.priors[node, action]
        policy[action] = prior * math.exp(policy[action] - best) if prior > 0 else 0.0
        sum_ += policy[action]
    for action in range(policy.shape[0]):
        policy[action] /= sum_
    return total


@kernel
def choose_edge(tree: Tree, judged: NDArray[np.float64], node: int, settings: Worth, policy: Worth) -> int:
    """Returns the action below the root that is furthest behind its share of the improved policy (equation 14)."""
    total = fill_improved(tree, judged, node, settings, policy)
    best, chosen = -math.inf, -1
    for action in range(policy.shape[0]):
        if tree.priors[node, action] > 0:
            lag = policy[action] - tree.edge_visits[node, action] / (1 + total)
            if lag > best:
                best, chosen = lag, action
    return chosen


@kernel
def choose_at_root(forest: Forest, g: int, plan: NDArray[np.int64], room: Any, rnd: Round) -> None:
    """Adds simulations to a round: one for each of the best `plan[1]` root actions that have `plan[0]` visits.

    Best is what has the greatest noise + logit + sigma(completed Q).
    """
    tree = tree_of(forest.trees, g)
    fill_worth(tree, forest.judged[g], ROOT_NODE, room.settings, room.policy)
    for action in range(room.policy.shape[0]):
        prior = tree.priors[ROOT_NODE, action]
        if prior > 0 and tree.edge_visits[ROOT_NODE, action] == plan[0]:
            room.policy[action] += forest.noise[g, action] + math.log(prior)
        else:
            room.policy[action] = -math.inf
    for _ in range(plan[1]):
        best, chosen = -math.inf, -1
        for action in range(room.policy.shape[0]):
            if room.policy[action] > best:
                best, chosen = room.policy[action], action
        if chosen < 0:
            return
        room.policy[chosen] = -math.inf
        rnd.games[rnd.counts[NUM_SIMULATIONS]] = g
        rnd.actions[rnd.counts[NUM_SIMULATIONS]] = chosen
        rnd.counts[NUM_SIMULATIONS] += 1


def _make_step(game: str, kernels: Kernels) -> Callable[[Any, int, int, int, Any], int]:
    """Returns the kernel that goes one action further down a tree."""
    copy, play, fill_returns = kernels.copy, kernels.play, kernels.fill_returns
    key_of, mover_of, is_over = kernels.key_of, kernels.mover_of, kernels.is_over

    @kernel_of(game)
    def step(forest: Forest, g: int, node: int, action: int, room: Any) -> int:
        """Returns the node that an action leads to, a new one if need be."""
        tree = tree_of(forest.trees, g)
        tree.edge_visits[node, action] += 1
        child = tree.children[node, action]
        if child != NO_NODE:
            return int(child)
        copy(board_of(forest.boards, g, node), room.board)
        play(room, action)
        size = tree.progress[SIZE]
        child = add_node(tree, key_of(room.board), mover_of(room.board))
        tree.children[node, action] = child
        if child == size:
            copy(room.board, board_of(forest.boards, g, child))
            forest.is_over[g, child] = is_over(room.board)
            if forest.is_over[g, child]:
                fill_returns(room)
                for seat in range(room.values.shape[0]):
                    forest.judged[g, child, seat] = room.values[seat]
        return int(child)

    return step


def make_descend(game: str, kernels: Kernels) -> Descend:
    """Returns the kernel that plays one round of simulations of the game called `game` down to their leaves."""
    step, copy, look = _make_step(game, kernels), kernels.copy, kernels.look

    @kernel_of(game)
    def go_down(forest: Forest, s: int, room: Any, rnd: Round) -> int:
        """Goes down from the root, fills a path and returns its last node: not judged yet, or the end of a game."""
        g = rnd.games[s]
        tree = tree_of(forest.trees, g)
        node, action, length = ROOT_NODE, rnd.actions[s], 1
        rnd.paths[s, 0] = node
        while True:
            node = step(forest, g, node, action, room)
            rnd.paths[s, length] = node
            length += 1
            if not tree.is_open[node] or forest.is_over[g, node] or length == MAX_LENGTH:
                break
            action = choose_edge(tree, forest.judged[g], node, room.settings, room.policy)
        rnd.lengths[s] = length
        return int(node)

    @kernel_of(game)
    def descend(forest: Forest, plans: NDArray[np.int64], room: Any, rnd: Round) -> None:
        """Fills a round: simulations as `plans` int64 [G, 2] says, see `choose_at_root`."""
        rnd.counts[NUM_SIMULATIONS] = 0
        rnd.counts[NUM_ASKED] = 0
        for g in range(plans.shape[0]):
            choose_at_root(forest, g, plans[g], room, rnd)
        for s in range(rnd.counts[NUM_SIMULATIONS]):
            leaf = go_down(forest, s, room, rnd)
            g = rnd.games[s]
            rnd.asked[s] = -1
            if not forest.is_over[g, leaf] and not forest.trees.is_open[g, leaf]:
                row = rnd.counts[NUM_ASKED]
                rnd.asked[s] = row
                rnd.counts[NUM_ASKED] += 1
                copy(board_of(forest.boards, g, leaf), room.board)
                look(room, rnd.planes[row], rnd.masks[row])

    return descend
