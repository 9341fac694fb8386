"""`BatchEnv`: seeds and streams, resets of some games, states, buffers and copies."""

import copy
import multiprocessing
import pickle

import numpy as np
import pytest

from bitblossom_env.core.record import Recorder
from bitblossom_env.core.rollout import random_start
from bitblossom_env.envs.batch import BatchEnv
from tests.envs.batch_twin import (
    MODES,
    NO_ACTION,
    NUM_ENVS,
    OTHER_GAME,
    RANDOM,
    SMALL,
    choose,
    comparable,
    contents,
    hashes,
    play,
)

DRAWN = RANDOM | {"random_turns": (0, 3)}


def reset_env(num_envs=NUM_ENVS, seed=None, **settings):
    env = BatchEnv(num_envs, **settings)
    env.reset(seed=seed)
    return env


def begun_games(env, seed, num_steps):
    """The hashes of the games that begin in each row, in order; the play is random by `seed`."""
    rng = np.random.default_rng(seed)
    begun = [[value] for value in hashes(env)]
    for _ in range(num_steps):
        stood = ~env.action_masks.any(axis=1)
        out = env.step(choose(env, rng))
        ended = out[2] | out[3]
        new = {"SAME_STEP": ended, "NEXT_STEP": stood, "DISABLED": ended}[env.autoreset_mode.name]
        if env.autoreset_mode.name == "DISABLED":
            env.reset(options={"reset_mask": ended})
        for row in np.flatnonzero(new):
            begun[row].append(env.game(row).hash())
    return begun


def test_the_nth_game_of_a_row_depends_on_nothing_but_seed_row_and_n():
    settings = [
        {"num_envs": NUM_ENVS, "autoreset": "same_step", "num_threads": 3},
        {"num_envs": NUM_ENVS, "autoreset": "next_step", "num_threads": 1},
        {"num_envs": 3, "autoreset": "disabled", "num_threads": 2},
        {"num_envs": 3, "autoreset": "same_step", "observe": False},
    ]
    played = [begun_games(reset_env(seed=9, **setting, **DRAWN), number, 60) for number, setting in enumerate(settings)]
    for begun in played[1:]:
        for mine, others in zip(played[0], begun, strict=False):
            length = min(len(mine), len(others))
            assert length > 2
            assert mine[:length] == others[:length]
    everything = [value for row in played[0] for value in row]
    assert len(set(everything)) == len(everything), "no game is begun twice"


def test_seeds_begin_the_streams_and_none_goes_on_with_them():
    env = BatchEnv(NUM_ENVS, seed=4, **DRAWN)
    first = [hashes(env) for _ in range(3) if env.reset()]
    env.reset(seed=4)
    assert hashes(env) == first[0]
    env.reset()
    assert hashes(env) == first[1]
    assert hashes(reset_env(seed=4, **DRAWN)) == first[0], "the constructor's seed is that of the first reset"
    env.reset(seed=2**100)
    assert hashes(env) == hashes(reset_env(seed=2**100, **DRAWN))
    assert len({tuple(games) for games in (*first, hashes(env))}) == 4


def test_random_turns_are_drawn_within_their_bounds():
    env = reset_env(200, observe=False, random_turns=(1, 3), max_turns=9, board_size=5)
    turns = [env.game(row).turn for row in range(200)]
    assert set(turns) == {1, 2, 3}
    assert min(turns.count(turn) for turn in (1, 2, 3)) > 40
    env.reset(options={"random_turns": 2, "starting_player": 1})
    assert {env.game(row).turn for row in range(200)} == {2}
    assert set(env.to_move) == {1}
    env.reset(options={"random_turns": 0})
    assert set(hashes(env)) == {env.setup.new_game(np.random.default_rng(0)).hash()}


def test_a_mask_begins_some_games_and_leaves_the_others():
    env = reset_env(seed=2, autoreset="disabled", **DRAWN)
    rng = np.random.default_rng(1)
    while env.action_masks.any(axis=1).all():
        env.step(choose(env, rng))
    twin = copy.deepcopy(env)
    mask = env.action_masks.any(axis=1)  # the running ones, for once: the finished ones stay and keep their flags
    env.reset(options={"reset_mask": mask})
    twin.reset()
    assert [mine == all_anew for mine, all_anew in zip(hashes(env), hashes(twin), strict=True)] == mask.tolist()
    assert np.array_equal(env.observations[mask], twin.observations[mask])
    assert np.array_equal(env.action_masks[mask], twin.action_masks[mask])
    before = contents(env)
    env.reset(options={"reset_mask": [False] * NUM_ENVS})
    assert contents(env) == before
    flags = (env._terminated | env._truncated).copy()
    assert flags.tolist() == (~mask).tolist()
    env.reset(seed=7, options={"reset_mask": mask})
    fresh = hashes(reset_env(seed=7, **DRAWN))
    assert [new == wanted for new, wanted in zip(hashes(env), fresh, strict=True)] == mask.tolist()
    kept = np.flatnonzero(~mask)
    assert [hashes(env)[row] for row in kept] == [before[0][row] for row in kept]
    out = env.step(choose(env, rng))
    assert (out[2] | out[3])[kept].all()


def test_given_starts_stand_in_every_row_that_is_reset():
    env = reset_env(random_turns=(1, 2), **SMALL)
    game = env.setup.new_game(np.random.default_rng(0))
    recorder = Recorder(game)
    for action in (1, 3):
        seat = game.to_move
        game.apply(action)
        recorder.add(game, action, seat)
    for options in ({"record": recorder.record(game)}, {"state": game.to_position()}):
        env.reset()
        others = hashes(env)
        mask = np.arange(NUM_ENVS) != 4
        env.reset(options=options | {"reset_mask": mask})
        assert [value == game.hash() for value in hashes(env)] == mask.tolist()
        assert env.game(4).hash() == others[4]
        assert all(np.array_equal(env.observations[row], game.observe(0)) for row in np.flatnonzero(mask))
    env.reset(options={"state": game.to_position(), "reset_mask": np.arange(NUM_ENVS) == 4})
    assert env.game(4).hash() == game.hash(), "in one row alone as well"


@pytest.mark.parametrize("mode", MODES)
def test_returned_arrays_are_the_environments_own(mode):
    env = reset_env(autoreset=mode, max_turns=3, **SMALL)
    own = (env.observations, env.action_masks, env.to_move)
    rng, kept, final = np.random.default_rng(1), None, []
    for _ in range(40):
        observations, *paid, infos = env.step(choose(env, rng))
        assert all(
            mine is his for mine, his in zip(own, (observations, infos["action_masks"], infos["to_move"]), strict=True)
        )
        kept = kept or paid
        assert all(mine is his for mine, his in zip(kept, paid, strict=True))
        final += [(planes, planes.copy()) for planes in infos.get("final_observations", ()) if planes is not None]
        if mode == "disabled":
            observations, infos = env.reset(options={"reset_mask": paid[1] | paid[2]})
            assert observations is own[0]
    assert len(final) > NUM_ENVS
    assert all(np.array_equal(planes, then) for planes, then in final), "what infos tell of an end is nobody's buffer"


@pytest.mark.parametrize("mode", MODES)
def test_copies_stay_as_they_were_returned(mode):
    env, twin = (reset_env(autoreset=mode, copy=is_copied, **DRAWN) for is_copied in (True, False))
    rng = np.random.default_rng(1)
    then = []
    for _ in range(30):
        actions = choose(env, rng)
        out = env.step(actions)
        then.append((out, comparable(twin.step(actions))))
    for out, seen in then:
        assert comparable(out) == seen
        for array in (*out[:4], out[4]["action_masks"], out[4]["to_move"]):
            array.fill(1)  # nothing of the environment lies below
    assert contents(env) == contents(twin)
    observations, infos = env.reset()
    assert observations is not env.observations
    assert infos["action_masks"] is not env.action_masks


def test_states_go_from_row_to_row_and_from_batch_to_batch():
    env = reset_env(seed=1, **DRAWN)
    play(env, 2, 5)
    first = hashes(env)
    states = env.get_states([5, 0, 3])
    planes, masks, to_move = env.observations[[5, 0, 3]], env.action_masks[[5, 0, 3]], env.to_move[[5, 0, 3]]
    play(env, 3, 5)
    env.set_states(np.array([6, 1, 0], np.int8), states)
    assert [hashes(env)[row] for row in (6, 1, 0)] == [first[row] for row in (5, 0, 3)]
    assert np.array_equal(env.observations[[6, 1, 0]], planes)
    assert np.array_equal(env.action_masks[[6, 1, 0]], masks)
    assert np.array_equal(env.to_move[[6, 1, 0]], to_move)
    other = BatchEnv(3, observe=False, **RANDOM)
    other.set_states([0, 1, 2], states)
    assert hashes(other) == [first[row] for row in (5, 0, 3)], "also where nothing has been reset"
    other.set_states(2, other.get_states(0))
    assert hashes(other)[2] == hashes(other)[0]
    before = contents(env)
    env.set_states([], env.get_states([]))
    assert contents(env) == before


def test_starts_are_copies_and_renew_what_is_seen():
    env = reset_env(max_turns=9, board_size=5)
    game = random_start(env.setup, np.random.default_rng(1), 3)
    others = hashes(env)
    env.start(2, game)
    value = game.hash()
    assert np.array_equal(env.observations[2], game.observe(game.to_move))
    assert np.array_equal(env.action_masks[2], game.legal_mask())
    assert env.to_move[2] == game.to_move
    game.apply(game.setup.end_turn)
    taken = env.game(2)
    taken.apply(taken.setup.end_turn)
    assert hashes(env) == [*others[:2], value, *others[3:]]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("end_on_all_pass", "kind"), [(False, "truncated"), (True, "terminated")])
def test_a_finished_game_put_into_a_row_stands_until_the_next_step(mode, end_on_all_pass, kind):
    arguments = SMALL | {"max_turns": 4, "end_on_all_pass": end_on_all_pass}
    env = reset_env(3, autoreset=mode, **arguments)
    setup, rng = env.setup, np.random.default_rng(0)
    game = setup.new_game(rng)
    while not game.is_over:
        game.apply(setup.end_turn)
    env.start(0, game)
    env.set_states(2, env.get_states(0))
    assert [bool(mask.any()) for mask in env.action_masks] == [False, True, False]
    _, rewards, terminated, truncated, infos = env.step([NO_ACTION, 1, NO_ACTION])
    flags = {"terminated": terminated.tolist(), "truncated": truncated.tolist()}
    assert not rewards.any()
    assert "final_outcome" not in infos
    assert flags.pop(kind) == [mode == "disabled", False, mode == "disabled"]
    assert list(flags.values()) == [[False] * 3]
    first = setup.new_game(rng).hash()
    assert [env.game(row).hash() for row in (0, 2)] == [game.hash() if mode == "disabled" else first] * 2


def test_flags_of_the_last_step_outlive_the_starts_of_other_games():
    env = reset_env(2, **SMALL)
    game = env.setup.new_game(np.random.default_rng(0))
    env.step([game.setup.end_turn] * 2)
    terminated = env.step([game.setup.end_turn] * 2)[2]
    env.start(0, game)
    env.set_states(1, env.get_states(0))
    assert terminated.all(), "who plans starts may do so before storing what the step has returned"


def unpickled(env):
    return pickle.loads(pickle.dumps(env))  # noqa: S301 - ours


@pytest.mark.parametrize("num_threads", [1, 3])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("duplicate", [copy.deepcopy, unpickled])
@pytest.mark.parametrize("arguments", [DRAWN, OTHER_GAME], ids=str)
def test_duplicates_go_on_alike_and_apart(arguments, duplicate, mode, num_threads):
    env = reset_env(autoreset=mode, num_threads=num_threads, **arguments)
    play(env, 1, 12)
    twin = duplicate(env)
    before = contents(env)
    assert contents(twin) == before
    seen = play(twin, 2, 30)
    assert contents(env) == before
    assert play(env, 2, 30) == seen
    out = twin.step(choose(twin, np.random.default_rng(3)))
    assert out[0] is twin.observations, "the arrays are its own, and still the same objects"
    assert out[4]["action_masks"] is twin.action_masks


def test_a_batch_sent_to_a_spawned_process_plays_the_same_there():
    env = reset_env(num_threads=2, **DRAWN)
    play(env, 1, 5)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.apply(play, (env, 2, 30))
    assert there == play(env, 2, 30)
