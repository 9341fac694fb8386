"""Aronda as a `Game` and in a batch: what they promise, in lockstep with the slow twin."""

import json
import random
import re

import numpy as np
import pytest

import bitblossom_env  # noqa: F401 - registers the games
from bitblossom_env.aronda.board import NAMES
from bitblossom_env.aronda.game import ArondaGame
from bitblossom_env.aronda.observation import PLANE_NAMES
from bitblossom_env.core.batch import ALL_LEGAL, Views
from bitblossom_env.core.game import ArgumentError, IllegalActionError, PositionError, make_setup
from bitblossom_env.core.record import record_of, replay
from bitblossom_env.core.rollout import random_action, random_start
from tests.aronda.games import captures_text, recorded_games, stuck_mover
from tests.aronda.lockstep import compare
from tests.reference.aronda import ArondaTwin
from tests.reference.aronda_board import FIELDS


def new_game(**rules):
    return make_setup("aronda", rules).new_game(np.random.default_rng(0))


@pytest.mark.parametrize("seed", range(12))
def test_games_are_those_of_the_twin(seed):
    rules = {"blockade": seed % 3 > 0, "stop_at_majority": seed % 4 == 3}
    rng, twin, game = random.Random(seed), ArondaTwin(**rules), new_game(**rules)
    compare(game, twin)
    while not twin.is_over:
        field = rng.choice(twin.legal())
        waves = twin.place(field)
        game.apply(FIELDS.index(field))
        compare(game, twin)
        signs = "".join(sign if sign == "x" else sign + name for wave in waves for sign, name in wave)
        assert game.describe_played(FIELDS.index(field)) == field + signs
    assert game.returns().tolist() == [1 if seat in twin.winners else -1 for seat in (0, 1)]


def test_captures_of_recorded_games():
    for record in recorded_games()[:20]:
        game, twin = new_game(), ArondaTwin()
        for stone in record["stones"]:
            game.apply(FIELDS.index(stone["f"]))
            assert captures_text(twin.place(stone["f"])) == stone.get("cap", [])
            assert (game.describe_played(FIELDS.index(stone["f"])) != stone["f"]) == ("cap" in stone)


def test_a_batch_plays_the_same_games():
    setup, rng = make_setup("aronda"), np.random.default_rng(3)
    batch, views = setup.new_batch(16), Views.allocate(setup, 16)
    games = [random_start(setup, rng, k) for k in range(16)]
    for index, game in enumerate(games):
        batch.start(index, game)
    batch.look(0, 16, views)
    for _ in range(120):
        actions = np.zeros(16, np.int64)
        for index, game in enumerate(games):
            assert views.masks[index].tolist() == game.legal_mask().tolist()
            assert views.planes[index].tolist() == game.observe(game.to_move).tolist()
            assert (views.to_move[index], views.is_over[index]) == (game.to_move, game.is_over)
            if not game.is_over:
                actions[index] = random_action(game, rng)
                game.apply(int(actions[index]))
        assert batch.advance(actions, 0, 16, views) == ALL_LEGAL
    assert all(game.is_over for game in games)
    assert [batch.outcome(k).winners for k in range(16)] == [game.outcome.winners for game in games]


def test_an_illegal_stone_moves_no_game_of_a_batch():
    setup = make_setup("aronda")
    batch, views = setup.new_batch(2), Views.allocate(setup, 2)
    for index in range(2):
        batch.start(index, new_game())
    assert batch.advance(np.array([17, 0]), 0, 2, views) == 1
    assert batch.game(0).hash() == new_game().hash()


@pytest.mark.parametrize("action", [0, 16, -1, 25, 2**70, 17.0, "o1", None, True, np.array([17, 18])])
def test_what_is_no_legal_stone_is_refused_and_changes_nothing(action):
    game = new_game()
    before = game.hash()
    with pytest.raises(IllegalActionError, match="is illegal for seat 0 in turn 0; allowed: the 8 actions of"):
        game.apply(action)
    assert game.hash() == before


def test_a_stone_after_the_end_is_refused():
    game, rng = new_game(), np.random.default_rng(0)
    while not game.is_over:
        game.apply(random_action(game, rng))
    with pytest.raises(IllegalActionError, match="the game is over"):
        game.apply(0)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"blockade": 1}, "blockade=1 is not allowed; allowed: True or False"),
        ({"starting_player": "player_2"}, "starting_player='player_2' is not allowed; allowed: 'player_0'"),
        ({"reward": "rank"}, "reward='rank' is not allowed; allowed: 'win', 'area'"),
        ({"board_size": 9}, "board_size is no argument of Aronda; allowed: blockade"),
    ],
)
def test_arguments_that_are_not_allowed_are_named(rules, message):
    with pytest.raises(ArgumentError, match=message):
        make_setup("aronda", rules)


def test_who_begins():
    assert new_game(starting_player="player_1").to_move == 1
    setup = make_setup("aronda", {"starting_player": "random"})
    rng = np.random.default_rng(0)
    assert {setup.new_game(rng).to_move for _ in range(20)} == {0, 1}
    assert make_setup("aronda").new_game(rng, 1).to_move == 1


def test_records_replay():
    setup, rng = make_setup("aronda"), np.random.default_rng(1)
    game, actions = setup.new_game(rng), []
    start = game.clone()
    while not game.is_over:
        actions.append(random_action(game, rng))
        game.apply(actions[-1])
    record = record_of(game, start, actions)
    assert replay(json.loads(json.dumps(record))).hash() == game.hash()
    assert record["turns"][0].startswith("0 seat 0: o")
    assert any(re.search(r" [imo]\dx(\+[cimo]\d)+", line) for line in record["turns"])


def test_the_order_of_the_stones_of_a_turn_does_not_enter_the_hash():
    one, other = new_game(), new_game()
    for game, fields in ((one, ("o1", "o3", "o4")), (other, ("o1", "o4", "o3"))):
        for field in fields:
            game.apply(NAMES.index(field))
    assert one.hash() == other.hash() != new_game().hash()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"turn": -1}, "turn=-1 is not allowed"),
        ({"stones_left": 2}, "stones_left=2 is not that of this moment of a turn"),
        ({"fields": {"x9": "0"}}, "fields is not allowed"),
        ({"fields": {"o2": "2.0"}}, "field o2='2.0' is not allowed"),
        ({"fields": {"o1": "0", "o3": "0"}}, "field o2 would have been taken from outside"),
        ({"rules": {"gravity": True}}, "rules={'gravity': True} is not allowed; allowed: blockade"),
        ({"rules": {"blockade": 3}}, "blockade=3 is not allowed"),
        ({"colour": 1}, "field 'colour' is unknown"),
    ],
)
def test_positions_that_no_game_comes_to_are_refused(change, message):
    with pytest.raises(PositionError, match=message):
        ArondaGame.from_position({**new_game().to_position(), **change})


def test_the_stuck_mover_is_passed_over():
    game = new_game()
    for _, field in stuck_mover()["stones"]:
        game.apply(NAMES.index(field))
    assert (game.to_move, game.stones_left) == (0, 2)
    compare_legal = [NAMES[k] for k in np.flatnonzero(game.legal_mask())]
    assert compare_legal == stuck_mover()["legal"]["B"]


def test_planes_are_named():
    assert PLANE_NAMES[:4] == ("stones/0", "stones/1", "owned/0", "owned/1")
    assert make_setup("aronda").board_shape == (25,)
