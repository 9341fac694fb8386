"""The search with a network: its schedule, its trees, and that searching never makes a policy worse."""

import numpy as np
import pytest

import bitblossom_env  # noqa: F401 - registers the games
from agents.search.gumbel.descent import SETTINGS, choose_at_root, fill_improved
from agents.search.gumbel.forest import NUM_SIMULATIONS, Room, clear, new_forest, new_round, take_in, tree_in
from agents.search.gumbel.halving import widths
from agents.search.gumbel.search import GumbelSearch, GumbelSettings, know_nothing
from agents.search.tree import NO_NODE, add_node
from agents.searched_games import make_searched
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_start

BLOSSOM = make_searched("bitblossom", "test")


def uniform(planes, masks):
    return know_nothing(planes, masks, 2)


def start(setup, turns=2, seed=0):
    return random_start(setup, np.random.default_rng(seed), turns)


@pytest.mark.parametrize("num_considered", [1, 2, 3, 5, 16, 30])
@pytest.mark.parametrize("num_simulations", [1, 2, 7, 16, 64, 200])
def test_rounds_share_out_all_simulations_and_narrow_down(num_simulations, num_considered):
    rounds = widths(num_simulations, num_considered)
    assert rounds.sum() == num_simulations
    assert (np.diff(rounds) <= 0).all()
    assert rounds[0] == min(num_considered, num_simulations)
    visits = np.zeros(num_considered, np.int64)
    for width in rounds:
        visits[:width] += 1
    if num_simulations >= 2 * num_considered > 2:
        assert visits.min() >= 1
        assert visits[0] - visits[1] <= 1  # the last two are compared on equal terms


class Bandit:
    """A root whose actions end the game at once with known returns; everything but the game is the real code."""

    def __init__(self, priors, returns, num_simulations, num_considered=16):
        setup = make_setup("bitblossom", {"num_players": 2, "board_size": 5})
        game = setup.new_game(np.random.default_rng(0))
        self.priors, self.returns = priors, returns
        self.widths = widths(num_simulations, num_considered)
        self.forest = new_forest(BLOSSOM, game, 1, num_simulations + 2)
        self.round = new_round(BLOSSOM, game, num_considered)
        self.room = Room(None, np.zeros(2), None, np.zeros(26), np.array(SETTINGS))
        self.room = self.room._replace(board=np.zeros(1), desk=np.zeros(1))  # no game is played

    def search(self, noise):
        """Returns the improved policy and the chosen action."""
        forest, rnd = self.forest, self.round
        clear(forest, 1)
        tree = tree_in(forest.trees, 0)
        add_node(tree, np.uint64(1), 0)
        forest.noise[0] = noise
        value = float(self.priors @ self.returns)
        self._book([0], [0], np.array([self.priors], np.float32), np.array([[value, -value]]))
        for index, width in enumerate(self.widths):
            rnd.counts[:] = 0
            choose_at_root(forest, 0, np.array([index, width]), self.room, rnd)
            for action in rnd.actions[: rnd.counts[NUM_SIMULATIONS]]:
                tree.edge_visits[0, action] += 1
                child = add_node(tree, np.uint64(2 + action), 1)
                tree.children[0, action] = child
                forest.judged[0, child] = self.returns[action], -self.returns[action]
                self._book([0, child], [-1], np.empty((0, 26), np.float32), np.empty((0, 2)))
        policy = np.zeros(26)
        fill_improved(tree, forest.judged[0], 0, np.array(SETTINGS), policy)
        most = tree.edge_visits[0] == tree.edge_visits[0].max()
        with np.errstate(divide="ignore"):
            scores = np.where(most, noise + np.log(policy), -np.inf)
        return policy, int(scores.argmax())

    def _book(self, path, asked, priors, values):
        rnd = new_round(BLOSSOM, make_setup("bitblossom", {"board_size": 5}).new_game(np.random.default_rng(0)), 1)
        rnd.counts[:] = 1
        rnd.paths[0, : len(path)], rnd.lengths[0], rnd.asked[0] = path, len(path), asked[0]
        take_in(self.forest, rnd, priors, values)


def draw_bandit(rng):
    priors = np.maximum(rng.dirichlet(np.full(26, rng.choice([0.1, 1.0, 10.0]))), 1e-6)
    return (priors / priors.sum()).astype(np.float32), rng.uniform(-1, 1, 26)


def test_on_a_bandit_the_action_is_never_worse_than_the_one_that_the_prior_draws_by_the_same_noise():
    rng = np.random.default_rng(0)
    gains = []
    for _ in range(300):
        priors, returns = draw_bandit(rng)
        noise = rng.gumbel(size=26)
        _, action = Bandit(priors, returns, int(rng.choice([2, 8, 32]))).search(noise)
        gains.append(returns[action] - returns[(noise + np.log(priors)).argmax()])
    assert min(gains) >= 0
    assert np.mean(gains) > 0.3


def test_on_a_bandit_the_improved_policy_is_never_worse_than_the_prior():
    """Once every action has been tried; before, untried ones are worth an estimate, and it is better on average."""
    rng = np.random.default_rng(0)
    gains = {"all": [], "some": []}
    for _ in range(100):
        priors, returns = draw_bandit(rng)
        for key, num_simulations, num_considered in (("all", 52, 26), ("some", 16, 16)):
            bandit = Bandit(priors, returns, num_simulations, num_considered)
            policy, _ = bandit.search(rng.gumbel(size=26))
            assert policy.sum() == pytest.approx(1)
            gains[key].append(policy @ returns - priors @ returns)
    assert min(gains["all"]) > -1e-6
    assert min(np.mean(part) for part in gains.values()) > 0.3


def test_on_a_bandit_the_best_of_all_actions_is_found():
    rng = np.random.default_rng(1)
    returns = rng.uniform(-1, 0.8, 26)
    priors = np.zeros(26)
    priors[:16] = 1 / 16
    returns[5] = 1.0
    policy, action = Bandit(priors.astype(np.float32), returns, 64).search(np.zeros(26))
    assert action == 5 == policy.argmax()
    assert (policy[16:] == 0).all()


def test_orders_of_the_same_placements_are_one_node():
    setup = make_setup("bitblossom", {"num_players": 2, "board_size": 5})
    search = GumbelSearch(BLOSSOM, start(setup), 1, GumbelSettings(num_simulations=400, num_considered=26))
    search.run([start(setup)], uniform)
    tree = tree_in(search._forest.trees, 0)
    pairs = 0
    for a in np.flatnonzero(tree.children[0] != NO_NODE):
        for b in np.flatnonzero(tree.children[0] != NO_NODE):
            first, second = tree.children[0, a], tree.children[0, b]
            if a < b < 25 and tree.is_open[first] and tree.is_open[second]:
                both = tree.children[first, b], tree.children[second, a]
                if NO_NODE not in both:
                    pairs += 1
                    assert both[0] == both[1]
    assert pairs > 5


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_each_seat_has_the_value_that_the_network_gave_it(num_players):
    setup = make_setup("bitblossom", {"num_players": num_players, "board_size": 7})
    worth = np.linspace(1, -1, num_players)  # counted from the mover

    def evaluator(planes, masks):
        priors, _ = know_nothing(planes, masks, num_players)
        return priors, np.tile(worth, (len(planes), 1))

    game = start(setup, 3)
    search = GumbelSearch(BLOSSOM, game, 1, GumbelSettings(num_simulations=60))
    advice = search.run([game], evaluator)
    tree = tree_in(search._forest.trees, 0)
    seen = set()
    for node in np.flatnonzero(tree.is_open[: tree.progress[1]]):
        seen.add(int(tree.movers[node]))
        np.testing.assert_allclose(np.roll(search._forest.judged[0, node], -tree.movers[node]), worth)
    assert game.to_move in seen
    assert advice.visits.sum() == 60
    assert tree.visits[0] == 61


def test_a_search_looks_at_finished_games_as_the_rules_do():
    setup = make_setup("bitblossom", {"num_players": 2, "board_size": 5, "max_turns": 4})
    game = start(setup, 3)
    search = GumbelSearch(BLOSSOM, game, 1, GumbelSettings(num_simulations=100))
    search.run([game], uniform)
    forest = search._forest
    over = np.flatnonzero(forest.is_over[0, : forest.trees.progress[0, 1]])
    assert len(over) > 3
    for node in over:
        state = game.get_state()
        for name, array in zip(("masks", "stamps", "counters"), forest.boards, strict=True):
            getattr(state, name)[0] = array[0, node]
        state.counters[0, : state.NUM_RULES] = game.get_state().counters[0, : state.NUM_RULES]
        ended = game.clone()
        ended.set_state(state)
        np.testing.assert_allclose(forest.judged[0, node], ended.returns())


def test_games_searched_together_are_advised_as_alone():
    setup = make_setup("aronda", {})
    rules = make_searched("aronda", "test")
    games = [start(setup, turns, seed) for seed, turns in enumerate((1, 3, 5, 7))]
    together = GumbelSearch(rules, games[0], 4, GumbelSettings(num_simulations=40)).run(games, uniform)
    alone = GumbelSearch(rules, games[0], 1, GumbelSettings(num_simulations=40))
    for index, game in enumerate(games):
        advice = alone.run([game], uniform)
        assert advice.actions[0] == together.actions[index]
        np.testing.assert_array_equal(advice.policies[0], together.policies[index])
        assert game.legal_mask()[together.actions[index]]


def judge_by_area(planes, masks):
    """Uniform priors; the share of the area that a seat is ahead of the other."""
    names = make_setup("bitblossom", {"num_players": 2, "board_size": 5}).plane_names
    own, other = (planes[:, names.index(f"area/{k}"), 0, 0].astype(float) for k in (0, 1))
    lead = np.tanh((own - other) / 40)
    return know_nothing(planes, masks, 2)[0], np.stack((lead, -lead), axis=1)


def test_strength_grows_with_simulations_on_5x5():
    setup = make_setup("bitblossom", {"num_players": 2, "board_size": 5})
    searches = [GumbelSearch(BLOSSOM, start(setup), 1, GumbelSettings(num_simulations=n)) for n in (64, 2)]
    points = 0.0
    for seed in range(24):
        game = start(setup, 2, seed)
        strong = seed % 2
        while not game.is_over:
            only = BLOSSOM.only_action(game)
            if only is None:
                advice = searches[game.to_move != strong].run([game], judge_by_area)
                only = BLOSSOM.game_action(game, int(advice.actions[0]))
            game.apply(only)
        points += (game.returns()[strong] + 1) / 2
    assert points > 17  # of 24; by chance 12, with a deviation of 2.4
