"""What `observe`, `last`, `state` and infos hand out (contract 2.4): pure, within the spaces, never changed later."""

import copy
import pickle

import numpy as np
import pytest

from bitblossom_env.core.game import IllegalActionError
from tests.envs.playing import SETUPS, fingerprint, has_ended, made, play, random_action


@pytest.mark.parametrize("arguments", SETUPS, ids=str)
def test_observing_is_pure_and_within_the_spaces(arguments):
    env = made(arguments)
    rng = np.random.default_rng(4)
    spaces = {agent: env.observation_space(agent) for agent in env.possible_agents}
    assert len({id(space) for space in spaces.values()}) == 1
    for _ in range(60):
        if has_ended(env):
            env.reset()
        before = fingerprint(env)
        for agent in env.agents:
            assert env.observation_space(agent) is spaces[agent]
            assert env.observe(agent) in spaces[agent]
        assert env.state() in env.state_space
        assert fingerprint(env) == before
        env.step(random_action(env, rng))
    num_planes = env.observation_space("player_0")["observation"].shape[0]
    assert num_planes == len(env.plane_names) == len(set(env.plane_names))


def test_what_was_returned_never_changes():
    env = made({})
    observation, *_, info = env.last()
    state = env.state()
    kept = copy.deepcopy((observation, state, info["action_mask"]))
    play(env, np.random.default_rng(5), 30)
    assert np.array_equal(observation["observation"], kept[0]["observation"])
    assert np.array_equal(observation["action_mask"], kept[0]["action_mask"])
    assert np.array_equal(state, kept[1])
    assert np.array_equal(info["action_mask"], kept[2])
    observation["observation"][:] = 7
    assert not np.array_equal(env.observe(env.agent_selection)["observation"], observation["observation"])


def overwrite(array):
    """Writes ones wherever the array lets itself be written."""
    if array.flags.writeable:
        array[:] = 1


DUPLICATES = {
    "itself": lambda env: env,
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),  # noqa: S301 - our own bytes
    "copy of a copy": lambda env: copy.deepcopy(pickle.loads(pickle.dumps(env))),  # noqa: S301 - our own bytes
}


@pytest.mark.parametrize("duplicate", DUPLICATES.values(), ids=list(DUPLICATES))
def test_masks_in_infos_are_read_only_in_copies_too(duplicate):
    env = made({"num_players": 3})
    rng = np.random.default_rng(6)
    for _ in range(4):
        play(env, rng, 3)
        env = duplicate(env)
        for agent in env.agents:
            mask = env.infos[agent]["action_mask"]
            assert not mask.flags.writeable
            with pytest.raises(ValueError, match="read-only"):
                mask[:] = 1


@pytest.mark.parametrize("duplicate", DUPLICATES.values(), ids=list(DUPLICATES))
def test_writing_into_what_one_seat_got_reaches_nobody_else(duplicate):
    env = duplicate(made({"num_players": 3}))
    env.step(0)
    expected = {agent: env.observe(agent) for agent in env.agents}
    for agent in env.agents:
        for array in (*env.observe(agent).values(), env.infos[agent]["action_mask"], env.state()):
            overwrite(array)
    for agent in env.agents:
        for key, value in env.observe(agent).items():
            assert np.array_equal(value, expected[agent][key])
        assert np.array_equal(env.infos[agent]["action_mask"], expected[agent]["action_mask"])
    with pytest.raises(IllegalActionError):
        env.step(0)


@pytest.mark.parametrize("duplicate", DUPLICATES.values(), ids=list(DUPLICATES))
def test_owner_maps_of_outcomes_are_read_only(duplicate):
    env = made({"board_size": 5})
    play(env, np.random.default_rng(7))
    env = duplicate(env)
    maps = [env.game.outcome.owner, *(env.infos[agent]["outcome"]["owner"] for agent in env.agents)]
    for owner in maps:
        assert np.array_equal(owner, maps[0])
        assert not owner.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            owner[0, 0] = 1


def test_two_sizes_live_side_by_side():
    small, large = made({"board_size": 5}), made({"board_size": (13, 5), "num_players": 3})
    alone = made({"board_size": 5})
    generators = [np.random.default_rng(8) for _ in range(3)]
    for _ in range(30):
        for env, rng in zip((small, large, alone), generators, strict=True):
            play(env, rng, 1)
        assert small.game.hash() == alone.game.hash()
        assert large.state().shape == (33, 13, 5)


def test_ansi_shows_the_board_and_close_may_be_called_twice():
    env = made({"board_size": 5, "render_mode": "ansi"})
    env.step(0)
    lines = env.render().splitlines()
    assert lines[0] == "turn 0, player_0 to move"
    assert lines[2].split() == ["1", "a*", ".", ".", ".", "."]
    env.close()
    env.close()
    with pytest.warns(UserWarning, match="render_mode"):
        assert made({}).render() is None
