"""Before the first reset, the end, after the end, and that every game comes to it."""

import copy

import numpy as np
import pytest

from bitblossom_env import bitblossom_v0
from bitblossom_env.core.game import GameOverError
from tests.envs.playing import OTHER_GAME, SETUPS, drain, fingerprint, has_ended, made, play, random_action

# Small boards with every reward, several limits and every way to end; some are played a round of passes first.
SMALL = [
    {"board_size": 3, "home_bases": [(0, 0), (2, 2)]},
    {"num_players": 3, "board_size": (4, 5), "home_bases": "random", "reward": "rank", "end_on_all_pass": False},
    {"num_players": 4, "board_size": 5, "max_retractions_per_turn": None, "max_turns": 30},
    {"num_players": 2, "board_size": 5, "reward": "area", "placements_per_turn": 5, "opening_rule": "none"},
    {"num_players": 3, "board_size": (3, 7), "home_bases": [(0, 0), (2, 3), (0, 6)], "bonus_cap": 1, "max_turns": None},
]


def test_before_the_first_reset_nothing_is_there_and_reset_is_named():
    for env in (bitblossom_v0.env(), copy.deepcopy(bitblossom_v0.env())):
        assert env.agents == []
        assert env.rewards == env.terminations == env.truncations == env.infos == {}
        with pytest.warns(UserWarning, match=r"reset\(\)"):
            env.step(0)
        for call in (env.last, lambda: env.observe("player_0"), env.state, env.record, lambda: env.game):  # noqa: B023
            with pytest.raises(GameOverError, match=r"reset\(\)"):
                call()
        assert env.agents == []
        env.reset(seed=0)
        assert env.agents == env.possible_agents


@pytest.mark.parametrize("arguments", [*SETUPS, OTHER_GAME], ids=str)
def test_the_end_comes_for_all_seats_in_one_step_and_pays_each_once(arguments):
    env = made(arguments)
    rng = np.random.default_rng(1)
    for seed in range(5):
        env.reset(seed=seed)
        play(env, rng)
        flags = [(env.terminations[a], env.truncations[a]) for a in env.possible_agents]
        assert set(flags) in ({(True, False)}, {(False, True)})
        final = dict(env.rewards)
        assert sum(final.values()) == pytest.approx(0)
        assert list(final.values()) == pytest.approx(list(env.game.returns()))
        assert drain(env) == final
        assert env.agents == []


def finished_by_the_standard_loop(env, rng):
    """Plays the loop of PettingZoo's manual until it has drained all agents."""
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        assert agent == env.agent_selection
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if terminated or truncated else int(rng.choice(legal)))
    assert env.agents == []


@pytest.mark.parametrize("duplicate", [lambda env: env, copy.deepcopy], ids=["itself", "copy"])
def test_a_drained_game_is_still_told_of(duplicate):
    env = made({"board_size": 5, "render_mode": "ansi"})
    finished_by_the_standard_loop(env, np.random.default_rng(0))
    env = duplicate(env)
    game = env.unwrapped.game
    assert game.is_over
    assert game.outcome.reason
    assert sum(game.outcome.areas) <= 25
    assert np.array_equal(env.state(), game.observe(0))
    assert f"turn {game.turn}, over" in env.render()
    record = env.record()
    assert record["hash"] == f"{game.hash():016x}"
    assert len(record["turns"]) == game.turn


def test_after_the_end_step_warns_and_the_rest_names_reset():
    env = made({"board_size": 5})
    play(env, np.random.default_rng(0))
    ended = fingerprint(env)
    with pytest.warns(UserWarning, match=r"reset\(\)"):
        env.step(0)
    assert fingerprint(env) == ended
    drain(env)
    drained = fingerprint(env)
    for action in (0, None, 50):
        with pytest.warns(UserWarning, match=r"reset\(\)"):
            env.step(action)
        assert fingerprint(env) == drained
    for call in (env.last, lambda: env.observe("player_0")):
        with pytest.raises(GameOverError, match=r"reset\(\)"):
            call()
    env.reset(seed=3)
    assert env.agents == env.possible_agents
    assert env.agent_selection == "player_0"


@pytest.mark.parametrize("starting_player", [0, 2])
def test_fifty_drained_games_in_a_row_begin_in_full_order(starting_player):
    env = bitblossom_v0.env(num_players=3, board_size=4, home_bases=[(0, 0), (0, 3), (3, 1)], end_on_all_pass=False)
    rng = np.random.default_rng(5)
    reasons = set()
    for _ in range(50):
        env.reset(options={"starting_player": starting_player})
        assert env.agents == env.possible_agents == ["player_0", "player_1", "player_2"]
        for turn in range(6):
            assert env.agent_selection == f"player_{(starting_player + turn) % 3}"
            env.step(env.game.setup.end_turn)
        play(env, rng)
        reasons.add(env.game.outcome.reason)
        for agent in env.possible_agents:
            assert env.agent_selection == agent
            env.step(None)
    assert len(reasons) > 1


def play_games(num_games, seed):
    """Plays whole games over all small setups; checks that each ends by flags alone and says how it ended."""
    rng = np.random.default_rng(seed)
    reasons = set()
    envs = [bitblossom_v0.env(**arguments) for arguments in SMALL]
    for number in range(num_games):
        env = envs[number % len(envs)]
        env.reset(seed=seed + number)
        while not has_ended(env):
            assert not env.game.is_over
            assert not any(env.rewards.values())
            env.step(random_action(env, rng))
        assert env.game.is_over
        ended = env.truncations if env.game.outcome.truncated else env.terminations
        assert all(ended.values())
        assert sum(env.terminations.values()) + sum(env.truncations.values()) == len(env.agents)
        reasons.add(env.game.outcome.reason.value)
    return reasons


def test_every_random_game_ends_by_flags():
    assert play_games(200, seed=0) >= {"last_survivor", "full_board", "all_passed"}


@pytest.mark.slow
def test_ten_thousand_random_games_end_by_flags():
    assert play_games(10_000, seed=1000) >= {"last_survivor", "full_board", "all_passed", "turn_limit"}


def stubborn_action(env):
    """Retracts where the mask allows it, else places, and ends a turn only where nothing else is left."""
    mask, setup = env.observe(env.agent_selection)["action_mask"], env.game.setup
    for actions in (setup.retractions, setup.placements):
        allowed = [action for action in actions if mask[action]]
        if allowed:
            return allowed[-1]
    return setup.end_turn


@pytest.mark.parametrize("cap", [0, 1, 3])
def test_a_place_and_retract_loop_ends_within_its_bound(cap):
    env = made({"board_size": 5, "max_retractions_per_turn": cap, "cuts": False, "end_on_all_pass": False})
    retractions = env.game.setup.retractions
    actions_by_turn = {}
    while not has_ended(env):
        action = stubborn_action(env)
        actions_by_turn.setdefault(env.game.turn, []).append(action)
        env.step(action)
    assert len(actions_by_turn) <= 50
    for actions in actions_by_turn.values():
        assert sum(action in retractions for action in actions) <= cap
        # Without cuts no stone is refunded: three stay, every retraction costs one more placement, then the turn ends.
        assert len(actions) <= 3 + 2 * cap + 1
    assert len(actions_by_turn[0]) == 3 + 2 * cap + 1


def test_turns_of_nothing_but_retractions_end_at_the_turn_limit():
    env = made({"board_size": 5, "end_on_all_pass": False})
    num_actions = 0
    while not has_ended(env):
        for action in [4, 29] * 3 + [50]:  # e1, which no base is near
            env.step(action)
            num_actions += 1
    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}
    assert env.game.outcome.reason == "turn_limit"
    assert num_actions == 50 * 7
