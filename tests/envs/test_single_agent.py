"""The Gymnasium environment: one learner seat, the others played for it."""

import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import bitblossom_env  # noqa: F401  # registers the ids
from bitblossom_env.core.game import ArgumentError, GameOverError

ID = "BitBlossom-v0"


def make(**arguments):
    return gymnasium.make(ID, **arguments).unwrapped


@pytest.mark.parametrize("arguments", [{}, {"num_players": 4, "board_size": (6, 8), "seat": 2}], ids=str)
def test_check_env(arguments):
    check_env(make(illegal_action="ignore", **arguments), skip_render_check=True)


def test_the_module_form_needs_no_import():
    code = "import gymnasium; print(gymnasium.make('bitblossom_env:BitBlossom-v0').observation_space['action_mask'])"
    process = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert process.stdout.strip() == "Box(0, 1, (163,), int8)"


def play_out(env, rng):
    rewards, ended = [], False
    while not ended:
        action = int(rng.choice(np.flatnonzero(env.action_masks())))
        _, reward, terminated, truncated, info = env.step(action)
        rewards.append(reward)
        ended = terminated or truncated
    assert terminated != truncated
    return rewards, info


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_learner_is_paid_once_at_the_end(seat):
    env = make(num_players=3, board_size=6, seat=seat)
    rng = np.random.default_rng(seat)
    for seed in range(10):
        env.reset(seed=seed)
        assert env.game.to_move == seat
        rewards, info = play_out(env, rng)
        assert not any(rewards[:-1])
        assert rewards[-1] == env.game.returns()[seat]
        assert info["outcome"]["reason"]
        with pytest.raises(GameOverError, match=r"reset\(\)"):
            env.step(0)


@pytest.mark.parametrize("seat", [0, 2])
def test_the_mask_is_the_same_in_observation_and_info_and_for_sb3(seat):
    env = make(num_players=3, board_size=5, seat=seat)
    rng = np.random.default_rng(0)
    observation, info = env.reset(seed=0)
    num_ended = 0
    for _ in range(300):
        mask = observation["action_mask"]
        assert mask.dtype == np.int8
        assert np.array_equal(mask, info["action_mask"])
        if info.get("outcome"):
            assert not mask.any()
            num_ended += 1
            observation, info = env.reset()
            continue
        for masks in (env.action_masks(), env.get_wrapper_attr("action_masks")()):
            assert masks.dtype == np.bool_
            assert np.array_equal(mask, masks)
        observation, *_, info = env.step(int(rng.choice(np.flatnonzero(mask))))
    assert num_ended > 0


def test_equal_seeds_give_equal_games():
    games = []
    for _ in range(2):
        env = make(num_players=3, board_size=7, home_bases="random")
        env.reset(seed=11)
        rng = np.random.default_rng(0)
        play_out(env, rng)
        games.append(env.game.hash())
    assert games[0] == games[1]


def test_opponents_are_callables_or_names_and_see_clones():
    seen = []

    def passer(game, seat, rng):
        seen.append(seat)
        game.apply(game.setup.end_turn)  # on a clone: must not end the real turn
        return int(rng.choice([game.setup.end_turn]))

    env = make(num_players=3, board_size=6, seat=1, opponents=[passer, "random"])
    env.reset(seed=0)
    assert env.game.turn == 1
    env.step(env.game.setup.end_turn)
    assert seen == [2]
    env = make(opponents="greedy", board_size=6)
    env.reset(seed=0)
    env.step(env.game.setup.end_turn)
    assert env.game.to_move == 0


@pytest.mark.parametrize("seat", [1, np.int8(1), np.array(1)])
def test_a_seat_is_any_whole_number(seat):
    env = make(num_players=3, seat=seat)
    env.reset(seed=0)
    assert env.game.to_move == 1


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"seat": 2}, "seat=2"),
        ({"seat": -1}, "seat=-1"),
        ({"seat": True}, "seat=True"),
        ({"seat": None}, "seat=None"),
        ({"seat": "0"}, "seat='0'"),
        ({"opponents": ["random", "random"]}, "opponents"),
        ({"opponents": []}, "opponents"),
        ({"opponents": None}, "opponents=None"),
        ({"opponents": 5}, "opponents=5"),
        ({"opponents": [5]}, r"opponents=\[?5"),
        ({"opponents": [None]}, "opponents"),
        ({"opponents": {"a": 1}}, "opponents={'a': 1}"),
        ({"opponents": "nobody"}, "nobody"),
        ({"illegal_action": "punish"}, "illegal_action='punish'"),
        ({"render_mode": "human"}, "render_mode='human'"),
        ({"num_players": 9}, "num_players=9"),
    ],
    ids=str,
)
def test_bad_arguments_are_named_in_one_line(arguments, word):
    with pytest.raises(ArgumentError, match=word) as caught:
        make(**arguments)
    assert "\n" not in str(caught.value)
