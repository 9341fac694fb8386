"""The tree of `mcts`: positions that are one node, values per seat, what each seat chooses."""

import itertools

import numpy as np
import pytest

from agents.playouts.keys import draw_cell, key_of
from agents.playouts.priors import UNIFORM
from agents.playouts.searched import SearchedBitBlossom
from agents.playouts.values import fill_values
from agents.search.search import Search, add_root, new_room, new_tree
from agents.search.tree import EXPLORATION, NO_NODE, ROOT, SIZE
from bitblossom_env.bitblossom.sea_replay import NUM_WORK
from bitblossom_env.bitblossom.state import PLACEABLE
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import play_random_turn, random_action, random_start

RULES = SearchedBitBlossom()


def new_game(num_players=2, board_size=5, seed=0, **arguments):
    setup = make_setup("bitblossom", {"num_players": num_players, "board_size": board_size, **arguments})
    return setup.new_game(np.random.default_rng(seed))


def key(game):
    return int(key_of(RULES.new_board(game)))


def values_of(game):
    values = np.empty(game.num_seats)
    masks, _, counters = RULES.new_board(game)
    fill_values(masks, counters, np.zeros((NUM_WORK, game.setup.num_cells + 2), np.int32), values)
    return values


def actions_of(game):
    """What a search may play: placements and the end of the turn."""
    legal = game.legal_mask()
    return [*np.flatnonzero(legal[: game.setup.num_cells]).tolist(), game.setup.end_turn]


def after(game, *actions):
    game = game.clone()
    for action in actions:
        game.apply(action)
    return game


def test_two_orders_of_the_same_placements_are_one_node():
    game = new_game()
    tree = new_tree(10, RULES.num_actions(game), 2)
    first, second = (add_root(RULES, tree, RULES.new_board(after(game, *order))) for order in ([0, 2, 20], [20, 0, 2]))
    assert first == second
    assert tree.progress[SIZE] == 1
    assert add_root(RULES, tree, RULES.new_board(after(game, 0, 2))) == 1


def test_keys_are_equal_exactly_where_hashes_are():
    keys = {}
    for seed in range(40):
        game, rng = new_game(3, 7, seed), np.random.default_rng(seed)
        for _ in range(60):
            assert keys.setdefault(game.hash(), key(game)) == key(game)
            if not game.is_over:
                game.apply(random_action(game, rng))
    assert len(set(keys.values())) == len(keys) > 1000


def reachable(game):
    """Hashes of all positions that placing and ending turns can lead to."""
    found, waiting = {game.hash()}, [game]
    while waiting:
        game = waiting.pop()
        for action in [] if game.is_over else actions_of(game):
            child = after(game, action)
            if child.hash() not in found:
                found.add(child.hash())
                waiting.append(child)
    return found


def test_the_tree_of_a_short_game_has_one_node_for_each_position():
    game = new_game(2, 4, home_bases=[[0, 0], [3, 3]], placements_per_turn=2, max_turns=1, opening_rule="none")
    positions = reachable(game)
    search = Search(RULES, game, [1], 1000)
    tree, room = search.trees[0], search.rooms[0]
    room.settings[EXPLORATION], room.desk.settings[UNIFORM] = 100.0, 1.0  # so curious that everything is looked at
    RULES.simulate(tree, room, 20_000)
    assert tree.progress[SIZE] == len(positions)
    num_sets = 1 + 14 + 14 * 13 // 2
    assert len(positions) == 2 * num_sets  # each before and after the end of the turn


def test_a_full_tree_goes_on_without_new_nodes():
    game = new_game()
    tree, room = new_tree(5, RULES.num_actions(game), 2), new_room(RULES, game, 1)
    tree.progress[ROOT] = add_root(RULES, tree, room.root)
    RULES.simulate(tree, room, 200)
    assert tree.progress[SIZE] == 5
    assert tree.visits[tree.progress[ROOT]] == 200
    assert tree.edge_visits[tree.progress[ROOT]].sum() == 199  # the first one ends at the root


def check_values(game):
    values = values_of(game)
    assert values.sum() == pytest.approx(1)
    assert ((values >= 0) & (values <= 1)).all()
    if not game.is_over:
        return
    areas, alive = np.array(game.outcome.areas), ~np.array(game.eliminated())
    expected = 0.15 * areas / areas.sum() + 0.05 * alive / alive.sum()
    expected[list(game.outcome.winners)] += 0.8 / len(game.outcome.winners)
    assert values == pytest.approx(expected)


def test_values_are_shares():
    ends = set()
    for num_players, seed in itertools.product((2, 3, 8), range(8)):
        game, rng = new_game(num_players, 7, seed), np.random.default_rng(seed)
        check_values(game)
        while not game.is_over:
            play_random_turn(game, rng)
            check_values(game)
        ends.add(game.outcome.reason)
    assert len(ends) > 1


def three_seats(seed):
    """Three seats, each with one more turn of one stone, after a random one of each."""
    rules = {"placements_per_turn": 1, "max_turns": 6, "opening_rule": "none"}
    arguments = {"num_players": 3, "board_size": (3, 4), "home_bases": [[0, 0], [2, 3], [0, 3]], **rules}
    return random_start(make_setup("bitblossom", arguments), np.random.default_rng(seed), 3)


def make_solver():
    """A full search by plain recursion: what may come out of a position where each seat maximises its own value.

    Where a seat has equals to choose from, others may fare differently, so there may be several answers.
    """
    known = {}

    def solve(game):
        key = game.hash()
        if key not in known and game.is_over:
            known[key] = {tuple(values_of(game).round(9))}
        elif key not in known:
            mover = game.to_move
            answers = [solve(after(game, action)) for action in actions_of(game)]
            safe = max(min(values[mover] for values in each) for each in answers)
            known[key] = {values for each in answers for values in each if values[mover] >= safe}
        return known[key]

    return solve


@pytest.mark.parametrize("seed", range(4))
def test_every_seat_maximises_its_own_value(seed):
    """Along the most visited line each choice is one that a full search allows."""
    solve, game = make_solver(), three_seats(seed)
    search = Search(RULES, game, [seed + 1], 20_000)
    tree, room = search.trees[0], search.rooms[0]
    RULES.simulate(tree, room, 50_000)
    node = tree.progress[ROOT]
    while not game.is_over:
        allowed = solve(game)
        chosen = int(tree.edge_visits[node].argmax())
        node = tree.children[node, chosen]
        game = after(game, chosen if chosen < game.setup.num_cells else game.setup.end_turn)
        assert solve(game) & allowed
        assert node != NO_NODE


def test_cells_are_drawn_alike():
    masks, _, counters = RULES.new_board(new_game())
    chance = np.array([12345], np.uint64)
    cells = np.flatnonzero(new_game().legal_mask()[:25])
    counts = np.zeros(25, int)
    for _ in range(200 * len(cells)):
        counts[draw_cell(masks, counters, PLACEABLE, len(cells), chance)] += 1
    assert set(np.flatnonzero(counts)) == set(cells)
    assert ((counts[cells] - 200) ** 2 / 200).sum() < 60  # chi-square of at most 24 degrees, at one in ten thousand
