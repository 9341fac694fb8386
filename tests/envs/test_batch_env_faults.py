"""What `BatchEnv` refuses: one clear line, no game has moved, no array has changed."""

import warnings

import numpy as np
import pytest

from bitblossom_env.core.game import ArgumentError, GameOverError, IllegalActionError, make_setup
from bitblossom_env.core.record import Recorder
from bitblossom_env.core.rollout import play_random_turn
from bitblossom_env.envs.batch import BatchEnv
from tests.envs.batch_twin import NUM_ENVS, RANDOM, SMALL, THREADS, choose, contents, hashes, play

SQUARE = {"board_size": 5, "home_bases": [(0, 0), (4, 4)]}
END_TURN = 50


def reset_env(arguments=SQUARE, **settings):
    env = BatchEnv(NUM_ENVS, **settings, **arguments)
    env.reset()
    return env


def refused(error, words, call, *arguments, **named):
    """Makes the call, which must raise one line that has all the words."""
    with pytest.raises(error) as caught:
        call(*arguments, **named)
    message = str(caught.value)
    assert "\n" not in message
    assert all(word in message for word in words), message


@pytest.mark.parametrize("num_threads", THREADS)
@pytest.mark.parametrize("wrong", [-1, 0, END_TURN + 1, 10**12])  # 0 is where the base of seat 0 stands
def test_an_illegal_action_moves_no_game(num_threads, wrong):
    env = reset_env(num_threads=num_threads, autoreset="disabled", max_turns=3)
    rng = np.random.default_rng(1)
    while env.action_masks.any(axis=1).sum() > 3:  # some games are over, and their flags are set
        env.step(choose(env, rng))
    running = np.flatnonzero(env.action_masks.any(axis=1))
    assert 1 < running.size < NUM_ENVS
    before = contents(env)
    for row in running:
        actions = choose(env, rng)
        actions[row] = wrong
        words = [f"action {wrong} ", f"game {row} ", f"seat {env.to_move[row]} ", "0..50"]
        refused(IllegalActionError, words, env.step, actions)
        assert contents(env) == before
    both = choose(env, rng)
    both[running] = wrong
    refused(IllegalActionError, [f"game {running[0]} "], env.step, both)
    env.step(choose(env, rng))
    assert contents(env) != before


@pytest.mark.parametrize("num_threads", THREADS)
def test_an_illegal_action_is_found_in_every_row(num_threads):
    env = reset_env(num_threads=num_threads)
    before = contents(env)
    for row in range(NUM_ENVS):
        actions = np.full(NUM_ENVS, END_TURN)
        actions[row] = 0
        refused(IllegalActionError, [f"game {row} ", "seat 0 ", "no game has moved"], env.step, actions)
        assert contents(env) == before


BAD_ACTIONS = {
    "too many": (np.full(NUM_ENVS + 1, END_TURN), ArgumentError),
    "too few": ([END_TURN], ArgumentError),
    "one": (END_TURN, ArgumentError),
    "in a column": (np.full((NUM_ENVS, 1), END_TURN), ArgumentError),
    "ragged": ([[END_TURN], *[END_TURN] * (NUM_ENVS - 1)], ArgumentError),
    "floats": (np.full(NUM_ENVS, float(END_TURN)), IllegalActionError),
    "truths": (np.ones(NUM_ENVS, np.bool_), IllegalActionError),
    "words": ([str(END_TURN)] * NUM_ENVS, IllegalActionError),
    "too great": ([2**70] * NUM_ENVS, IllegalActionError),
    "too great by a bit": (np.full(NUM_ENVS, 2**64 - 1, np.uint64), IllegalActionError),
    "nothing": ([None] * NUM_ENVS, IllegalActionError),
    "None": (None, ArgumentError),
}


@pytest.mark.parametrize(("actions", "error"), BAD_ACTIONS.values(), ids=list(BAD_ACTIONS))
def test_what_is_no_action_is_refused(actions, error):
    env = reset_env()
    before = contents(env)
    refused(error, ["action", "allowed"], env.step, actions)
    assert contents(env) == before


@pytest.mark.parametrize(
    "form",
    [
        list,
        tuple,
        np.uint8,
        np.int8,
        np.int32,
        np.uint64,
        lambda actions: np.repeat(actions, 2)[::2],
        lambda a: a[::-1],
    ],
)
def test_integers_of_any_kind_are_actions(form):
    env, twin = reset_env(), reset_env()
    actions = np.array([END_TURN, 1, 2, 5, 6, 7, END_TURN])
    twin.step(np.array(list(form(actions)), np.int64))
    env.step(form(actions))
    assert contents(env) == contents(twin)


def test_before_the_first_reset_there_are_no_games():
    env = BatchEnv(NUM_ENVS, **SMALL)
    game = env.setup.new_game(np.random.default_rng(0))
    for row in range(NUM_ENVS):
        refused(GameOverError, ["reset()"], env.step, np.zeros(NUM_ENVS, np.int64))
        refused(GameOverError, ["row 6", "reset()"], env.game, NUM_ENVS - 1)
        refused(GameOverError, [f"row {row}", "reset()"], env.get_states, np.arange(NUM_ENVS))
        env.start(row, game)
    assert hashes(env) == [game.hash()] * NUM_ENVS, "rows that were started one by one are games as well"
    play(env, 1, 3)


BAD_ARGUMENTS = [
    ({"num_envs": 0}, ["num_envs=0", "at least 1"]),
    ({"num_envs": True}, ["num_envs=True"]),
    ({"num_envs": 2.0}, ["num_envs=2.0"]),
    ({"num_threads": 0}, ["num_threads=0", "at least 1"]),
    ({"num_threads": True}, ["num_threads=True"]),
    ({"num_threads": "two"}, ["num_threads='two'"]),
    ({"game": "chess"}, ["game='chess'", "bitblossom"]),
    ({"game": ["bitblossom"]}, ["game=['bitblossom']", "bitblossom"]),
    ({"game": None}, ["game=None", "bitblossom"]),
    ({"seed": -1}, ["seed=-1"]),
    ({"seed": None}, ["seed=None"]),
    ({"seed": 1.5}, ["seed=1.5"]),
    ({"autoreset": "never"}, ["autoreset='never'", "same_step", "next_step", "disabled"]),
    ({"autoreset": None}, ["autoreset=None", "same_step"]),
    ({"autoreset": ["same_step"]}, ["autoreset=['same_step']"]),
    ({"observe": 1}, ["observe=1", "True or False"]),
    ({"copy": None}, ["copy=None", "True or False"]),
    ({"random_turns": 3}, ["random_turns=3", "(low, high)"]),
    ({"random_turns": (3, 2)}, ["random_turns=(3, 2)", "low <= high"]),
    ({"random_turns": (-1, 2)}, ["random_turns=-1"]),
    ({"random_turns": (True, 2)}, ["random_turns=True"]),
    ({"random_turns": np.array([False, True])}, ["random_turns=False"]),
    ({"random_turns": (0, 1, 2)}, ["random_turns=(0, 1, 2)", "(low, high)"]),
    ({"random_turns": (0.0, 1)}, ["random_turns=0.0"]),
    ({"random_turns": [[0, 1], [0, 2]]}, ["random_turns=[[0, 1], [0, 2]]", "(low, high)"]),
    ({"random_turns": "01"}, ["random_turns='01'", "(low, high)"]),
    ({"random_turns": (0, 5), "max_turns": 5}, ["random_turns=(0, 5)", "< 5, the turn limit"]),
    ({"board_size": 2}, ["board_size=2", "3..32"]),
    ({"bord_size": 9}, ["bord_size", "board_size"]),
]


@pytest.mark.parametrize(("arguments", "words"), BAD_ARGUMENTS, ids=str)
def test_bad_arguments_are_named_in_one_line(arguments, words):
    refused(ArgumentError, words, BatchEnv, **{"num_envs": 2, **arguments})


def test_numpy_values_mean_the_same_as_python_ones():
    plain = BatchEnv(3, seed=2, num_threads=2, copy=True, random_turns=(1, 2), **SQUARE)
    env = BatchEnv(
        np.int8(3), seed=np.uint64(2), num_threads=np.array(2), copy=np.True_, random_turns=np.array([1, 2]), **SQUARE
    )
    plain.reset()
    env.reset()
    assert contents(env) == contents(plain)
    assert env.num_threads == plain.num_threads == 2


def record_of(arguments, num_turns):
    setup = make_setup("bitblossom", arguments)
    rng = np.random.default_rng(0)
    game = setup.new_game(rng)
    recorder = Recorder(game)
    while game.turn < num_turns and not game.is_over:
        seat, action = game.to_move, int(rng.choice(np.flatnonzero(game.legal_mask())))
        game.apply(action)
        recorder.add(game, action, seat)
    return recorder.record(game)


def finished_position():
    game = make_setup("bitblossom", SQUARE).new_game(np.random.default_rng(0))
    while not game.is_over:
        play_random_turn(game, np.random.default_rng(0))
    return game.to_position()


BAD_RESETS = {
    "seed below 0": ({"seed": -1}, ["seed=-1"]),
    "seed a truth": ({"seed": True}, ["seed=True"]),
    "options a list": ({"options": ["record"]}, ["options=['record']", "reset_mask"]),
    "no such seat": ({"options": {"starting_player": 2}}, ["starting_player", "2", "0..1"]),
    "half a turn": ({"options": {"random_turns": 0.5}}, ["random_turns", "0.5"]),
    "a truth of turns": ({"options": {"random_turns": False}}, ["random_turns", "False"]),
    "a pair of turns": ({"options": {"random_turns": (1, 2)}}, ["random_turns", "(1, 2)"]),
    "too many turns": ({"options": {"random_turns": 50}}, ["random_turns=50", "fewer"]),
    "two starts": ({"options": {"random_turns": 1, "state": {}}}, ["state", "random_turns", "exclude"]),
    "no position": ({"options": {"state": {}}}, ["position"]),
    "a finished position": ({"options": {"state": finished_position()}}, ["over"]),
    "no record": ({"options": {"record": {}}}, ["record"]),
    "a record of other rules": ({"options": {"record": record_of(SMALL, 1)}}, ["allowed"]),
    "mask of numbers": ({"options": {"reset_mask": np.ones(NUM_ENVS, int)}}, ["reset_mask", "bool"]),
    "mask too short": ({"options": {"reset_mask": [True]}}, ["reset_mask", "7"]),
    "mask one truth": ({"options": {"reset_mask": True}}, ["reset_mask", "7"]),
    "mask ragged": ({"options": {"reset_mask": [[True], True]}}, ["reset_mask"]),
    "mask nothing, bad seed": ({"options": {"reset_mask": [False] * NUM_ENVS}, "seed": "x"}, ["seed='x'"]),
}


@pytest.mark.parametrize(("asked", "words"), BAD_RESETS.values(), ids=list(BAD_RESETS))
@pytest.mark.parametrize("random_turns", [None, (0, 2)])
def test_a_refused_reset_changes_nothing(asked, words, random_turns):
    env, twin = (reset_env(random_turns=random_turns) for _ in range(2))
    before = contents(env)
    refused(ValueError, words, env.reset, **asked)
    assert contents(env) == before
    env.reset()
    twin.reset()
    assert contents(env) == contents(twin), "the streams go on as if nothing had been asked"


def test_unknown_options_warn_once():
    env = BatchEnv(NUM_ENVS, **RANDOM)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        env.reset(options={"komi": 6.5})
    assert len(caught) == 1
    assert "'komi'" in str(caught[0].message)
    assert "reset_mask" in str(caught[0].message)
    assert caught[0].filename == __file__, "it points at the line that asked"


BAD_INDICES = [NUM_ENVS, -1, True, 1.0, None, "1", [0, NUM_ENVS], [-1, 0], [[0, 1]], [True, False], [0.0], [[0], 1]]


@pytest.mark.parametrize("indices", BAD_INDICES, ids=str)
def test_rows_are_numbers_of_games(indices):
    env = reset_env()
    states, before = env.get_states(0), contents(env)
    refused(ArgumentError, ["indices", "allowed"], env.get_states, indices)
    refused(ArgumentError, ["indices", "allowed"], env.set_states, indices, states)
    if not isinstance(indices, list):
        refused(ArgumentError, ["index", "0..6"], env.game, indices)
        refused(ArgumentError, ["index", "0..6"], env.start, indices, env.game(0))
    assert contents(env) == before


@pytest.mark.parametrize("indices", [[0, 1], [0, 0, 0], [], 5])
def test_states_that_do_not_fit_are_refused(indices):
    env = reset_env()
    play(env, 1, 3)
    others = reset_env({"board_size": 6})
    before = contents(env)
    for states in (env.get_states([1, 2, 3]), others.get_states(0), None):
        refused(ValueError, ["allowed"], env.set_states, indices, states)
    assert contents(env) == before


@pytest.mark.parametrize("game", [None, 3, "game"])
def test_a_game_of_another_setup_is_not_started(game):
    env = reset_env()
    before = contents(env)
    other = reset_env(SQUARE | {"reward": "area"}).game(0)
    for wrong in (game, other):
        refused(ArgumentError, ["game=", "setup"], env.start, 0, wrong)
    assert contents(env) == before


def test_games_that_end_before_their_random_turns_leave_the_finished_ones_standing():
    # A random game on this board is full long before turn 12.
    env = BatchEnv(1, random_turns=(12, 12), **SMALL)
    refused(ArgumentError, ["random_turns=12", "fewer"], env.reset)
    env.start(0, env.setup.new_game(np.random.default_rng(0)))
    rng = np.random.default_rng(1)
    with pytest.raises(ArgumentError, match="random_turns=12"):
        play_on(env, rng)
    assert env.game(0).is_over
    assert not env.action_masks.any()
    env.reset(options={"random_turns": 0})
    env.step(choose(env, rng))


def play_on(env, rng):
    while True:
        env.step(choose(env, rng))
