"""Games played side by side: what a job's result may hang on, and what it may not."""

import dataclasses

import numpy as np
import pytest
import torch

import bitblossom_env  # noqa: F401 - registers the game
from agents.neural.config import NetworkConfig
from agents.neural.grid.network import BlossomNetwork
from bitblossom_env.core.game import make_setup
from tests.training.tiny import TINY
from training.config import RolloutConfig
from training.opponents import LATEST, GamePlan, copy_weights
from training.records import Job
from training.rollout import SelfPlay

NETWORK = NetworkConfig(channels=8, blocks=1, hidden=8)
RULES = {"num_players": 3, "board_size": 5, "max_turns": 20}
PLAYERS = ((LATEST,) * 3, (LATEST, "past@7", "greedy"), ("random", LATEST, "past@7"), ("greedy", "greedy", "random"))


def weights(seed):
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        network = BlossomNetwork(NETWORK)
        for parameter in network.parameters():  # a fresh network plays every placement alike
            torch.nn.init.normal_(parameter, std=0.3)
    return copy_weights(network)


def make_job(num_games, seed, latest=0, past=7):
    plans = [GamePlan(PLAYERS[k % len(PLAYERS)], k % 3, (5 * k) % 8) for k in range(num_games)]
    return Job(0, plans, weights(latest), {"past@7": weights(past)}, (seed, 4))


def self_play(slots):
    rollout = RolloutConfig(games_per_update=slots, slots=slots, workers=1)
    return SelfPlay(make_setup("bitblossom", RULES), dataclasses.replace(TINY, network=NETWORK, rollout=rollout))


def columns(rollout):
    """Everything that a rollout holds but for times, as lists."""
    arrays = {**vars(rollout.decisions), **vars(rollout.results)}
    rest = (rollout.opponents, rollout.reasons, rollout.env_steps)
    return {name: array.tolist() for name, array in arrays.items()}, rest


def test_a_job_does_not_hang_on_those_before_it():
    used, fresh = self_play(4), self_play(4)
    first = used.play(make_job(9, seed=1, latest=1))
    second = used.play(make_job(8, seed=2))
    assert columns(second) == columns(fresh.play(make_job(8, seed=2)))
    assert columns(second) != columns(first)
    assert columns(second) != columns(used.play(make_job(8, seed=3)))


def test_each_network_plays_with_its_own_weights():
    player = self_play(4)
    usual = columns(player.play(make_job(8, seed=0)))
    assert columns(player.play(make_job(8, seed=0, latest=1))) != usual
    assert columns(player.play(make_job(8, seed=0, past=1))) != usual
    assert columns(player.play(make_job(8, seed=0))) == usual


@pytest.mark.parametrize("num_games", [1, 3, 5, 11])
def test_every_plan_is_played_once_whatever_the_number_of_slots(num_games):
    player = self_play(5)
    for seed in range(2):  # the second time, slots without a plan hold finished games
        job = make_job(num_games, seed)
        rollout = player.play(job)
        assert rollout.opponents == [plan.opponents for plan in job.plans]
        assert rollout.results.symmetries.tolist() == [plan.symmetry for plan in job.plans]
        seats = [[player == LATEST for player in plan.players] for plan in job.plans]
        np.testing.assert_array_equal(rollout.results.learner, seats)
        is_learners = rollout.results.learner[rollout.decisions.games, rollout.decisions.movers]
        assert is_learners.all()
        assert (rollout.results.turns <= RULES["max_turns"]).all()
        assert (np.diff(rollout.decisions.games) >= 0).all()
        assert set(rollout.decisions.games.tolist()) == set(np.flatnonzero(rollout.results.learner.any(1)).tolist())


def test_results_tell_one_story():
    results = self_play(6).play(make_job(24, seed=0)).results
    counted = (results.owners[:, None] == np.arange(3)[:, None]).mean(2)
    np.testing.assert_allclose(results.areas, counted, atol=1e-12)
    np.testing.assert_allclose(results.win_shares.sum(1), 1.0)
    won = results.win_shares > 0
    assert (results.returns[won & ~won.all(1)[:, None]] > 0).all()
    assert (results.returns[~won] < 0).all()
    best = np.where(results.survived | ~results.survived.any(1)[:, None], results.areas, -1.0)
    np.testing.assert_array_equal(won, best == best.max(1)[:, None])


def test_a_job_without_the_learner_has_no_decision_but_their_form():
    job = dataclasses.replace(make_job(2, seed=0), plans=[GamePlan(("greedy", "random", "greedy"), 1, 0)] * 2)
    decisions = self_play(2).play(job).decisions
    assert decisions.planes.shape == (0, 18, 5, 5)
    assert decisions.masks.shape == (0, 26)
