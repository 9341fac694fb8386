"""Arguments of the environment: what is accepted, and the one line on what is not (contract 2.1)."""

import json

import numpy as np
import pytest

from bitblossom_env import bitblossom_v0
from bitblossom_env.core.game import ArgumentError, make_setup
from tests.envs.playing import made

ALLOWED_SETUP = {"num_players": 2, "board_size": (5, 7), "home_bases": [(1, 1), (3, 5)]}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"board_size": 2}, ["board_size", "2", "3..32"]),
        ({"board_size": (9, 33)}, ["board_size", "33", "3..32"]),
        ({"board_size": (9, 9, 9)}, ["board_size", "rows, cols"]),
        ({"board_size": np.array([9, 9, 9])}, ["board_size", "rows, cols"]),
        ({"board_size": np.array([9.0, 9.0])}, ["board_size", "9.0"]),
        ({"board_size": np.full((4, 4), 9)}, ["board_size"]),
        ({"board_size": (True, 9)}, ["board_size", "True"]),
        ({"board_size": "9"}, ["board_size", "9"]),
        ({"num_players": 9}, ["num_players", "9", "2..8"]),
        ({"num_players": 1}, ["num_players", "1", "2..8"]),
        ({"num_players": True}, ["num_players", "True"]),
        ({"num_players": np.True_}, ["num_players", "True"]),
        ({"num_players": np.array([2, 2])}, ["num_players", "2..8"]),
        ({"num_players": 8, "board_size": 5}, ["home_bases", "5x5"]),
        ({"home_bases": [(1, 1), (2, 2)]}, ["home_bases", "(1, 1)", "distance"]),
        ({"home_bases": [(1, 1), (1, 1)]}, ["home_bases", "distance"]),
        ({"home_bases": [(1, 1)]}, ["home_bases", "2 cells"]),
        ({"home_bases": [(1, 1), (9, 9)]}, ["home_bases", "9x9"]),
        ({"home_bases": "corner"}, ["home_bases", "corner", "random"]),
        ({"home_bases": "random", "num_players": 5, "board_size": 4}, ["home_bases", "random", "4x4"]),
        ({"home_bases": [(True, 1), (4, 4)]}, ["home_bases", "True"]),
        ({"home_bases": np.array([[True, False], [False, True]])}, ["home_bases", "True"]),
        ({"home_bases": np.array([[1.0, 1.0], [4.0, 4.0]])}, ["home_bases", "1.0"]),
        ({"home_bases": np.zeros((2, 3), int)}, ["home_bases", "2 cells"]),
        ({"home_bases": np.zeros((30, 2), int)}, ["home_bases", "2 cells"]),
        ({"home_bases": 4}, ["home_bases", "4"]),
        ({"home_bases": None}, ["home_bases", "None"]),
        ({"placements_per_turn": 0}, ["placements_per_turn", "0"]),
        ({"first_turn_placements": -1}, ["first_turn_placements", "-1"]),
        ({"max_retractions_per_turn": -1}, ["max_retractions_per_turn", "-1"]),
        ({"bonus_cap": 1.5}, ["bonus_cap", "1.5"]),
        ({"bonus_cap": 10**20}, ["bonus_cap", "100000000000000000000"]),
        ({"opening_rule": "pie"}, ["opening_rule", "pie", "base-neighbourhood"]),
        ({"opening_rule": np.array(["none", "none"])}, ["opening_rule", "base-neighbourhood"]),
        ({"max_turns": 0}, ["max_turns", "0"]),
        ({"max_turns": "none"}, ["max_turns", "auto"]),
        ({"max_turns": np.array([10, 20])}, ["max_turns", "auto"]),
        ({"max_turns": np.zeros((3, 3), int)}, ["max_turns", "auto"]),
        ({"max_turns": True}, ["max_turns", "True"]),
        ({"cuts": 1}, ["cuts", "1", "True or False"]),
        ({"cuts": np.array([True, True])}, ["cuts", "True or False"]),
        ({"territory": None}, ["territory", "None", "True or False"]),
        ({"reward": "score"}, ["reward", "score", "win"]),
        ({"reward": ["win"]}, ["reward", "win"]),
        ({"extra_planes": ("safety",)}, ["extra_planes", "safety", "sea"]),
        ({"extra_planes": ("sea", "sea")}, ["extra_planes", "once"]),
        ({"extra_planes": "sea"}, ["extra_planes", "sea"]),
        ({"extra_planes": [["sea"]]}, ["extra_planes", "sea"]),
        ({"extra_planes": [{}]}, ["extra_planes", "sea"]),
        ({"extra_planes": None}, ["extra_planes", "None"]),
        ({"render_mode": "paper"}, ["render_mode", "paper", "ansi"]),
        ({"render_mode": ["ansi"]}, ["render_mode", "ansi"]),
        ({"reward": "first line\nsecond line"}, ["reward", "win"]),
    ],
    ids=lambda value: " ".join(str(value).split()) if isinstance(value, dict) else "",
)
def test_bad_arguments_are_named_in_one_line(arguments, words):
    with pytest.raises(ArgumentError) as caught:
        bitblossom_v0.env(**arguments)
    message = str(caught.value)
    assert "\n" not in message
    assert all(word in message for word in words), message


@pytest.mark.parametrize(
    "arguments",
    [
        {"board_size": [5, 7]},
        {"board_size": np.array([5, 7])},
        {"board_size": (np.int8(5), np.uint64(7))},
        {"home_bases": np.array([[1, 1], [3, 5]])},
        {"home_bases": (np.array([1, 1]), [np.int64(3), 5])},
        {"num_players": np.int64(2)},
        {"num_players": np.array(2)},
        {"cuts": np.True_, "end_on_all_pass": np.bool_(1)},
        {"placements_per_turn": np.int32(3), "max_retractions_per_turn": np.uint8(3)},
        {"extra_planes": []},
    ],
    ids=str,
)
def test_numpy_values_and_sequences_mean_the_same_as_python_ones(arguments):
    setup = bitblossom_v0.env(**ALLOWED_SETUP | arguments)
    setup.reset(seed=0)
    plain = made(ALLOWED_SETUP)
    assert setup.game.setup == plain.game.setup
    assert setup.game.hash() == plain.game.hash()
    again = make_setup("bitblossom", json.loads(json.dumps(setup.game.setup.rules())))
    assert again == plain.game.setup
    assert json.dumps(setup.game.to_position()) == json.dumps(plain.game.to_position())


def test_one_side_given_as_an_array_means_a_square():
    assert made({"board_size": np.array(7)}).game.setup == made({"board_size": (7, 7)}).game.setup


def test_players_and_board_may_be_given_by_place():
    env = bitblossom_v0.env(2, 7)
    env.reset(seed=0)
    assert env.game.setup == made({"num_players": 2, "board_size": 7}).game.setup
    assert bitblossom_v0.raw_env(3, (5, 8)).possible_agents == ["player_0", "player_1", "player_2"]


def test_seats_are_asked_for_by_name():
    env = made({"num_players": 3})
    for agent in ("player_3", 0, None):
        with pytest.raises(ValueError, match="player_0") as caught:
            env.observe(agent)
        assert "\n" not in str(caught.value)
