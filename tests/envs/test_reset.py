"""`reset(seed=, options=)` of both environments (contract 2.6): what it begins with, and what a refusal leaves."""

import json
import random

import gymnasium
import numpy as np
import pytest

from bitblossom_env import bitblossom_v0
from bitblossom_env.core.game import ArgumentError, PositionError
from tests.envs.playing import SETUPS, made, play

ARGUMENTS = {"num_players": 3, "board_size": 7, "home_bases": "random"}


def single(**arguments):
    return gymnasium.make("BitBlossom-v0", **arguments).unwrapped


MAKERS = {"aec": bitblossom_v0.env, "single": single}


@pytest.fixture(params=MAKERS.values(), ids=list(MAKERS))
def make(request):
    return request.param


def test_seeds_are_the_only_source_of_chance():
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002 - it is this generator that must stay untouched
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    arguments = {"home_bases": "random", "num_players": 4, "board_size": 12}
    first, second, alone = made(arguments, 5), made(arguments, 6), made(arguments, 5)
    hashes = []
    for _ in range(5):
        hashes.append(first.game.hash())
        first.reset(options={"random_turns": 2})
        second.reset(options={"random_turns": 1})
    for value in hashes:
        assert alone.game.hash() == value
        alone.reset(options={"random_turns": 2})
    assert len(set(hashes)) == len(hashes)
    assert before == (random.getstate(), np.random.get_state()[1].tolist())  # noqa: NPY002


def test_options():
    env = made({"num_players": 3, "board_size": 6})
    with pytest.warns(UserWarning, match="'x' is unknown"):
        env.reset(seed=0, options={"x": 1})
    env.reset(options={"starting_player": 2})
    assert env.agent_selection == "player_2"
    env.reset(options={"starting_player": np.int64(1), "random_turns": np.array(2)})
    assert (env.game.turn, env.agent_selection) == (2, "player_0")
    env.reset(seed=1, options={"random_turns": 4})
    assert env.game.turn == 4
    position = env.game.to_position()
    other = made({"num_players": 3, "board_size": 6})
    other.reset(options={"state": json.loads(json.dumps(position))})
    assert other.game.hash() == env.game.hash()


@pytest.mark.parametrize("seed", [0, 7, np.int64(7), np.array(7), 2**40])
def test_whole_numbers_are_seeds(make, seed):
    env, twin = make(**ARGUMENTS), make(**ARGUMENTS)
    env.reset(seed=seed)
    twin.reset(seed=int(seed))
    assert env.game.hash() == twin.game.hash()


REFUSED = [
    ({"seed": -1}, "seed=-1"),
    ({"seed": True}, "seed=True"),
    ({"seed": 1.5}, "seed=1.5"),
    ({"seed": [1]}, r"seed=\[1\]"),
    ({"seed": "1"}, "seed='1'"),
    ({"options": [1]}, r"options=\[1\]"),
    ({"options": "random_turns"}, "options='random_turns'"),
    ({"options": 3}, "options=3"),
    ({"options": [("random_turns", 1)]}, "options="),
    ({"options": {"random_turns": -1}}, "random_turns.*=-1"),
    ({"options": {"random_turns": 1.5}}, "random_turns.*=1.5"),
    ({"options": {"random_turns": True}}, "random_turns.*=True"),
    ({"options": {"random_turns": None}}, "random_turns.*=None"),
    ({"options": {"random_turns": 98}}, "random_turns.*98"),
    ({"options": {"random_turns": 10**9}}, "random_turns.*1000000000"),
    ({"options": {"starting_player": 3}}, "starting_player.*=3"),
    ({"options": {"starting_player": -1}}, "starting_player.*=-1"),
    ({"options": {"starting_player": True}}, "starting_player.*=True"),
    ({"options": {"starting_player": "player_0"}}, "starting_player.*='player_0'"),
]


@pytest.mark.parametrize("seed", [None, 5])
@pytest.mark.parametrize(("call", "word"), REFUSED, ids=str)
def test_a_refused_reset_leaves_game_and_generator_as_they_were(make, call, word, seed):
    env, twin = make(**ARGUMENTS), make(**ARGUMENTS)
    for one in (env, twin):
        one.reset(seed=1)
        one.step(one.game.setup.end_turn)
    before = env.game.to_position(), env.game.legal_mask().tolist()
    with pytest.raises(ArgumentError, match=word) as caught:
        env.reset(**{"seed": seed} | call)
    assert "\n" not in str(caught.value)
    assert (env.game.to_position(), env.game.legal_mask().tolist()) == before
    for _ in range(2):
        env.reset()
        twin.reset()
        assert env.game.hash() == twin.game.hash()


def test_a_refused_position_leaves_game_and_generator_as_they_were(make):
    env, twin = make(**ARGUMENTS), make(**ARGUMENTS)
    for one in (env, twin):
        one.reset(seed=1)
    position = env.game.to_position()
    with pytest.raises(PositionError, match="to-move-unknown"):
        env.reset(seed=5, options={"state": {**position, "to_move": 7}})
    assert env.game.to_position() == position
    env.reset()
    twin.reset()
    assert env.game.hash() == twin.game.hash()


@pytest.mark.parametrize("kind", ["state", "record"])
@pytest.mark.parametrize("other", [{"random_turns": 0}, {"random_turns": 3}, {"starting_player": 1}, "both"])
def test_a_given_game_and_how_to_begin_another_exclude_each_other(make, kind, other):
    source = made(ARGUMENTS)
    play(source, np.random.default_rng(0), 5)
    given = {"state": source.game.to_position(), "record": source.record()}
    env = make(**ARGUMENTS)
    env.reset(seed=1)
    before = env.game.hash()
    options = given if other == "both" else {kind: given[kind]} | other
    with pytest.raises(ArgumentError, match=kind) as caught:
        env.reset(options=options)
    assert "\n" not in str(caught.value)
    assert all(name in str(caught.value) for name in options)
    assert env.game.hash() == before


@pytest.mark.parametrize("max_turns", [1, 6])
def test_random_turns_end_before_the_turn_limit(max_turns):
    env = bitblossom_v0.env(board_size=9, max_turns=max_turns)
    env.reset(options={"random_turns": max_turns - 1})
    assert env.game.turn == max_turns - 1
    assert not env.game.is_over
    with pytest.raises(ArgumentError, match="random_turns"):
        env.reset(options={"random_turns": max_turns})


def test_random_turns_beyond_the_turn_limit_are_refused_at_once(make):
    env = make(board_size=19)  # 722 turns; no game is played to find that out
    with pytest.raises(ArgumentError, match=r"random_turns.*722"):
        env.reset(options={"random_turns": 722})


@pytest.mark.parametrize(
    ("recorded", "here"),
    [
        ({"extra_planes": ("sea", "placeable")}, {}),
        ({}, {"extra_planes": ("placeable",)}),
        ({"max_turns": 98}, {}),
        ({"max_turns": "auto"}, {"max_turns": 98}),
        ({"max_turns": 98, "extra_planes": ("sea",)}, {"max_turns": np.int64(98), "cuts": np.True_}),
    ],
    ids=str,
)
def test_a_record_of_the_same_rules_is_taken_however_they_were_written(make, recorded, here):
    source = made({"num_players": 3, "board_size": 7} | recorded)
    play(source, np.random.default_rng(2), 12)
    env = make(num_players=3, board_size=7, **here)
    env.reset(options={"record": json.loads(json.dumps(source.record()))})
    assert env.game.turn >= source.game.turn  # the learner's environment plays the others' turns
    if make is bitblossom_v0.env:
        assert env.game.hash() == source.game.hash()
        assert env.observe("player_0") in env.observation_space("player_0")
    assert len(env.game.observe(0)) == len(env.plane_names)


@pytest.mark.parametrize(
    ("recorded", "name"),
    [
        ({"max_turns": 97}, "max_turns"),
        ({"max_turns": None}, "max_turns"),
        ({"cuts": False}, "cuts"),
        ({"reward": "area"}, "reward"),
        ({"placements_per_turn": 2}, "placements_per_turn"),
        ({"max_retractions_per_turn": None}, "max_retractions_per_turn"),
        ({"first_turn_placements": 1}, "first_turn_placements"),
        ({"bonus_cap": 0}, "bonus_cap"),
        ({"opening_rule": "none"}, "opening_rule"),
        ({"end_on_all_pass": False}, "end_on_all_pass"),
        ({"board_size": (7, 8)}, "7x8"),
        ({"num_players": 2}, "2 players"),
    ],
    ids=str,
)
def test_a_record_of_other_rules_is_refused_by_name(make, recorded, name):
    source = made({"num_players": 3, "board_size": 7} | recorded)
    play(source, np.random.default_rng(3), 3)
    env = make(num_players=3, board_size=7)
    env.reset(seed=0)
    before = env.game.hash()
    with pytest.raises(ValueError, match=name) as caught:
        env.reset(options={"record": source.record()})
    assert "\n" not in str(caught.value)
    assert env.game.hash() == before


@pytest.mark.parametrize("arguments", SETUPS, ids=str)
def test_a_game_that_is_over_is_no_start(make, arguments):
    source = made(arguments)
    play(source, np.random.default_rng(4))
    env = make(**arguments)
    env.reset(seed=0)
    before = env.game.hash()
    for options in ({"state": source.game.to_position()}, {"record": source.record()}):
        with pytest.raises(ArgumentError, match="over"):
            env.reset(options=options)
        assert env.game.hash() == before
