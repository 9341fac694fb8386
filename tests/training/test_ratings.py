"""Ratings and intervals: invariances, ties, unbeaten agents, and coverage of the truth."""

from itertools import combinations

import numpy as np
import pytest

from tests.training.results import duel_block, result
from training.evaluation.ratings import ELO_PER_UNIT, anchor_ratings, fit_ratings, rating_intervals
from training.evaluation.sequential import expected_score
from training.evaluation.tally import add_pair_wins, tally_blocks


def random_wins(num_agents, seed):
    rng = np.random.default_rng(seed)
    wins = rng.integers(0, 40, size=(num_agents, num_agents)).astype(float) / 2
    np.fill_diagonal(wins, 0)
    return wins


@pytest.mark.parametrize("seed", range(5))
def test_renaming_the_agents_renames_the_ratings(seed):
    wins = random_wins(6, seed)
    order = np.random.default_rng(seed).permutation(6)
    ratings = fit_ratings(wins)
    assert np.ptp(ratings) > 1
    np.testing.assert_allclose(fit_ratings(wins[np.ix_(order, order)]), ratings[order], atol=1e-4)


def test_two_agents_get_the_rating_of_their_score():
    # 30 of 40 pairs, and half a virtual win each way: odds 30.5 to 10.5.
    ratings = fit_ratings(np.array([[0.0, 30.0], [10.0, 0.0]]))
    assert ratings[0] - ratings[1] == pytest.approx(ELO_PER_UNIT * np.log(30.5 / 10.5), abs=1e-6)
    assert ratings.sum() == pytest.approx(0.0, abs=1e-9)


def test_nothing_but_draws_means_equal_ratings():
    np.testing.assert_allclose(fit_ratings(np.full((4, 4), 7.5)), 0.0, atol=1e-6)


def test_a_cycle_means_equal_ratings_although_the_matrix_shows_it():
    wins = np.array([[0.0, 20.0, 0.0], [0.0, 0.0, 20.0], [20.0, 0.0, 0.0]])
    np.testing.assert_allclose(fit_ratings(wins), 0.0, atol=1e-6)


def test_unbeaten_winless_and_unlinked_agents_stay_finite():
    wins = np.array([[0.0, 500.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    ratings = fit_ratings(wins)
    assert np.isfinite(ratings).all()
    assert ratings[0] > ratings[2] > ratings[1]


@pytest.mark.parametrize("num_agents", [4, 10, 21])
def test_many_agents_do_not_pull_ratings_together(num_agents):
    """A gauntlet of 40 games a pair against equals, 600 points below: who takes part changes little."""
    share = 1 / (1 + 10 ** (-600 / 400))
    wins = np.zeros((num_agents, num_agents))
    wins[0, 1:], wins[1:, 0] = 40 * share, 40 * (1 - share)
    ratings = fit_ratings(wins)
    # The prior itself pulls: one draw of the hero among 40 games a pair is worth about 20 points here.
    assert ratings[0] - ratings[1] == pytest.approx(600, abs=30)


def test_more_wins_without_a_loss_mean_a_higher_rating():
    gaps = [np.ptp(fit_ratings(np.array([[0.0, wins], [0.0, 0.0]]))) for wins in (1.0, 10.0, 100.0)]
    assert gaps[0] < gaps[1] < gaps[2]


def test_anchoring_only_shifts():
    ratings = np.array([[10.0, 20.0, 50.0], [1.0, 2.0, 3.0]])
    np.testing.assert_array_equal(anchor_ratings(ratings, 1), [[-10, 0, 30], [-1, 0, 1]])
    np.testing.assert_array_equal(anchor_ratings(ratings, None), ratings)


def test_pairs_of_a_table_count_once_each_and_ties_by_halves():
    wins = np.zeros((3, 3))
    add_pair_wins(result((0, 1, 2, 1), (1, 2.5, 2.5, 4)), wins)
    np.testing.assert_array_equal(wins, [[0, 2, 1], [0, 0, 0.5], [0, 1.5, 0]])


def test_joint_winners_stand_above_every_ranked_loser():
    # Two share the win, three lose with places of their own: a model that mishandles ties at the top ranks them lower.
    games = [result((0, 1, 2, 3, 4), (1.5, 1.5, 3, 4, 5))] * 5
    ratings = fit_ratings(tally_blocks([games] * 20, 5).matrix)
    assert ratings[0] == pytest.approx(ratings[1], abs=1e-4)
    assert min(ratings[:2]) > ratings[2] > ratings[3] > ratings[4]


def test_shares_of_a_joint_win_add_up_to_one():
    tally = tally_blocks([[result((0, 1, 0), (1.5, 1.5, 3)), result((1, 0, 0), (2, 2, 2))]], 2)
    np.testing.assert_allclose(tally.shares, [[0.5 + 2 / 3, 0.5 + 1 / 3]])
    np.testing.assert_array_equal(tally.seat_games, [[4, 2]])


def test_rating_intervals_hold_the_rating_and_shrink_with_more_blocks():
    widths = []
    for repeats in (5, 50):
        tally = tally_blocks([duel_block(0, 1, letters) for letters in ("11", "12", "=1", "21") * repeats], 2)
        rating = anchor_ratings(fit_ratings(tally.matrix), 1)
        (low, high), anchored = rating_intervals(tally, 1, np.random.default_rng(0))
        assert low < rating[0] < high
        assert anchored == (0.0, 0.0)
        widths.append(high - low)
    assert widths[1] < widths[0] / 2


def test_copies_of_games_make_no_interval_narrower():
    blocks = [duel_block(0, 1, letters) for letters in ("11", "12", "=1", "21")]
    few, many = (rating_intervals(tally_blocks(blocks * times, 2), 1, np.random.default_rng(0)) for times in (1, 50))
    assert many == few


def test_the_interval_of_an_unbeaten_agent_is_wide_and_finite():
    tally = tally_blocks([duel_block(0, 1, "11") for _ in range(20)], 2)
    rating = anchor_ratings(fit_ratings(tally.matrix), 1)[0]
    (low, high), _ = rating_intervals(tally, 1, np.random.default_rng(0))
    assert low < rating < high
    assert 300 < high - low < 5000


@pytest.mark.slow  # a minute and a half for all
@pytest.mark.parametrize("share", [0.5, 0.7, 0.95])
def test_rating_intervals_cover_the_truth_about_as_often_as_they_say(share):
    rng = np.random.default_rng(0)
    truth = ELO_PER_UNIT * np.log(share / (1 - share))
    covered, num_tournaments = 0, 400
    for tournament in range(num_tournaments):
        wins = rng.binomial(2, share, size=200)
        blocks = [duel_block(0, 1, ("22", "12", "11")[won]) for won in wins]
        (low, high), _ = rating_intervals(tally_blocks(blocks, 2), 1, np.random.default_rng(tournament))
        covered += low <= truth <= high
    print(f"{share}: {covered / num_tournaments:.2%} of {num_tournaments} tournaments")
    assert 0.92 <= covered / num_tournaments <= 0.98  # 95 % within 2.7 standard deviations


NUM_TOURNAMENTS = 100
TABLES = {
    # pairs that meet, blocks of each pair, the strongest agent's rating above the weakest's
    "round robin of 6, 20 blocks": (list(combinations(range(6), 2)), 20, 600.0),
    "round robin of 12, 4 blocks": (list(combinations(range(12), 2)), 4, 600.0),
    "gauntlet of 8, 20 blocks": ([(agent, 7) for agent in range(7)], 20, 300.0),
    "gauntlet of 16, 20 blocks": ([(agent, 15) for agent in range(15)], 20, 300.0),
}


@pytest.mark.slow  # two minutes for all
@pytest.mark.parametrize("table", TABLES)
def test_rating_intervals_of_many_agents_cover_the_truth(table):
    """Of the strongest agent, against the weakest, which is the anchor."""
    pairs, num_blocks, top = TABLES[table]
    num_agents = 1 + max(map(max, pairs))
    truth = np.linspace(0.0, top, num_agents)
    shares = np.repeat([expected_score(truth[first] - truth[second]) for first, second in pairs], num_blocks)
    met = np.repeat(pairs, num_blocks, axis=0)
    rng = np.random.default_rng(0)
    covered, fits = 0, []
    for tournament in range(NUM_TOURNAMENTS):
        wins = rng.binomial(2, shares)
        blocks = [duel_block(*pair, ("22", "12", "11")[won]) for pair, won in zip(met.tolist(), wins, strict=True)]
        tally = tally_blocks(blocks, num_agents)
        fits.append(anchor_ratings(fit_ratings(tally.matrix), 0)[-1])
        low, high = rating_intervals(tally, 0, np.random.default_rng(tournament))[-1]
        covered += low <= top <= high
    mean = np.mean(fits)
    share = covered / NUM_TOURNAMENTS
    print(f"{table}: {share:.1%} of {NUM_TOURNAMENTS} tournaments, mean rating {mean:.0f} of {top:.0f}")
    assert share >= 0.90  # 95 % less 2.3 standard deviations; wider than need be is no lie
    assert abs(mean - top) < 0.1 * top
