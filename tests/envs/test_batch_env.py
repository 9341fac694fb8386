"""`BatchEnv`: B games in lockstep are B single games, bit for bit, in every mode and on any number of threads."""

import multiprocessing
import threading

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from bitblossom_env.core.game import make_setup
from bitblossom_env.envs.batch import BatchEnv
from tests.envs.batch_twin import (
    MODES,
    NO_ACTION,
    NUM_ENVS,
    OTHER_GAME,
    RANDOM,
    SMALL,
    THREADS,
    OneByOne,
    choose,
    comparable,
    contents,
    hashes,
    play,
)

NUM_STEPS = 70
# Arguments, random turns, and how some games end in these steps.
SETUPS = [
    (SMALL, None, ("terminated",)),
    (
        SMALL | {"max_turns": 4, "reward": "area", "extra_planes": ("sea", "placeable")},
        (0, 2),
        ("terminated", "truncated"),
    ),
    (RANDOM | {"reward": "rank", "extra_planes": ("placeable",)}, None, ("terminated", "truncated")),
    ({"num_players": 4, "board_size": 5, "max_retractions_per_turn": None, "max_turns": 6}, (1, 4), ("truncated",)),
    (OTHER_GAME, (20, 30), ("terminated",)),
]


def assert_seen(env, observations, infos, twin):
    """What is to be seen of the games that stand in the rows now."""
    games = twin.games
    assert (observations.dtype, infos["action_masks"].dtype, infos["to_move"].dtype) == (np.uint8, np.int8, np.int8)
    assert np.array_equal(observations, [game.observe(game.to_move) for game in games])
    assert np.array_equal(infos["action_masks"], [game.legal_mask() for game in games])
    assert np.array_equal(infos["to_move"], [game.to_move for game in games])
    assert np.array_equal(observations, env.observations)
    assert np.array_equal(infos["action_masks"], env.action_masks)
    assert np.array_equal(infos["to_move"], env.to_move)
    assert hashes(env) == [game.hash() for game in games]


def assert_final(infos, seen, outcomes):
    """What infos tell of the games that ended in this step."""
    if not any(outcomes):
        assert set(infos) == {"action_masks", "to_move"}
        return
    assert infos["final_observations"].shape == infos["final_outcome"].shape == (NUM_ENVS,)
    for row, outcome in enumerate(outcomes):
        told, planes = infos["final_outcome"][row], infos["final_observations"][row]
        if outcome is None:
            assert told is planes is None
        else:
            assert planes.dtype == np.uint8
            assert np.array_equal(planes, seen[row])
            assert comparable(told) == comparable(outcome.as_dict())


@pytest.mark.parametrize("num_threads", THREADS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("arguments", "random_turns", "ends"), SETUPS, ids=str)
def test_a_batch_is_its_single_games(arguments, random_turns, ends, mode, num_threads):
    rng = np.random.default_rng(1)
    env = BatchEnv(NUM_ENVS, seed=3, autoreset=mode, num_threads=num_threads, random_turns=random_turns, **arguments)
    observations, infos = env.reset()
    twin = OneByOne(mode, arguments, 3, random_turns)
    assert_seen(env, observations, infos, twin)
    num_standing = 0
    for step in range(NUM_STEPS):
        num_standing += sum(game.is_over for game in twin.games)
        actions = choose(env, rng)
        observations, rewards, terminated, truncated, infos = env.step(actions)
        paid, flags, seen, outcomes = twin.step(actions)
        assert_seen(env, observations, infos, twin)
        assert (rewards.dtype, terminated.dtype, truncated.dtype) == (np.float32, np.bool_, np.bool_)
        assert np.array_equal(rewards, paid)
        assert list(zip(terminated.tolist(), truncated.tolist(), strict=True)) == flags
        assert_final(infos, seen, outcomes)
        if mode == "disabled" and step % 5 == 4:
            done = terminated | truncated
            observations, infos = env.reset(options={"reset_mask": done})
            for row in np.flatnonzero(done):
                twin.replace(row)
            assert_seen(env, observations, infos, twin)
    assert all(twin.num_ends[name] for name in ends)
    assert twin.num_ends["replaced"] > NUM_ENVS
    assert (num_standing > 0) == (mode != "same_step")


@pytest.mark.parametrize("mode", MODES)
def test_the_number_of_threads_changes_nothing(mode):
    played = []
    for num_threads in (1, 2, 3, NUM_ENVS, 100):
        env = BatchEnv(NUM_ENVS, seed=5, autoreset=mode, num_threads=num_threads, random_turns=[0, 2], **RANDOM)
        env.reset()
        assert env.num_threads == min(num_threads, NUM_ENVS)
        played.append(play(env, 6, 40))
    assert all(seen == played[0] for seen in played)


def test_threads_are_as_many_as_there_is_work_for():
    num_cores = BatchEnv(10**4, observe=False, **SMALL).num_threads
    assert num_cores >= 1
    assert BatchEnv(2047, **SMALL).num_threads == 1
    assert BatchEnv(2048, **SMALL).num_threads == min(2, num_cores)


def num_batch_threads():
    return sum(thread.name.startswith("batch-env") for thread in threading.enumerate())


def test_close_ends_the_threads_and_a_later_step_begins_them_again():
    before = num_batch_threads()
    with BatchEnv(NUM_ENVS, num_threads=3, **SMALL) as env:
        env.reset()
        assert num_batch_threads() == before, "nobody has asked for them yet"
        play(env, 1, 5)
        assert num_batch_threads() == before + 2, "the calling thread is the third"
    assert num_batch_threads() == before
    env.close()
    play(env, 1, 5)
    assert num_batch_threads() == before + 2
    env.close()


def test_a_forked_process_has_threads_of_its_own():
    env = BatchEnv(NUM_ENVS, num_threads=3, **RANDOM)
    env.reset()
    play(env, 1, 5)
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=lambda: results.put(play(env, 2, 20)), daemon=True)
    child.start()
    there = results.get(timeout=60)
    child.join()
    assert there == play(env, 2, 20)
    env.close()


def test_two_batches_of_different_sizes_go_side_by_side():
    settings = [(3, {"board_size": 5}), (11, RANDOM)]
    alone = []
    for num_envs, arguments in settings:
        env = BatchEnv(num_envs, seed=1, num_threads=2, **arguments)
        env.reset()
        alone.append(play(env, 2, 30))
    together = [BatchEnv(num_envs, seed=1, num_threads=2, **arguments) for num_envs, arguments in settings]
    rngs = [np.random.default_rng(2) for _ in settings]
    for env in together:
        env.reset()
    for step in range(30):
        for env, rng, seen in zip(together, rngs, alone, strict=True):
            out = env.step(choose(env, rng))
            assert (comparable(out), hashes(env)) == seen[step]


def test_a_finished_game_stands_until_it_is_replaced():
    env = BatchEnv(NUM_ENVS, autoreset="disabled", **SMALL)
    env.reset()
    rng = np.random.default_rng(1)
    while env.action_masks.any():
        paid = env.step(choose(env, rng))[1].copy()
    before = contents(env)
    for _ in range(2):
        _, rewards, terminated, truncated, infos = env.step(np.full(NUM_ENVS, NO_ACTION))
        assert paid.any()
        assert not rewards.any()
        assert terminated.all()
        assert not truncated.any()
        assert set(infos) == {"action_masks", "to_move"}
        assert hashes(env) == before[0]
    mask = np.arange(NUM_ENVS) % 2 == 0
    env.reset(options={"reset_mask": mask})
    terminated = env.step(choose(env, rng))[2]
    assert terminated.tolist() == (~mask).tolist()


@pytest.mark.parametrize("mode", AutoresetMode)
def test_the_mode_may_be_gymnasiums_own(mode):
    env = BatchEnv(1, autoreset=mode, **SMALL)
    assert env.autoreset_mode is env.metadata["autoreset_mode"] is mode
    assert BatchEnv(1, autoreset=mode.name.lower(), **SMALL).autoreset_mode is mode


def test_nothing_is_observed_where_nobody_looks():
    seeing = BatchEnv(NUM_ENVS, random_turns=(0, 1), **RANDOM)
    blind = BatchEnv(NUM_ENVS, random_turns=(0, 1), observe=False, **RANDOM)
    seeing.reset()
    observations, _ = blind.reset()
    assert observations is blind.observations is None
    rng = np.random.default_rng(1)
    num_ends = 0
    for _ in range(40):
        actions = choose(blind, rng)
        shown, told = seeing.step(actions), blind.step(actions)
        num_ends += "final_outcome" in told[4]
        shown[4].pop("final_observations", None)
        assert told[0] is None
        assert comparable(told[1:]) == comparable(shown[1:])
        assert hashes(blind) == hashes(seeing)
    assert num_ends > 0


def test_spaces_names_and_text_tell_of_the_games():
    env = BatchEnv(2, extra_planes=("sea",), board_size=(4, 6), max_turns=5, autoreset="next_step")
    observations, _ = env.reset()
    single = gymnasium.make("BitBlossom-v0", extra_planes=("sea",), board_size=(4, 6), max_turns=5)
    assert env.single_action_space == single.action_space
    assert env.single_observation_space == single.observation_space["observation"]
    assert all(planes in env.single_observation_space for planes in observations)
    assert env.setup == make_setup("bitblossom", {"extra_planes": ("sea",), "board_size": (4, 6), "max_turns": 5})
    assert env.plane_names == env.setup.plane_names
    assert len(env.plane_names) == observations.shape[1]
    assert repr(env).startswith("BatchEnv(2, 'bitblossom', autoreset='next_step', num_players=2, board_size=[4, 6]")
    assert "max_turns=5" in repr(env)
