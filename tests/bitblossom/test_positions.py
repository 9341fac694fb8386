"""Positions as JSON: each named invariant, each wrong form, and the setup that a position brings along."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from bitblossom_env.bitblossom import invariants
from bitblossom_env.core.diagram import parse_diagram
from bitblossom_env.core.game import PositionError, make_setup

# Before the first action of a turn of seat 0.
CALM = parse_diagram(
    """
    A . . . .
    . . . . .
    . a . b .
    . . . . .
    . . . . B
    """,
    rules={"max_retractions_per_turn": 3},
)
# In its middle: the corner stone is walled off, and an overlay lies on it.
BUSY = parse_diagram(
    """
    A  .  . . .
    .  .  . . .
    .  .  . . .
    a* .  . . .
    b+ a* . . B
    """,
    rules={"max_retractions_per_turn": 3},
)
SETUP = {"num_players": 2, "board_size": 5, "home_bases": [(0, 0), (4, 4)], "max_retractions_per_turn": 3}


def doors():
    """Both ways from a position to a game: under a setup, and by the rules that it brings along."""
    setup = make_setup("bitblossom", SETUP)
    return {"setup": setup.game_from_position, "game": type(setup.new_game(np.random.default_rng(0))).from_position}


@pytest.fixture(params=["setup", "game"])
def door(request):
    return doors()[request.param]


def changed(position, *, pieces=None, **fields):
    """The position with some fields and, by index, some pieces replaced; an index beyond the last one adds a piece."""
    changed_pieces = list(position["pieces"])
    for index, piece in (pieces or {}).items():
        changed_pieces[index : index + 1] = [] if piece is None else [piece]
    return {**position, "pieces": changed_pieces, **fields}


# What the positions hold, in reading order; the indices below count along it.
A_BASE, A_STONE, B_STONE, B_BASE = range(4)
FRESH_ABOVE, CORNER, OVERLAY, FRESH_BESIDE = range(1, 5)

BROKEN = [
    ("piece-off-board", changed(CALM, pieces={4: [5, 0, 0, 0, False, False]})),
    ("piece-off-board", changed(CALM, pieces={4: [0, -1, 0, 0, False, False]})),
    ("seat-unknown", changed(CALM, pieces={A_STONE: [2, 1, 2, 0, False, False]})),
    ("seat-unknown", changed(CALM, pieces={A_STONE: [2, 1, -1, 0, False, False]})),
    ("to-move-unknown", changed(CALM, to_move=2)),
    ("to-move-unknown", changed(CALM, to_move=-1)),
    ("turn-negative", changed(CALM, turn=-1)),
    ("cell-shared", changed(CALM, pieces={4: [2, 3, 0, 0, False, False]})),
    ("cell-shared", changed(CALM, pieces={4: [4, 4, 0, 0, False, False]})),
    ("cell-shared", changed(BUSY, pieces={6: [4, 0, 0, 2, False, True]})),
    ("base-not-one-per-seat", changed(CALM, pieces={B_BASE: None})),
    ("base-not-one-per-seat", changed(CALM, pieces={4: [0, 4, 1, -1, True, False]})),
    ("base-stamp", changed(CALM, pieces={A_STONE: [2, 1, 0, -1, False, False]})),
    ("base-stamp", changed(CALM, pieces={B_BASE: [4, 4, 1, 1, True, False]})),
    ("stamp-out-of-range", changed(CALM, pieces={B_STONE: [2, 3, 1, 3, False, False]})),
    ("stamp-out-of-range", changed(CALM, pieces={B_STONE: [2, 3, 1, -2, False, False]})),
    ("stamp-of-two-seats", changed(CALM, pieces={B_STONE: [2, 3, 1, 0, False, False]})),
    ("stamp-of-turn-not-movers", changed(CALM, pieces={B_STONE: [2, 3, 1, 2, False, False]})),
    ("overlay-not-of-turn", changed(BUSY, pieces={OVERLAY: [4, 0, 0, 0, False, True]})),
    ("overlay-not-on-enemy", changed(BUSY, pieces={OVERLAY: [2, 2, 0, 2, False, True]})),
    ("overlay-not-on-enemy", changed(BUSY, pieces={OVERLAY: [3, 0, 0, 2, False, True]})),
    ("overlay-not-on-enemy", changed(BUSY, pieces={OVERLAY: [4, 4, 0, 2, False, True]})),
    ("turn-unsound", changed(BUSY, pieces={FRESH_BESIDE: None})),
    ("turn-unsound", changed(BUSY, pieces={5: [2, 2, 0, 2, False, False], 6: BUSY["pieces"][5]})),
    ("turns-taken-not-one-per-seat", changed(CALM, turns_taken=[2])),
    ("turns-taken-not-one-per-seat", changed(CALM, turns_taken=[1, 1, 0])),
    ("count-out-of-range", changed(CALM, passes=-1)),
    ("count-out-of-range", changed(CALM, retractions=-1)),
    ("count-out-of-range", changed(CALM, retractions=4)),
]
# One fault cannot come alone: no piece is older than a turn before the first.
COMPANIONS = {"turn-negative": {"stamp-out-of-range", "stamp-of-turn-not-movers"}}


@pytest.mark.parametrize("position", [CALM, BUSY], ids=["calm", "busy"])
def test_the_positions_are_sound_before_they_are_broken(door, position):
    assert door(json.loads(json.dumps(position))).to_position()["pieces"] == position["pieces"]


@pytest.mark.parametrize(("name", "position"), BROKEN, ids=[f"{name} {i}" for i, (name, _) in enumerate(BROKEN)])
def test_a_broken_invariant_is_named_alone(door, name, position):
    with pytest.raises(PositionError) as caught:
        door(position)
    message = str(caught.value)
    assert "\n" not in message
    named = set(re.findall(r"[a-z]+(?:-[a-z]+)+", message))
    assert name in named
    assert named - COMPANIONS.get(name, set()) == {name}


def test_every_invariant_is_broken_above():
    listed = set(re.findall(r'"([a-z]+(?:-[a-z]+)+)":', Path(invariants.__file__).read_text(encoding="utf-8")))
    assert len(listed) >= 12
    assert listed | {"turn-unsound", "turns-taken-not-one-per-seat", "count-out-of-range"} == {n for n, _ in BROKEN}


WRONG_FORMS = [
    (None, "NoneType"),
    ([], "list"),
    ("position", "str"),
    ({}, "rows"),
    ({name: value for name, value in CALM.items() if name != "turn"}, "turn"),
    ({name: value for name, value in CALM.items() if name != "pieces"}, "pieces"),
    (changed(CALM, extra=1), "extra"),
    (changed(CALM, rows=2), "2"),
    (changed(CALM, rows=33, cols=33), "33"),
    (changed(CALM, rows=5.0), "rows"),
    (changed(CALM, rows="5"), "rows"),
    (changed(CALM, cols=True), "cols"),
    (changed(CALM, cols=None), "cols"),
    (changed(CALM, players=9), "9"),
    (changed(CALM, players=1), "1"),
    (changed(CALM, players=[2]), "players"),
    (changed(CALM, turn="2"), "turn"),
    (changed(CALM, turn=2**40), "turn"),
    (changed(CALM, to_move=0.0), "to_move"),
    (changed(CALM, passes=None), "passes"),
    (changed(CALM, retractions=[0]), "retractions"),
    (changed(CALM, turns_taken=2), "turns_taken"),
    (changed(CALM, turns_taken=["1", "1"]), "turns_taken"),
    (changed(CALM, turns_taken=[1, -1]), "turns_taken"),
    (changed(CALM, turns_taken={"0": 1}), "turns_taken"),
    ({**CALM, "pieces": None}, "pieces"),
    ({**CALM, "pieces": {"0": 1}}, "pieces"),
    (changed(CALM, pieces={A_STONE: [2, 1, 0, 0, False]}), "piece"),
    (changed(CALM, pieces={A_STONE: "stone"}), "piece"),
    (changed(CALM, pieces={A_STONE: None, 3: 7}), "piece"),
    (changed(CALM, pieces={A_STONE: [2, 1, 0, 0.5, False, False]}), "piece"),
    (changed(CALM, pieces={A_STONE: [2, 1, 0, 0, 2, False]}), "piece"),
    (changed(CALM, pieces={A_STONE: [2, 1, 0, 0, "no", False]}), "piece"),
    (changed(CALM, pieces={A_STONE: [2, 1, 0, 0, False, None]}), "piece"),
    (changed(CALM, pieces={A_STONE: [2, 1, 0, 0, np.zeros(2, bool), False]}), "piece"),
    (changed(CALM, pieces={A_STONE: [2, 1, 0, 0, False, np.zeros((3, 3), int)]}), "piece"),
    (changed(CALM, pieces={A_STONE: [np.zeros(2, int), 1, 0, 0, False, False]}), "piece"),
    (changed(CALM, rules=["cuts"]), "rules"),
    (changed(CALM, rules=None), "rules"),
    (changed(CALM, rules={"gravity": True}), "gravity"),
    (changed(CALM, rules={"cuts": 1}), "cuts"),
    (changed(CALM, rules={"max_turns": 0}), "max_turns"),
    (changed(CALM, rules={"reward": "first line\nsecond line"}), "reward"),
    (changed(CALM, rules={1: 2, "gravity": 3}), "rules"),
    ({**CALM, 5: 1}, "5"),
]


@pytest.mark.parametrize(("position", "word"), WRONG_FORMS, ids=[f"{w} {i}" for i, (_, w) in enumerate(WRONG_FORMS)])
def test_a_wrong_form_is_a_position_error_in_one_line(door, position, word):
    with pytest.raises(PositionError) as caught:
        door(position)
    message = str(caught.value)
    assert word in message
    assert "\n" not in message
    assert len(message) < 400


def test_rules_of_another_setup_are_refused_by_name():
    setup = make_setup("bitblossom", SETUP)
    for name, value in (("cuts", False), ("reward", "rank"), ("max_turns", None), ("bonus_cap", 2)):
        with pytest.raises(PositionError, match=name):
            setup.game_from_position({**CALM, "rules": {name: value}})
    assert setup.game_from_position({**CALM, "rules": {"max_turns": 50}}).turn == CALM["turn"]


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"num_players": 3, "board_size": (5, 8), "cuts": False, "reward": "rank"},
        {"num_players": 2, "board_size": (4, 9), "home_bases": [(3, 8), (0, 0)], "max_turns": 17},
        {"num_players": 4, "board_size": 7, "home_bases": [[0, 0], [6, 6], [0, 6], [3, 3]], "max_turns": None},
        {"num_players": 8, "board_size": 11, "bonus_cap": 2, "first_turn_placements": 0},
    ],
    ids=str,
)
def test_a_position_brings_an_equal_setup_along(arguments):
    setup = make_setup("bitblossom", arguments)
    game = setup.new_game(np.random.default_rng(0))
    for action in (*np.flatnonzero(game.legal_mask())[:2].tolist(), setup.end_turn):
        position = json.loads(json.dumps(game.to_position()))
        for again in (game.from_position(position), setup.game_from_position(position)):
            assert again.setup == setup
            assert hash(again.setup) == hash(setup)
            assert again.setup.rules() == setup.rules()
            assert again.hash() == game.hash()
            again.clone().set_state(game.get_state())
        game.apply(action)
