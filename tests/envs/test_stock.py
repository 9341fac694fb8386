"""PettingZoo's own tests, met by eliminations and revivals too, its registry and its converter."""

import warnings

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.conversions import aec_to_parallel, turn_based_aec_to_parallel

from bitblossom_env import bitblossom_v0
from bitblossom_env.core.game import make_setup
from bitblossom_env.envs.aec import GameAECEnv
from tests.envs.playing import SETUPS, has_ended, made, random_action

# PettingZoo's tests were written for observations that are one array, and make up an option.
KNOWN_WARNINGS = (
    r"Observation is not a NumPy array$",
    r"Observation space for each agent probably should be gymnasium\.spaces\.box or gymnasium\.spaces\.discrete$",
    r"reset: option 'options' is unknown; ",
)
MAX_GAMES = 500  # until the rare things have been met


@pytest.fixture
def _no_new_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in KNOWN_WARNINGS:
            warnings.filterwarnings("ignore", message, UserWarning)
        yield


@pytest.mark.usefixtures("_no_new_warnings")
@pytest.mark.parametrize("arguments", SETUPS, ids=str)
def test_stock_tests(arguments):
    api_test(bitblossom_v0.env(**arguments), num_cycles=300)
    seed_test(lambda: bitblossom_v0.env(**arguments), num_cycles=50)


class WatchedEnv(GameAECEnv):
    """Counts the eliminations and revivals that its own steps bring about."""

    def __init__(self, arguments):
        super().__init__(make_setup("bitblossom", arguments), "watched_v0")
        self.falls = self.revivals = self.num_ended = 0

    def step(self, action):
        before, was_over = self.game.eliminated(), self.game.is_over
        super().step(action)
        pairs = list(zip(before, self.game.eliminated(), strict=True))
        self.falls += pairs.count((False, True))
        self.revivals += pairs.count((True, False))
        self.num_ended += self.game.is_over and not was_over
        assert was_over or self.agents == self.possible_agents, "nobody leaves before the end"


# Eight seats fall often, and come back now and then, where they sit as close together as the rules allow.
CROWDED = [(0, 0), (0, 2), (0, 4), (2, 0), (2, 4), (4, 0), (4, 2), (4, 4)]


@pytest.mark.usefixtures("_no_new_warnings")
@pytest.mark.parametrize(
    ("arguments", "num_revivals"),
    [
        ({"num_players": 2, "board_size": 7}, 0),
        ({"num_players": 3, "board_size": 5}, 1),
        ({"num_players": 4, "board_size": 5}, 1),
        ({"num_players": 8, "board_size": 5, "home_bases": CROWDED}, 1),
    ],
    ids=["2", "3", "4", "8"],
)
def test_api_test_meets_eliminations_and_revivals(arguments, num_revivals):
    env = WatchedEnv(arguments)
    for seed in range(MAX_GAMES):
        env.action_space("player_0").seed(seed)
        api_test(env, num_cycles=2000)
        if env.falls and env.revivals >= num_revivals:
            break
    assert env.num_ended > 0
    assert env.falls > 0
    assert env.revivals >= num_revivals


def test_found_by_pettingzoo_and_not_parallelizable():
    env = pettingzoo.make("aec", "bitblossom_v0", num_players=3)
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    assert env.metadata["name"] == "bitblossom_v0"
    assert env.metadata["is_parallelizable"] is False
    assert env.unwrapped is env
    with pytest.raises(AssertionError, match="not generally safe"):
        aec_to_parallel(env)


@pytest.mark.parametrize("arguments", SETUPS[1:4], ids=str)
def test_the_turn_based_converter_plays_the_same_game(arguments):
    parallel, alone = turn_based_aec_to_parallel(bitblossom_v0.env(**arguments)), made(arguments, seed=4)
    observations, infos = parallel.reset(seed=4)
    assert set(observations) == set(infos) == set(alone.agents)
    rng = np.random.default_rng(4)
    while not has_ended(alone):
        action = random_action(alone, rng)
        actions = dict.fromkeys(alone.agents, None) | {alone.agent_selection: action}
        alone.step(action)
        observations, rewards, terminations, truncations, _ = parallel.step(actions)
        for agent in alone.agents:
            for key, value in alone.observe(agent).items():
                assert np.array_equal(observations[agent][key], value)
        assert (rewards, terminations, truncations) == (alone.rewards, alone.terminations, alone.truncations)
    assert parallel.agents == []
