"""The tree of a search: positions as nodes found by their keys, actions as edges; all in arrays made beforehand.

A simulation goes down from the root, at each node by the action that looks best to the seat to move there (max^n),
adds the first position that is new, plays on from it and books what has come out in every node it came through.
Positions reached by several orders of placements are one node, so an edge has visits of its own and the value of its
node.

Dimension letters: P seats, A actions of a node: a placement on each cell, then the end of the turn; D nodes; L length
of a path.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.search.mixing import Chance, key_of
from agents.search.rollouts import lead_with, play_on, put_stone
from agents.search.values import Values, fill_values, lead_after_ending
from agents.sieges.survey import BY_MOVER, DANGER, Survey, Terms, Weights, fill_siege_terms, fill_survey, is_in_wall
from agents.trials import BASE_VALUE, Board, copy_board
from bitblossom_env.bitblossom.legality import is_placeable, mark_legal
from bitblossom_env.bitblossom.sea_replay import Work
from bitblossom_env.bitblossom.state import END_REASON, NUM_COLUMNS, NUM_SEATS, REMAINING, RUNNING, TO_MOVE, TURN
from bitblossom_env.bitblossom.turn import end_turn
from bitblossom_env.core.bitboard import Word, cell_bit, row_of
from bitblossom_env.core.jit import kernel

NO_NODE = -1
ROOT = 0  # entry of `progress`: number of the node that simulations start from
SIZE = 1  # entry of `progress`: number of nodes
# --- settings, float64 ---------------------------------------------------------------------------------------------
EXPLORATION = 0  # weight of what an action's prior promises against what its simulations have brought
TEMPERATURE = 1  # cells of lead that make an action e times as likely
UNIFORM = 2  # share of the priors that all legal actions have alike
NUM_TURNS = 3  # turns after the root's, at least, before a simulation is cut off; always whole rounds of all seats
NUM_TRIES = 4  # placements that a rollout looks at for each stone
NUM_CAREFUL = 6  # turns of a rollout, the one it begins in among them, in which it looks at several placements
REDUCTION = 5  # an action not tried yet is worth so much less than its position
SETTINGS = (1.0, 1.0, 0.1, 1000.0, 16.0, 0.1, 1.0)


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


class Room(NamedTuple):
    """What a search writes in."""

    root: Board
    board: Board
    trial: Board
    nodes: NDArray[np.int32]  # [L] nodes of the path
    values: Values
    leads: NDArray[np.float64]  # [A]
    survey: Survey  # of the walls around bases that one turn can finish
    weights: Weights  # of danger, in cells
    shares: NDArray[np.float64]  # [P], 0: the search itself finds out whose fall helps whom
    terms: Terms
    work: Work
    chance: Chance
    settings: NDArray[np.float64]


@kernel
def find_node(tree: Tree, key: Word) -> int:
    """Returns the place in the table where a key is, or would be."""
    last = tree.table.shape[0] - 1
    place: int = np.int64(key & np.uint64(last))  # type: ignore[assignment]
    while tree.table[place] != NO_NODE and tree.keys[tree.table[place]] != key:
        place = (place + 1) & last
    return place


@kernel
def add_node(tree: Tree, board: Board) -> int:
    """Returns the node of a position, a new one if need be; NO_NODE if there is no room for it."""
    key = key_of(board[0], board[1], board[2])
    place = find_node(tree, key)
    if tree.table[place] != NO_NODE:
        return int(tree.table[place])
    node = tree.progress[SIZE]
    if node == tree.keys.shape[0]:
        return NO_NODE
    tree.progress[SIZE] += 1
    tree.table[place] = node
    tree.keys[node] = key
    tree.movers[node] = board[2][TO_MOVE]
    tree.visits[node] = 0
    tree.is_open[node] = False
    for seat in range(tree.sums.shape[1]):
        tree.sums[node, seat] = 0.0
    return int(node)


@kernel
def _add_sieges(room: Room) -> float:
    """Adds to the leads what the walls around bases promise that one turn can finish; returns the greatest lead.

    A stone of a wall around an enemy's base counts as the base; a wall around the mover's counts against all but the
    stones that break it.
    """
    masks, _, counters = room.board
    num_columns = counters[NUM_COLUMNS]
    fill_survey(masks, counters, room.survey)
    fill_siege_terms(masks, counters, room.survey, room.weights, room.shares, room.terms)
    best = -math.inf
    for action in range(room.leads.shape[0]):
        room.leads[action] -= room.terms[DANGER, action]
        if action < room.leads.shape[0] - 1 and room.leads[action] > -math.inf:
            row = row_of(action, num_columns)
            if is_in_wall(room.survey, BY_MOVER, counters[REMAINING], row, cell_bit(action - row * num_columns)):
                room.leads[action] += BASE_VALUE
        best = max(best, room.leads[action])
    return best


@kernel
def _open_node(tree: Tree, node: int, room: Room) -> None:
    """Fills the priors of a node's actions from the lead that ending the turn after each would leave, and sieges."""
    masks, _, counters = room.board
    num_columns = counters[NUM_COLUMNS]
    num_cells = room.leads.shape[0] - 1
    copy_board(room.board, room.trial)
    room.leads[num_cells] = lead_after_ending(room.trial, 0, room.work)
    num_legal = 1
    for cell in range(num_cells):
        row = row_of(cell, num_columns)
        room.leads[cell] = -math.inf
        if is_placeable(masks, row, cell - row * num_columns):
            room.leads[cell] = lead_with(room.board, cell, room.trial, room.work)
            num_legal += 1
    best = _add_sieges(room)
    total = 0.0
    for action in range(num_cells + 1):
        if room.leads[action] == -math.inf:
            room.leads[action] = -1.0
            continue
        room.leads[action] = math.exp((room.leads[action] - best) / room.settings[TEMPERATURE])
        total += room.leads[action]
    uniform = room.settings[UNIFORM]
    for action in range(num_cells + 1):
        prior = 0.0
        if room.leads[action] >= 0:
            prior = (1 - uniform) * room.leads[action] / total + uniform / num_legal
        tree.priors[node, action] = prior
        tree.edge_visits[node, action] = 0
        tree.children[node, action] = NO_NODE
    tree.is_open[node] = True


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
def _play(board: Board, action: int, end: int, work: Work) -> None:
    """Plays an action of a node."""
    masks, stamps, counters = board
    if action == end:
        end_turn(masks, stamps, counters, work)
    else:
        put_stone(board, action)
    mark_legal(masks, counters)


@kernel
def _go_down(tree: Tree, room: Room) -> int:
    """Goes from the root to a position not seen before, or to the end; returns how many nodes it came through."""
    copy_board(room.root, room.board)
    node = tree.progress[ROOT]
    length = 0
    end = tree.priors.shape[1] - 1
    while node != NO_NODE:
        room.nodes[length] = node
        length += 1
        is_over = room.board[2][END_REASON] != RUNNING
        if tree.visits[node] == 0 or is_over or length == room.nodes.shape[0]:
            break
        if not tree.is_open[node]:
            _open_node(tree, node, room)
        action = _choose_edge(tree, node, room.settings)
        tree.edge_visits[node, action] += 1
        _play(room.board, action, end, room.work)
        child = tree.children[node, action]
        if child == NO_NODE:
            child = add_node(tree, room.board)
            tree.children[node, action] = child
        node = child
    return length


@kernel
def _limits(room: Room) -> tuple[int, int, int]:
    """Returns the limits of a rollout: whole rounds after the root's turn, and after the new node's."""
    now = room.board[2][TURN]
    turn = room.root[2][TURN] + int(room.settings[NUM_TURNS])
    if turn <= now:
        turn = now + room.board[2][NUM_SEATS]
    return int(turn), int(now + room.settings[NUM_CAREFUL]), int(room.settings[NUM_TRIES])


@kernel
def simulate(tree: Tree, room: Room, num_simulations: int) -> None:
    """Runs simulations from the root."""
    for _ in range(num_simulations):
        length = _go_down(tree, room)
        play_on(room.board, room.trial, _limits(room), room.work, room.chance)
        fill_values(room.board[0], room.board[2], room.work, room.values)
        for index in range(length):
            node = room.nodes[index]
            tree.visits[node] += 1
            for seat in range(room.values.shape[0]):
                tree.sums[node, seat] += room.values[seat]
