"""Masks, and what `step` accepts and refuses (contract 2.3)."""

import copy

import numpy as np
import pytest

from bitblossom_env.core.game import IllegalActionError
from tests.envs.playing import OTHER_GAME, SETUPS, fingerprint, has_ended, made, random_action


class Nameless:
    """Something whose text would spread over two lines."""

    def __repr__(self):
        return "first line\nsecond line"


NO_ACTIONS = [
    -1,
    163,
    10**12,
    -(10**30),
    3.0,
    "3",
    "first line\nsecond line",
    None,
    True,
    np.True_,
    np.array(True),
    np.ones((2, 2), bool),
    np.float64(2),
    [3],
    {"action": 3},
    np.array([3]),
    np.zeros((2, 2), int),
    np.zeros((40, 40), int),
    Nameless(),
]


@pytest.mark.parametrize("arguments", [*SETUPS[1:5], OTHER_GAME], ids=str)
def test_the_mask_is_exactly_what_step_accepts(arguments):
    env = made(arguments)
    rng = np.random.default_rng(2)
    for _ in range(40):
        if has_ended(env):
            env.reset()
        mask = env.observe(env.agent_selection)["action_mask"]
        before = env.game.hash()
        for action in range(mask.size):
            twin = copy.deepcopy(env)
            if mask[action]:
                twin.step(action)
                assert twin.game.hash() != before
            else:
                with pytest.raises(IllegalActionError):
                    twin.step(action)
                assert fingerprint(twin) == fingerprint(env)
        env.step(random_action(env, rng))


def test_masks_rest_for_seats_not_to_move():
    env = made({"num_players": 3})
    rng = np.random.default_rng(3)
    for _ in range(200):
        for agent in env.agents:
            observation = env.observe(agent)
            mask = observation["action_mask"]
            assert set(observation) == {"observation", "action_mask"}
            assert np.array_equal(mask, env.infos[agent]["action_mask"])
            is_to_move = agent == env.agent_selection
            assert mask.any() == is_to_move
            assert mask[-1] == is_to_move, "the end of the turn is always legal"
        env.step(random_action(env, rng))
        if has_ended(env):
            env.reset()


@pytest.mark.parametrize("arguments", SETUPS[:3], ids=str)
def test_gymnasium_samples_legal_actions_in_a_thousand_states(arguments):
    env = made(arguments)
    space = env.action_space("player_0")
    space.seed(0)
    kinds = set()
    for _ in range(1000):
        if has_ended(env):
            env.reset()
        observation, _, _, _, info = env.last()
        for mask in (observation["action_mask"], info["action_mask"]):
            assert mask.dtype == np.int8
            assert mask.shape == (space.n,)
            assert set(mask.tolist()) <= {0, 1}
            action = space.sample(mask)
            assert mask[action] == 1
        env.step(action)
        kinds.add(
            next(part for part in ("placements", "retractions") if action in getattr(env.game.setup, part))
            if action < space.n - 1
            else "end"
        )
    assert kinds == {"placements", "retractions", "end"}


@pytest.mark.parametrize("action", NO_ACTIONS, ids=lambda action: type(action).__name__)
def test_what_is_no_legal_action_is_refused_in_one_line_and_changes_nothing(action):
    env = made({})
    before = fingerprint(env)
    with pytest.raises(IllegalActionError) as caught:
        env.step(action)
    message = str(caught.value)
    assert "\n" not in message
    assert "0..162" in message
    assert len(message) < 400
    assert fingerprint(env) == before


def test_an_illegal_action_is_named_with_seat_and_turn():
    env = made({"board_size": 5})
    env.step(0)
    with pytest.raises(IllegalActionError, match=r"action 0 \(a1\) is illegal for seat 0 in turn 0"):
        env.step(0)


@pytest.mark.parametrize("kind", [int, np.int8, np.int64, np.uint32, np.asarray])
def test_what_counts_like_an_integer_is_an_action(kind):
    env = made({})
    env.step(kind(3))
    assert env.observe("player_0")["observation"][env.plane_names.index("fresh"), 0, 3] == 1


def test_tensors_are_taken_like_arrays():
    torch = pytest.importorskip("torch")
    env = made({})
    before = fingerprint(env)
    for action in (torch.tensor(True), torch.ones(2, 2, dtype=torch.bool), torch.zeros(3, 3), torch.tensor(1.0)):
        with pytest.raises(IllegalActionError) as caught:
            env.step(action)
        assert "\n" not in str(caught.value)
        assert fingerprint(env) == before
    env.step(torch.tensor(3))
    assert env.observe("player_0")["observation"][env.plane_names.index("fresh"), 0, 3] == 1
