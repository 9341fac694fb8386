"""Learning from searches: what is booked, what it weighs, and that it teaches."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from agents.neural.symmetry import Symmetries
from bitblossom_env.core.game import make_setup
from tests.training.tiny import TINY
from training.config import GumbelConfig, OpponentConfig, PpoConfig, RolloutConfig
from training.opponents import LATEST, GamePlan, Planner, copy_weights
from training.ppo import Shaping, learnable, policy_weights
from training.records import Job
from training.rollout import SelfPlay
from training.searchers import divergence
from training.train import Trainer, run
from training.workers import Workers

SEARCHING = dataclasses.replace(
    TINY,
    gumbel=GumbelConfig(num_simulations=8, fast_simulations=2, full_share=0.5, num_considered=4),
    rollout=RolloutConfig(games_per_update=8, slots=8, workers=1),
)
SELF_PLAY = OpponentConfig(self_play_share=1.0)


def play(config=SEARCHING, seed=0, num_games=6):
    trainer = Trainer(config, Path())
    setup = make_setup(config.game, config.rules)
    num_symmetries = 8 if config.game == "bitblossom" else 1
    plans = Planner(SELF_PLAY, config.rollout, 2, num_symmetries).plan([], num_games, np.random.default_rng(seed))
    weights = copy_weights(trainer.learner.network)
    return SelfPlay(setup, config).play(Job(0, plans, weights, {}, (seed, 1)))


def test_full_searches_leave_a_policy_and_short_ones_leave_none():
    decisions = play().decisions
    searched = decisions.policies.any(1)
    assert 0.3 < searched.mean() < 0.7
    np.testing.assert_allclose(decisions.policies[searched].sum(1), 1.0, rtol=1e-5)
    assert not decisions.policies[~decisions.masks].any(), "a policy lies where the mask of its view does"
    assert decisions.masks[np.arange(len(decisions.actions)), decisions.actions].all()
    assert (decisions.surprises[searched] > -1e-6).all()
    assert decisions.surprises[searched].max() > 0
    assert (np.abs(decisions.values) <= 1).all()


def test_each_view_of_a_game_shows_the_same_decisions():
    plans = [GamePlan((LATEST, LATEST), 1, symmetry) for symmetry in (0, 3)]
    weights = copy_weights(Trainer(SEARCHING, Path()).learner.network)
    setup = make_setup(SEARCHING.game, SEARCHING.rules)
    first, second = (SelfPlay(setup, SEARCHING).play(Job(0, [plan], weights, {}, (4,))).decisions for plan in plans)
    views = Symmetries.of_grid(5, 5)
    which = np.full(len(first.actions), 3)
    np.testing.assert_array_equal(views.planes(first.planes, which), second.planes)
    np.testing.assert_array_equal(views.mask(first.policies, which), second.policies)
    np.testing.assert_array_equal(views.actions(first.actions, which), second.actions)


@pytest.mark.parametrize("weight", [0.0, 0.5, 1.0])
def test_surprises_share_out_what_the_policy_learns(weight):
    decisions = play().decisions
    searched = decisions.policies.any(1)
    weights = policy_weights(decisions, weight)
    assert weights.mean() == pytest.approx(1.0, abs=1e-5)
    assert not weights[~searched].any()
    if weight == 0.0:
        assert np.ptp(weights[searched]) < 1e-5
    else:
        order = np.argsort(decisions.surprises[searched])
        assert (np.diff(weights[searched][order]) >= -1e-6).all()
        assert np.ptp(weights[searched]) > 0.1


def test_divergence_is_nothing_where_nothing_was_found():
    prior = np.array([[0.5, 0.5, 0.0], [0.25, 0.75, 0.0]])
    found = np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]])
    np.testing.assert_allclose(divergence(found, prior), [0.0, np.log(4)], rtol=1e-6)


def test_the_policy_comes_nearer_to_what_the_searches_found():
    config = dataclasses.replace(
        SEARCHING, ppo=PpoConfig(minibatch=64, learning_rate=0.01, entropy_weight=0.0, epochs=8)
    )
    trainer, rollout = Trainer(config, Path()), play(config)
    data = learnable(rollout.decisions, rollout.results, Symmetries.of_grid(5, 5), config.ppo, Shaping(0.0, 0.5))
    with Workers(config) as workers:
        figures = []
        for _ in range(2):
            schedule = trainer.schedule
            figures.append(trainer.learner.update(data, 0, schedule, workers, np.random.default_rng(0)))
    assert figures[1]["policy"] < figures[0]["policy"] - 0.05  # cross-entropy


@pytest.mark.parametrize("game", ["bitblossom", "aronda"])
def test_a_run_searches_learns_and_ends(tmp_path, game):
    rules = TINY.rules if game == "bitblossom" else {}
    network = dataclasses.replace(TINY.network, kind="grid" if game == "bitblossom" else "graph")
    budget = dataclasses.replace(TINY.budget, total_env_steps=300)
    config = dataclasses.replace(SEARCHING, game=game, rules=rules, network=network, budget=budget)
    run(config, tmp_path / "run")
    assert (tmp_path / "run" / "checkpoints" / "latest" / "model.safetensors").is_file()
