"""The random agents: uniform over what they should choose from, and never anything else."""

import numpy as np
import pytest

import bitblossom_env  # noqa: F401 - registers the games
from agents import make
from bitblossom_env.core.game import make_setup


def middle_of_a_turn():
    """A 5x5 game in which the mover has placed one stone: placements, a retraction and the end are legal."""
    game = make_setup("bitblossom", {"num_players": 2, "board_size": 5}).new_game(np.random.default_rng(0))
    game.apply(int(np.flatnonzero(game.legal_mask())[0]))
    return game


def choice_counts(spec, game, num_draws):
    agent = make(spec)
    rng = np.random.default_rng(1)
    counts = np.zeros(game.num_actions, dtype=int)
    for _ in range(num_draws):
        counts[agent.act(game, game.to_move, rng)] += 1
    return counts


def assert_uniform(counts):
    """Chi-square against equal chances, at the one in a million level."""
    expected = counts.sum() / len(counts)
    statistic = ((counts - expected) ** 2 / expected).sum()
    freedom = len(counts) - 1
    # Wilson and Hilferty: the cube root of chi-square over its freedom is nearly normal.
    normal = ((statistic / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / np.sqrt(2 / (9 * freedom))
    assert normal < 4.75


def test_random_is_uniform_over_placements_only():
    game = middle_of_a_turn()
    counts = choice_counts("random", game, 4000)
    placements = game.setup.placements
    legal = game.legal_mask()
    assert legal[placements.stop :].sum() == 2  # a retraction and the end of the turn
    chosen = np.flatnonzero(counts)
    assert set(chosen) == set(np.flatnonzero(legal[: placements.stop]) + placements.start)
    assert_uniform(counts[chosen])


def test_random_any_is_uniform_over_the_whole_mask():
    game = middle_of_a_turn()
    counts = choice_counts("random:any", game, 4000)
    legal = np.flatnonzero(game.legal_mask())
    assert set(np.flatnonzero(counts)) == set(legal)
    assert game.setup.end_turn in legal
    assert_uniform(counts[legal])


@pytest.mark.parametrize("num_players", [2, 3, 8])
def test_random_spends_its_budget_and_then_ends_its_turn(num_players):
    setup = make_setup("bitblossom", {"num_players": num_players, "board_size": 9})
    game = setup.new_game(np.random.default_rng(0))
    agent = make("random")
    rng = np.random.default_rng(2)
    actions = []
    while game.turn == 0:
        actions.append(agent.act(game, game.to_move, rng))
        game.apply(actions[-1])
    assert len(actions) >= 4
    assert all(action in setup.placements for action in actions[:-1])
    assert actions[-1] == setup.end_turn


@pytest.mark.parametrize("spec", ["random", "random:any"])
def test_random_agents_leave_the_game_alone_and_follow_their_generator(spec):
    game = middle_of_a_turn()
    before = game.to_position()
    agent = make(spec)
    first, second = (
        [agent.act(game, game.to_move, rng) for _ in range(20)]
        for rng in (np.random.default_rng(3), np.random.default_rng(3))
    )
    assert first == second
    assert game.to_position() == before
