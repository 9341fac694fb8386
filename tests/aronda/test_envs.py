"""Aronda through the environments that every game shares."""

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from bitblossom_env import aronda_v0
from bitblossom_env.core.rollout import random_action
from bitblossom_env.envs.batch import BatchEnv


@pytest.mark.filterwarnings("ignore:.*bservation.*:UserWarning", "ignore:reset. option 'options':UserWarning")
def test_the_checks_of_pettingzoo_pass():
    api_test(aronda_v0.env(starting_player="random"), num_cycles=400)
    seed_test(lambda: aronda_v0.env(starting_player="random"), num_cycles=100)


@pytest.mark.filterwarnings("ignore:.*:UserWarning")
def test_the_checks_of_gymnasium_pass():
    env = gymnasium.make("bitblossom_env:Aronda-v0", illegal_action="ignore", opponents="random")
    check_env(env.unwrapped, skip_render_check=True)


def test_it_is_found_by_name():
    assert pettingzoo.make("aec", "aronda_v0").unwrapped.plane_names[0] == "stones/0"


def test_whole_games_are_paid_at_the_end():
    env, rng = aronda_v0.env(), np.random.default_rng(0)
    for seed in range(5):
        env.reset(seed=seed)
        totals = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, info = env.last()
            assert not truncated
            totals[agent] += reward
            legal = np.flatnonzero(observation["action_mask"])
            env.step(None if terminated else int(rng.choice(legal)))
        (winner,) = info["outcome"]["winners"]
        assert totals == {f"player_{seat}": 1.0 if seat == winner else -1.0 for seat in (0, 1)}


def test_a_batch_of_games_is_reset_as_they_end():
    env, rng = BatchEnv(8, game="aronda", seed=1, random_turns=(1, 6)), np.random.default_rng(0)
    observations, infos = env.reset()
    assert observations.shape == (8, 9, 25)
    ended = 0
    for _ in range(400):
        actions = [int(rng.choice(np.flatnonzero(mask))) for mask in infos["action_masks"]]
        observations, rewards, terminated, truncated, infos = env.step(actions)
        assert not truncated.any()
        assert (np.abs(rewards).sum(1) == 2 * terminated).all()
        ended += int(terminated.sum())
    assert ended > 10


# The drawn position: seat 0 owns o1 and has two stones in m2, one of this turn; seat 1 began.
DRAWN = {
    "fields": {"o1": "0", "m2": "2.1", "o8": "0.1"},
    "turn": 5,
    "to_move": 0,
    "stones_left": 1,
    "starter": 1,
    "last_turn": ["m2"],
    "begun": True,
}


def test_the_board_is_drawn():
    env = aronda_v0.env(render_mode="ansi")
    env.reset(options={"state": DRAWN})
    lines = env.render().splitlines()
    assert lines[0].startswith("turn 5")
    assert lines[1].split() == ["2b"]  # o8
    assert lines[3].split() == ["3", "(A)"]  # o7 and o1
    assert lines[8].split() == ["2", "4", "4", "4aab*", "2"]  # o6, m6, c1, m2, o2
    assert lines[-1] == "a  b*   a to move, stones left: 1"


def test_a_drawing_shows_every_field_to_the_end():
    env, rng = aronda_v0.env(render_mode="ansi"), np.random.default_rng(5)
    env.reset(options={"state": DRAWN})
    while not env.unwrapped.game.is_over:
        assert len(" ".join(env.render().splitlines()[1:-2]).split()) == 25
        env.step(random_action(env.unwrapped.game, rng))
    assert env.render().splitlines()[-1] == "a  b*"
