"""`mcts:N` in Aronda: what it is told of positions, and what it finds in late ones."""

import random

import numpy as np
import pytest

from agents import make
from agents.aronda.playouts import fill_values
from agents.aronda.searched import SearchedAronda
from agents.search.search import Search, add_root, new_room, new_tree
from agents.search.tree import ROOT
from bitblossom_env.aronda.board import NAMES
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_action, random_start
from tests.agents import playing
from tests.aronda.lockstep import choose_field
from tests.reference.aronda import ArondaTwin
from tests.reference.aronda_board import FIELDS

RULES = SearchedAronda()


def start(seed=0, num_turns=0, **rules):
    return random_start(make_setup("aronda", rules), np.random.default_rng(seed), num_turns)


def played_out(seed, **rules):
    game, rng = start(seed, **rules), np.random.default_rng(seed)
    while not game.is_over:
        game.apply(random_action(game, rng))
    return game


def what_decides(twin):
    """Everything in a position of the slow twin on which the rest of the game depends."""
    counts = {key: count for key, count in twin.counts.items() if count}
    return tuple(sorted(twin.owners.items())), tuple(sorted(counts.items())), twin.to_move, twin.stones_left


def test_keys_are_equal_exactly_where_the_rest_of_the_game_is():
    keys = {}
    for seed in range(60):
        rng, twin, game = random.Random(seed), ArondaTwin(), start()
        while not twin.is_over:
            key = int(RULES.kernels.key_of(RULES.new_board(game)))
            assert keys.setdefault(what_decides(twin), key) == key
            field = choose_field(twin, rng)
            twin.place(field)
            game.apply(FIELDS.index(field))
    assert len(set(keys.values())) == len(keys) > 1500


def test_two_orders_of_a_turn_are_one_node():
    tree, game = new_tree(10, 25, 2), start(num_turns=1)
    nodes = []
    for order in ([17, 19], [19, 17]):
        after = game.clone()
        for field in order:
            after.apply(field)
        nodes.append(add_root(RULES, tree, RULES.new_board(after)))
    assert nodes == [0, 0]


@pytest.mark.parametrize("seed", range(6))
def test_priors_are_shares_of_the_legal_fields(seed):
    game, priors = start(seed, 3 * seed), np.empty(25, np.float32)
    room = new_room(RULES, game, 1)
    RULES.kernels.fill_priors(room, priors)
    assert priors.sum() == pytest.approx(1, abs=1e-6)
    assert ((priors > 0) == (game.legal_mask() > 0)).all()


@pytest.mark.parametrize("rules", [{}, {"blockade": False}, {"stop_at_majority": True}], ids=str)
def test_values_of_finished_games_are_what_the_outcome_says(rules):
    values, reasons = np.empty(2), set()
    for seed in range(60):
        game = played_out(seed, **rules)
        fill_values(RULES.new_board(game), values)
        areas = np.array(game.outcome.areas)
        expected = 0.1 * areas / areas.sum()
        expected[list(game.outcome.winners)] += 0.9 / len(game.outcome.winners)
        assert values == pytest.approx(expected)
        reasons.add(game.outcome.reason)
    assert len(reasons) > 1 or rules == {"blockade": False}  # random games end full then


@pytest.mark.parametrize("rules", [{}, {"blockade": False}, {"stop_at_majority": True}], ids=str)
def test_simulations_leave_the_root_alone_and_fill_the_tree(rules):
    game = start(3, 4, **rules)
    search = Search(RULES, game, [1], 2000)
    before = [array.copy() for array in search.rooms[0].root]
    RULES.simulate(search.trees[0], search.rooms[0], 1000)
    tree, root = search.trees[0], search.trees[0].progress[ROOT]
    assert all((one == other).all() for one, other in zip(before, search.rooms[0].root, strict=True))
    assert tree.visits[root] == 1000
    assert tree.edge_visits[root].sum() == 999
    assert (tree.edge_visits[root][game.legal_mask() == 0] == 0).all()
    assert tree.sums[root].sum() == pytest.approx(1000)


def late_positions(num_positions, most_unowned=6):
    """Running games in which few fields are left."""
    found, seed = [], 0
    while len(found) < num_positions:
        game, rng = start(seed), np.random.default_rng(seed)
        while not game.is_over and int((game.observe(0)[2:4].sum(0) == 0).sum()) > most_unowned:
            game.apply(random_action(game, rng))
        found += [] if game.is_over else [game]
        seed += 1
    return found


def test_it_wins_late_positions_that_are_won():
    """Where the solver proves a win, the field that many simulations prefer keeps it."""
    solver, agent, num_won = make("solver:300000"), make("mcts:4000"), 0
    for game in late_positions(40):
        if solver.solve(game).value != 1:
            continue
        num_won, mover, after = num_won + 1, game.to_move, game.clone()
        after.apply(agent.act(game, mover, np.random.default_rng(5)))
        kept = mover in after.outcome.winners if after.is_over else None
        if kept is None:
            kept = solver.solve(after).value == (1 if after.to_move == mover else -1)
        assert kept, [NAMES[field] for field in game.legal_mask().nonzero()[0]]
    assert num_won > 10


def test_whole_games_are_legal_and_repeat():
    setup = make_setup("aronda")
    agents = [make("mcts:20"), make("greedy")]
    first, again, other = (playing.play_game(setup, agents, seed) for seed in (1, 1, 2))
    assert first == again != other


def test_other_games_side_by_side_change_nothing():
    starts = [start(seed, 3) for seed in range(3)]
    alone = [make("mcts:50").act(game, game.to_move, np.random.default_rng(7)) for game in starts]
    agent = make("mcts:50")
    for _ in range(2):
        assert [agent.act(game, game.to_move, np.random.default_rng(7)) for game in starts] == alone


def test_it_says_what_it_has_seen():
    game = start(1, 2)
    said = make("mcts:100").explain(game, game.to_move, np.random.default_rng(0)).splitlines()
    chosen = make("mcts:100").act(game, game.to_move, np.random.default_rng(0))
    assert said[0] == f"mcts:100 plays {NAMES[chosen]}."
    assert said[1].startswith("100 simulations; the position is worth (0.")
    assert said[2].startswith(f"{NAMES[chosen]}: ")
