"""The PettingZoo environment: life cycle, masks, observations, copies, seeds and errors (contract 2.1 to 2.6)."""

import copy
import json
import pickle
import random
import warnings

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test

from bitblossom_env import bitblossom_v0
from bitblossom_env.core.game import ArgumentError, GameOverError, IllegalActionError, PositionError
from bitblossom_env.core.record import RecordError

SETUPS = [
    {},
    {"num_players": 2, "board_size": 3, "home_bases": [(0, 0), (2, 2)]},
    {"num_players": 3, "board_size": (5, 8), "home_bases": "random"},
    {"num_players": 4, "board_size": 7, "max_retractions_per_turn": None, "opening_rule": "none"},
    {"num_players": 5, "board_size": (11, 9), "bonus_cap": 1, "first_turn_placements": 1},
    {"num_players": 8, "board_size": 11, "reward": "rank", "placements_per_turn": 5},
    {"num_players": 3, "board_size": 6, "reward": "area", "max_turns": 9, "extra_planes": ("sea", "placeable")},
]


def made(arguments, seed=0, **options):
    env = bitblossom_v0.env(**arguments)
    env.reset(seed=seed, options=options or None)
    return env


def random_action(env, rng):
    mask = env.infos[env.agent_selection]["action_mask"]
    end_turn = mask.size - 1
    legal = np.flatnonzero(mask)
    # Ending the turn as often as any cell makes games long; one action in four does.
    return int(end_turn if rng.random() < 0.25 else rng.choice(legal))


def play(env, rng, num_actions=10**9):
    for _ in range(num_actions):
        if any(env.terminations.values()) or any(env.truncations.values()):
            return
        env.step(random_action(env, rng))


def fingerprint(env):
    return env.game.hash(), env.agent_selection, dict(env.rewards), dict(env.terminations), dict(env.truncations)


@pytest.mark.parametrize("arguments", SETUPS, ids=str)
def test_stock_tests(arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a Dict observation, and the option that api_test makes up
        api_test(bitblossom_v0.env(**arguments), num_cycles=300)
        seed_test(lambda: bitblossom_v0.env(**arguments), num_cycles=50)


def seats_that_fall(env, rng):
    """Plays one game; returns how many eliminations and revivals it saw, checking that no seat ever leaves."""
    falls = revivals = 0
    before = env.game.eliminated()
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        env.step(random_action(env, rng))
        now = env.game.eliminated()
        falls += sum(new and not old for new, old in zip(now, before, strict=True))
        revivals += sum(old and not new for new, old in zip(now, before, strict=True))
        before = now
        assert env.agents == env.possible_agents
    return falls, revivals


@pytest.mark.parametrize(("num_players", "board_size"), [(2, 7), (3, 5), (4, 5), (8, 7)])
def test_api_holds_through_eliminations_and_revivals(num_players, board_size):
    bases = "random" if num_players == 8 else "default"
    env = bitblossom_v0.env(num_players=num_players, board_size=board_size, home_bases=bases)
    rng = np.random.default_rng(num_players)
    falls = revivals = 0
    for seed in range(2000):
        env.reset(seed=seed)
        new_falls, new_revivals = seats_that_fall(env, rng)
        falls, revivals = falls + new_falls, revivals + new_revivals
        drain(env)
        if falls and (revivals or num_players == 2):
            break
    assert falls > 0
    assert revivals > 0 or num_players == 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        api_test(env, num_cycles=500)


def drain(env):
    """Takes the terminal step of every seat; returns the rewards that `last` told each."""
    paid = {}
    while env.agents:
        agent = env.agent_selection
        assert agent not in paid, "exactly one terminal last() per seat"
        _, paid[agent], terminated, truncated, info = env.last()
        assert terminated != truncated
        assert set(info["outcome"]) == {"reason", "winners", "areas", "ranks", "owner", "truncated"}
        env.step(None)
    return paid


@pytest.mark.parametrize("arguments", SETUPS, ids=str)
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


def test_after_the_end_step_warns_and_the_rest_names_reset():
    env = made({"board_size": 5})
    play(env, np.random.default_rng(0))
    ended = fingerprint(env)
    with pytest.warns(UserWarning, match="reset"):
        env.step(0)
    assert fingerprint(env) == ended
    drain(env)
    with pytest.warns(UserWarning, match="reset"):
        env.step(0)
    for call in (env.last, lambda: env.observe("player_0"), env.state):
        with pytest.raises(GameOverError, match=r"reset\(\)"):
            call()
    env.reset(seed=3)
    assert env.agents == env.possible_agents
    assert env.agent_selection == "player_0"


@pytest.mark.parametrize("arguments", SETUPS[1:5], ids=str)
def test_the_mask_is_exactly_what_step_accepts(arguments):
    env = made(arguments)
    rng = np.random.default_rng(2)
    for _ in range(40):
        if any(env.terminations.values()) or any(env.truncations.values()):
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


def test_masks_suit_gymnasium_and_rest_for_seats_not_to_move():
    env = made({"num_players": 3})
    rng = np.random.default_rng(3)
    for _ in range(200):
        for agent in env.agents:
            mask = env.observe(agent)["action_mask"]
            assert mask.dtype == np.int8
            assert mask.shape == (env.action_space(agent).n,)
            assert np.array_equal(mask, env.infos[agent]["action_mask"])
            assert bool(mask[-1]) == mask.any() == (agent == env.agent_selection)
        env.action_space(agent).seed(0)
        assert mask.any() <= bool(mask[env.action_space(agent).sample(mask)])
        env.step(random_action(env, rng))
        if not env.agents or any(env.terminations.values()) or any(env.truncations.values()):
            env.reset()


@pytest.mark.parametrize("action", [-1, 163, 10**12, 3.0, "3", None, True, np.True_, np.float64(2), [3], np.array([3])])
def test_what_is_no_legal_action_is_refused_and_changes_nothing(action):
    env = made({})
    before = fingerprint(env)
    with pytest.raises(IllegalActionError):
        env.step(action)
    assert fingerprint(env) == before


@pytest.mark.parametrize("kind", [int, np.int8, np.int64, np.uint32, np.asarray])
def test_what_counts_like_an_integer_is_an_action(kind):
    env = made({})
    env.step(kind(3))
    assert env.observe("player_0")["observation"][env.plane_names.index("fresh"), 0, 3] == 1


@pytest.mark.parametrize("arguments", SETUPS, ids=str)
def test_observing_is_pure_and_within_the_spaces(arguments):
    env = made(arguments)
    rng = np.random.default_rng(4)
    spaces = {agent: env.observation_space(agent) for agent in env.possible_agents}
    assert len({id(space) for space in spaces.values()}) == 1
    for _ in range(60):
        if any(env.terminations.values()) or any(env.truncations.values()):
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
    assert not info["action_mask"].flags.writeable
    observation["observation"][:] = 7
    assert not np.array_equal(env.observe(env.agent_selection)["observation"], observation["observation"])


@pytest.mark.parametrize("arguments", SETUPS, ids=str)
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])  # noqa: S301 - ours
def test_copies_go_on_alike_and_apart(arguments, duplicate):
    env = made(arguments)
    rng = np.random.default_rng(6)
    play(env, rng, 7)
    twin = duplicate(env)
    for _ in range(50):
        assert fingerprint(twin) == fingerprint(env)
        for agent in env.agents:
            for key, value in env.observe(agent).items():
                assert np.array_equal(value, twin.observe(agent)[key])
        if any(env.terminations.values()) or any(env.truncations.values()):
            env.reset()
            twin.reset()
            continue
        action = random_action(env, rng)
        env.step(action)
        assert fingerprint(twin) != fingerprint(env)
        twin.step(action)


def test_a_clone_and_a_state_go_on_from_where_they_were_taken():
    env = made({"num_players": 3, "board_size": 6})
    play(env, np.random.default_rng(7), 11)
    game = env.game
    clone, state, value = game.clone(), game.get_state(), game.hash()
    clone.apply(clone.setup.end_turn)
    assert game.hash() == value != clone.hash()
    clone.set_state(state)
    assert clone.hash() == value
    assert np.array_equal(clone.legal_mask(), game.legal_mask())
    with pytest.raises(ValueError, match="rules"):
        clone.set_state(made({}).game.get_state())


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


def test_two_sizes_live_side_by_side():
    small, large = made({"board_size": 5}), made({"board_size": (13, 5), "num_players": 3})
    alone = made({"board_size": 5})
    generators = [np.random.default_rng(8) for _ in range(3)]
    for _ in range(30):
        for env, rng in zip((small, large, alone), generators, strict=True):
            play(env, rng, 1)
        assert small.game.hash() == alone.game.hash()
        assert large.state().shape == (33, 13, 5)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"board_size": 2}, ["board_size", "2", "3..32"]),
        ({"board_size": (9, 33)}, ["board_size", "33", "3..32"]),
        ({"board_size": (9, 9, 9)}, ["board_size", "rows, cols"]),
        ({"num_players": 9}, ["num_players", "9", "2..8"]),
        ({"num_players": 1}, ["num_players", "1", "2..8"]),
        ({"num_players": True}, ["num_players", "True"]),
        ({"num_players": 8, "board_size": 5}, ["home_bases", "5x5"]),
        ({"home_bases": [(1, 1), (2, 2)]}, ["home_bases", "(1, 1)", "distance"]),
        ({"home_bases": [(1, 1), (1, 1)]}, ["home_bases", "distance"]),
        ({"home_bases": [(1, 1)]}, ["home_bases", "2 cells"]),
        ({"home_bases": [(1, 1), (9, 9)]}, ["home_bases", "9x9"]),
        ({"home_bases": "corner"}, ["home_bases", "corner", "random"]),
        ({"home_bases": "random", "num_players": 5, "board_size": 4}, ["home_bases", "random", "4x4"]),
        ({"placements_per_turn": 0}, ["placements_per_turn", "0"]),
        ({"first_turn_placements": -1}, ["first_turn_placements", "-1"]),
        ({"max_retractions_per_turn": -1}, ["max_retractions_per_turn", "-1"]),
        ({"bonus_cap": 1.5}, ["bonus_cap", "1.5"]),
        ({"opening_rule": "pie"}, ["opening_rule", "pie", "base-neighbourhood"]),
        ({"max_turns": 0}, ["max_turns", "0"]),
        ({"max_turns": "none"}, ["max_turns", "auto"]),
        ({"cuts": 1}, ["cuts", "1", "True or False"]),
        ({"reward": "score"}, ["reward", "score", "win"]),
        ({"extra_planes": ("safety",)}, ["extra_planes", "safety", "sea"]),
        ({"render_mode": "paper"}, ["render_mode", "paper", "ansi"]),
    ],
)
def test_bad_arguments_are_named_in_one_line(arguments, words):
    with pytest.raises(ArgumentError) as caught:
        bitblossom_v0.env(**arguments)
    message = str(caught.value)
    assert "\n" not in message
    assert all(word in message for word in words), message


def test_reset_options():
    env = made({"num_players": 3, "board_size": 6})
    with pytest.warns(UserWarning, match="'x' is unknown"):
        env.reset(seed=0, options={"x": 1})
    env.reset(options={"starting_player": 2})
    assert env.agent_selection == "player_2"
    env.reset(seed=1, options={"random_turns": 4})
    assert env.game.turn == 4
    position = env.game.to_position()
    other = made({"num_players": 3, "board_size": 6})
    other.reset(options={"state": json.loads(json.dumps(position))})
    assert other.game.hash() == env.game.hash()
    for name, value in (("random_turns", -1), ("starting_player", 3), ("random_turns", 1.5), ("starting_player", True)):
        with pytest.raises(ArgumentError, match=name):
            env.reset(options={name: value})


def test_a_record_replays_to_the_same_hash_or_names_the_turn():
    env = made({"board_size": 5, "home_bases": "random"})
    play(env, np.random.default_rng(9), 25)
    record = json.loads(json.dumps(env.record()))
    other = made({"board_size": 5, "home_bases": "random"}, seed=99)
    other.reset(options={"record": record})
    assert other.game.hash() == env.game.hash()
    assert record["turns"][0].startswith("0 seat 0: ")
    forged = {**record, "hashes": [record["hashes"][0], "0" * 16, *record["hashes"][2:]]}
    with pytest.raises(RecordError, match="turn 1 "):
        other.reset(options={"record": forged})
    with pytest.raises(RecordError, match="turn 0"):
        other.reset(options={"record": {**record, "actions": [49, *record["actions"]]}})
    with pytest.raises(RecordError, match="version"):
        other.reset(options={"record": {**record, "version": 2}})
    assert other.game.hash() == env.game.hash()


def test_broken_positions_are_refused_by_name():
    env = made({"board_size": 5})
    play(env, np.random.default_rng(10), 12)
    position = env.game.to_position()
    for change, word in (
        ({"pieces": [*position["pieces"], [9, 9, 0, 0, False, False]]}, "piece-off-board"),
        ({"pieces": [*position["pieces"], position["pieces"][1]]}, "cell-shared"),
        ({"pieces": []}, "base-not-one-per-seat"),
        ({"turn": 0}, "stamp-out-of-range"),
        ({"to_move": 7}, "to-move-unknown"),
        ({"rows": 6}, "6x5"),
        ({"turn": "3"}, "turn='3'"),
        ({"rules": {"cuts": False}}, "cuts"),
    ):
        with pytest.raises(PositionError, match=word):
            env.reset(options={"state": {**position, **change}})
    assert env.game.to_position() == position


def test_found_by_pettingzoo_and_not_parallelizable():
    env = pettingzoo.make("aec", "bitblossom_v0", num_players=3)
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    assert env.metadata["name"] == "bitblossom_v0"
    assert env.metadata["is_parallelizable"] is False
    assert env.unwrapped is env


def test_ansi_shows_the_board_and_close_may_be_called_twice():
    env = bitblossom_v0.env(board_size=5, render_mode="ansi")
    env.reset(seed=0)
    env.step(0)
    lines = env.render().splitlines()
    assert lines[0] == "turn 0, player_0 to move"
    assert lines[2].split() == ["1", "a*", ".", ".", ".", "."]
    env.close()
    env.close()
    with pytest.warns(UserWarning, match="render_mode"):
        assert made({}).render() is None
