"""Hand-computed values: three seats, the first of which acts three times in a row."""

import numpy as np
import pytest

from tests.training.test_losses import make_results
from training.returns import all_advantages, game_advantages, shaped_returns, to_absolute, to_relative

MOVERS = np.array([0, 0, 0, 1, 2])  # a turn of three actions, then two other seats
FINAL = np.array([1.0, -0.5, -0.5])


def test_decay_1_gives_the_final_return_minus_the_judgement():
    values = np.random.default_rng(0).normal(size=(5, 3))
    np.testing.assert_allclose(game_advantages(values, FINAL, 1.0), FINAL - values)


def test_decay_0_compares_with_the_next_judgement_of_the_same_seat():
    values = np.array([[0.0, 0, 0], [0.1, 0, -0.1], [0.4, -0.2, -0.2], [0.6, -0.4, -0.2], [0.8, -0.4, -0.4]])
    expected = [[0.1, 0, -0.1], [0.3, -0.2, -0.1], [0.2, -0.2, 0], [0.2, 0, -0.2], [0.2, -0.1, -0.1]]
    np.testing.assert_allclose(game_advantages(values, FINAL, 0.0), expected, atol=1e-12)


def test_half_decay_by_hand():
    # Only seat 0's column, last decision first: 1 - 0.5 = 0.5; (0.5 - 0) + 0.5 * 0.5 = 0.75; (0 - 0) + 0.5 * 0.75.
    values = np.array([[0.0, 0, 0], [0.0, 0, 0], [0.5, 0, 0]])
    np.testing.assert_allclose(game_advantages(values, FINAL, 0.5)[:, 0], [0.375, 0.75, 0.5])


def test_nothing_is_negated_between_seats_or_plies():
    # Seat 0 wins, every judgement is 0: all its decisions were good, all of the others' bad.
    advantages = game_advantages(np.zeros((5, 3)), FINAL, 0.9)
    own = advantages[np.arange(5), MOVERS]
    assert (own[:3] > 0).all()
    assert (own[3:] < 0).all()


def test_games_do_not_leak_into_each_other():
    values = np.random.default_rng(1).normal(size=(7, 3))
    games = np.array([0, 0, 0, 2, 2, 2, 2])  # the learner never decided in game 1
    finals = np.array([FINAL, -FINAL, FINAL[::-1]])
    together = all_advantages(values, finals, games, 0.8)
    np.testing.assert_array_equal(together[:3], game_advantages(values[:3], finals[0], 0.8))
    np.testing.assert_array_equal(together[3:], game_advantages(values[3:], finals[2], 0.8))


def test_relative_columns_count_from_the_mover():
    relative = np.array([[10.0, 11.0, 12.0]] * 3)  # self, next, next but one
    movers = np.array([0, 1, 2])
    absolute = to_absolute(relative, movers)
    np.testing.assert_array_equal(absolute, [[10, 11, 12], [12, 10, 11], [11, 12, 10]])
    np.testing.assert_array_equal(to_relative(absolute, movers), relative)


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
def test_shaping_mixes_and_stays_zero_sum(weight):
    results = make_results(areas=np.array([[0.5, 0.3, 0.1]]), returns=np.array([FINAL]))
    shaped = shaped_returns(results, weight)
    np.testing.assert_allclose(shaped.sum(), 0.0, atol=1e-12)
    np.testing.assert_allclose(shaped[0, 0], (1 - weight) * 1.0 + weight * (0.5 - 0.2))
