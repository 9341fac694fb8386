"""Drawn positions: parsing, printing, cell names, and one clear line for every kind of bad text."""

from __future__ import annotations

import random

import pytest

from bitblossom_env.core.diagram import cell_name, parse_cell, parse_diagram, position_diagram
from tests import provoke
from tests.painters import PAINTERS
from tests.reference.twin import Twin

DRAWN = """
.   a   b3+
A   a7  b*
.   .   B
"""


@pytest.mark.parametrize(
    ("cell", "name"), [((0, 0), "a1"), ((3, 2), "c4"), ((0, 25), "z1"), ((9, 26), "aa10"), ((31, 701), "zz32")]
)
def test_cell_names(cell, name):
    assert cell_name(*cell) == name
    assert parse_cell(name) == cell


def test_cell_names_round_trip():
    board = [(r, c) for r in range(40) for c in range(800)]
    assert [parse_cell(cell_name(r, c)) for r, c in board] == board
    assert len({cell_name(r, c) for r, c in board}) == len(board)


@pytest.mark.parametrize("text", ["", "a", "1", "a0", "a01", "A1", "1a", "a1 ", "-a1", "a-1", "a1b"])
def test_bad_cell_names(text):
    with pytest.raises(ValueError, match="allowed: column letters, then a row from 1"):
        parse_cell(text)


def test_cells_before_the_board_have_no_name():
    with pytest.raises(ValueError, match="has no name"):
        cell_name(-1, 0)


def test_parse_names_every_kind_of_piece():
    position = parse_diagram(DRAWN, turn=9, to_move=1, passes=0)
    assert position == {
        "rows": 3,
        "cols": 3,
        "players": 2,
        "turn": 9,
        "to_move": 1,
        "turns_taken": [5, 4],
        "passes": 0,
        "retractions": 0,
        "pieces": [
            [0, 1, 0, 0, False, False],
            [0, 2, 1, 3, False, False],
            [0, 2, 1, 9, False, True],
            [1, 0, 0, -1, True, False],
            [1, 1, 0, 7, False, False],
            [1, 2, 1, 9, False, False],
            [2, 2, 1, -1, True, False],
        ],
        "rules": {},
    }
    assert position_diagram(position) == DRAWN.strip("\n")


def test_defaults():
    position = parse_diagram("A . C\n. . .\nB . .")
    assert (position["turn"], position["to_move"], position["turns_taken"]) == (3, 0, [1, 1, 1])


def test_fields_are_taken_over():
    position = parse_diagram("A . B", turns_taken=[4, 1], passes=1, retractions=2, rules={"cuts": False})
    assert position["turns_taken"] == [4, 1]
    assert (position["passes"], position["retractions"], position["rules"]) == (1, 2, {"cuts": False})


@pytest.mark.parametrize("num_seats", [2, 3, 8])
def test_default_turns_taken_are_those_of_seat_order(num_seats):
    bases = " ".join("A.B.C.D.E.F.G.H."[: 2 * num_seats])
    for turn in range(20):
        for to_move in range(num_seats):
            taken = [0] * num_seats
            for back in range(1, turn + 1):
                taken[(to_move - back) % num_seats] += 1
            assert parse_diagram(bases, turn=turn, to_move=to_move)["turns_taken"] == taken


@pytest.mark.parametrize("number", range(60))
def test_round_trip_of_painted_positions(number):
    rng = random.Random(number)
    position = provoke.random_position(rng, provoke.random_arguments(rng), rng.choices(PAINTERS, k=2))
    twin = Twin.from_position(position)
    for _ in range(8):
        fields = {name: position[name] for name in ("turns_taken", "passes", "retractions", "rules")}
        drawn = parse_diagram(position_diagram(position), turn=position["turn"], to_move=position["to_move"], **fields)
        assert drawn == position
        if twin.is_over:
            break
        twin.apply(rng.choice(sorted(twin.legal_actions())))
        position = twin.to_position()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "diagram is empty"),
        ("A .\nB", "row 2 has 1 tokens; allowed: 2"),
        ("A x B", "token 'x' at b1 is unknown"),
        ("A a** B", r"token 'a\*\*' at b1"),
        ("A a-1 B", "token 'a-1' at b1"),
        ("A + B", r"token '\+' at b1"),
        ("A B2 C", "token 'B2' at b1"),
        ("A i B", "token 'i' at b1"),
        ("a . .", "home bases none"),
        ("A . A", "home bases A A"),
        ("A . C", "home bases A C"),
        ("A c B", "stone 'c' at b1 without a home base 'C'"),
    ],
)
def test_bad_diagrams(text, complaint):
    with pytest.raises(ValueError, match=complaint) as caught:
        parse_diagram(text)
    assert "allowed: " in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bad_fields():
    with pytest.raises(ValueError, match="field 'stamp' is unknown; allowed: turns_taken"):
        parse_diagram("A . B", stamp=3)
    with pytest.raises(ValueError, match=r"to_move=2 is no seat of this diagram; allowed: 0\.\.1"):
        parse_diagram("A . B", to_move=2)
