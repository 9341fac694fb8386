"""Copies, clones, states and other processes: all go on alike and apart (contract 2.6)."""

import copy
import multiprocessing
import pickle

import gymnasium
import numpy as np
import pytest

from tests.envs.playing import (
    OTHER_GAME,
    SETUPS,
    fingerprint,
    has_ended,
    learner_trace,
    made,
    play,
    random_action,
    trace,
)


@pytest.mark.parametrize("arguments", [*SETUPS, OTHER_GAME], ids=str)
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])  # noqa: S301 - ours
def test_copies_go_on_alike_and_apart(arguments, duplicate):
    env = made(arguments)
    rng = np.random.default_rng(6)
    play(env, rng, 7)
    twin = duplicate(env)
    for _ in range(50):
        assert fingerprint(twin) == fingerprint(env)
        for agent in env.agents:
            for key, value in env.observe(agent).items():
                assert np.array_equal(value, twin.observe(agent)[key])
        if has_ended(env):
            env.reset()
            twin.reset()
            continue
        action = random_action(env, rng)
        env.step(action)
        assert fingerprint(twin) != fingerprint(env)
        twin.step(action)


def test_a_clone_and_a_state_go_on_from_where_they_were_taken():
    env = made({"num_players": 3, "board_size": 6})
    play(env, np.random.default_rng(7), 11)
    game = env.game
    clone, state, value = game.clone(), game.get_state(), game.hash()
    clone.apply(clone.setup.end_turn)
    assert game.hash() == value != clone.hash()
    clone.set_state(state)
    assert clone.hash() == value
    assert np.array_equal(clone.legal_mask(), game.legal_mask())
    clone.apply(clone.setup.end_turn)
    clone.set_state(state)
    assert clone.hash() == value, "a state may be gone back to again and again"
    with pytest.raises(ValueError, match="rules"):
        clone.set_state(made({}).game.get_state())


def learner_env():
    env = gymnasium.make("BitBlossom-v0", num_players=3, board_size=6, seat=1, home_bases="random").unwrapped
    env.reset(seed=3)
    return env


def test_an_environment_sent_to_a_spawned_process_plays_the_same_there():
    env = made({"num_players": 3, "board_size": (5, 8), "home_bases": "random"})
    play(env, np.random.default_rng(9), 10)
    learner = learner_env()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.apply(trace, (env, 10, 300))
        learner_there = pool.apply(learner_trace, (learner, 11, 100))
    assert there == trace(env, 10, 300)
    assert learner_there == learner_trace(learner, 11, 100)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])  # noqa: S301 - ours
def test_copies_of_the_learner_environment_go_on_alike(duplicate):
    env = learner_env()
    learner_trace(env, 12, 5)
    twin = duplicate(env)
    before = env.game.hash()
    seen = learner_trace(twin, 13, 150)
    assert env.game.hash() == before
    assert learner_trace(env, 13, 150) == seen
