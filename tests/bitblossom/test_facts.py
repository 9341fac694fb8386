"""The facts about territory, each drawn and played on the twin and on the engine."""

from __future__ import annotations

import pytest

from tests.bitblossom.adapter import cells

WORKED_8X8 = """
. . . .  . . . .
. . . .  . . . .
. . . .  . . . .
. . . A  . . . .
. . . .  . . . .
. . . .  . . . .
. . . .  . . B .
. . . .  . . . .
"""
COLUMN_D = "d1 d2 d3 d5 d6 d7 d8"
ROW_4 = "e4 f4 g4 h4"
LEFT, TOP_RIGHT, BOTTOM_RIGHT = cells("a1-c8"), cells("e1-h3"), cells("e5-h8")

POCKET = """
. . a . . . . .
. . a . . . . .
a a . . . . . .
. . . . . . . .
. . . . A . . .
. . . . . . . .
. . . . . . B .
. . . . . . . .
"""


@pytest.mark.parametrize(
    ("victim", "closing"),
    [("a1", "b1 a2"), ("d1", "c1 e1 d2"), ("e3", "d3 f3 e2 e4")],
    ids=["corner", "edge", "inside"],
)
@pytest.mark.parametrize("ring", [True, False], ids=["ring on", "ring off"])
def test_liberty_ladder(rules_engine, victim, closing, ring):
    board = [["."] * 7 for _ in range(6)]
    board[5][1], board[5][6] = "A", "B"
    board[int(victim[1]) - 1]["abcdefg".index(victim[0])] = "b"
    text = "\n".join(" ".join(row) for row in board)
    game = rules_engine(text, rules={"placements_per_turn": 4, "ring_orthogonal": ring})
    *first, last = closing.split()
    assert game.play(" ".join(first)).doomed() == set()
    assert game.play(last).doomed() == {victim}
    assert victim not in game.play("end").stones(1)


def test_closing_order_in_two_turns(rules_engine):
    game = rules_engine(WORKED_8X8, rules={"placements_per_turn": 7})
    game.play(COLUMN_D)
    assert game.territory(0) == LEFT  # 24 of 24 + 32
    game.play("end end").play(ROW_4)
    assert game.territory(0) == LEFT | TOP_RIGHT  # sea 16, territory 24 + 12
    assert game.play("end").territory(0) == LEFT | TOP_RIGHT


def test_closing_order_in_one_turn(rules_engine):
    game = rules_engine(WORKED_8X8, rules={"placements_per_turn": 11})
    game.play(COLUMN_D).play(ROW_4)
    assert game.territory(0) == TOP_RIGHT | BOTTOM_RIGHT  # sea 24, territory 12 + 16


def test_later_subdivision_never_releases_standing_territory(rules_engine):
    game = rules_engine(
        """
        . . a . . a . . .
        . . a . . a . . .
        . . a . . a . . .
        . . A . . . . . B
        . . a . . a . . .
        """,
        rules={"placements_per_turn": 3},
    )
    before = game.territory(0)
    assert before == cells("a1-b5")
    game.play("f4")  # what is left of the sea, 15, is divided into 10 and 15: both parts larger than 8
    assert game.territory(0) == before | cells("d1-e5")


def test_building_on_a_cell_takes_it_out_of_territory(rules_engine):
    game = rules_engine(POCKET)
    assert game.territory(0) == cells("a1-b2")
    assert game.play("a1").territory(0) == cells("b1 a2 b2")
    assert game.play("end").territory(0) == cells("b1 a2 b2")


def test_a_distant_lost_stone_releases_territory(rules_engine):
    """Without g6 the part under row 6 joins row 5, is the sea of turn 0, and a1-c7 is not; then row 4 divides it."""
    game = rules_engine(
        """
        .  . . a . .  .  .
        .  . . a . .  .  .
        .  . . a . .  .  .
        .  . . A a3 a3 a3 a3
        .  . . a . .  .  b
        .  B . a a a  a  a
        .  . . a a b  .  b
        """,
        turn=6,
        to_move=1,
    )
    upper = cells("e1-h3")
    assert upper <= game.territory(0)
    assert game.play("f5").doomed() == {"g6"}  # no neighbour of the upper part
    game.play("end")
    assert game.territory(0) == cells("a1-c7 e5-h5 f7-h7 g6")
    assert not upper & game.territory(0)


BREACHED_8X8 = """
b . . a  .  .  .  .
. . . a  .  .  .  .
. . . a  .  .  .  .
. . . A  a2 a2 a2 a2
. . . a  .  .  .  .
. . . a  .  .  .  .
. . . a  .  .  B  .
. . . a  .  .  .  b
"""


def test_breach_releases_and_repair_recaptures_all_but_a_largest_part(rules_engine):
    game = rules_engine(BREACHED_8X8, turn=5, to_move=1)
    assert game.territory(0) == LEFT | TOP_RIGHT
    assert game.play("b8 c8 e8").doomed() == {"d8"}  # a cut: c8 and e8 pierce the wall's end
    game.play("end")
    assert game.territory(0) == TOP_RIGHT
    game.play("d8")
    assert game.territory(0) == BOTTOM_RIGHT | TOP_RIGHT  # the 24 is sea now, the former sea of 16 is not
    assert game.doomed() == {"h8", "e8"}  # the base g7 is none of them
    game.play("end")
    assert game.stones(1) == {"a1", "b8", "c8", "g7"}
    assert game.eliminated() == [1]


def test_repair_captures_all_inside(rules_engine):
    game = rules_engine(POCKET.replace(". . a . . . . .", "b . a . . . . .", 1), to_move=1)
    game.play("b2 d2 e2")
    assert game.doomed() == {"c2"}
    game.play("end")
    assert game.territory(0) == set()
    assert game.play("c2").doomed() == {"a1", "b2"}
    assert game.play("end").stones(1) == {"d2", "e2", "g7"}


def test_playing_inside_standing_territory_is_safe(rules_engine):
    game = rules_engine(POCKET, to_move=1).play("a1 b2 end")
    assert game.stones(1) == {"a1", "b2", "g7"}
    assert game.doomed() == set()
    assert game.play("c3 d3").doomed() == set()  # a redundant stone on a finished wall captures nothing
    assert game.play("end end end").stones(1) == {"a1", "b2", "g7"}


def test_redundant_stone_captures_in_a_tied_sea(rules_engine):
    game = rules_engine(
        """
        b . . . . . .
        . . . . . . .
        . . A . . . B
        . . . . . . .
        b . a . a . .
        """,
        rules={"placements_per_turn": 8},
    )
    game.play("c1 c2 c4 e1 e2 e3 e4")
    assert game.territory(0) == cells("d1-d5")  # left and right are tied, 10 each
    assert game.play("b1").doomed() == {"a1", "a5"}
    assert game.territory(0) == cells("a1-b5 d1-d5") - {"b1"}


def test_redundant_stone_captures_in_a_standing_tied_sea(rules_engine):
    game = rules_engine(
        """
        b . a . a . .
        . . a . a . .
        . . A . a . B
        . . a . a . .
        b . a . a . .
        """
    )
    assert game.play("b1").doomed() == {"a1", "a5"}


WHOLE_RIM = """
A . a a a a
a . . b . a
a . . . . a
a b . B . a
a . . . . a
a a a a a a
"""


def test_owning_the_whole_rim_makes_everything_territory(rules_engine):
    game = rules_engine(WHOLE_RIM)
    assert game.territory(0) == set()
    game.play("b1")
    assert game.territory(0) == cells("b2-e5")
    assert game.doomed() == {"d2", "b4"}
    assert game.play("end").end().reason == "last_survivor"


def test_a_region_without_a_rim_cell_is_territory_however_large(rules_engine):
    game = rules_engine(
        """
        . . . . . .
        . . . . . .
        A . . B . .
        . . . b . .
        . . . . . .
        . . . . . .
        """,
        rules={"placements_per_turn": 15},
    )
    game.play("b1 c1 d1 e1 a2 f2 f3 a4 f4 a5 f5 b6 c6 d6 e6")
    assert game.territory(0) == cells("b2-e5")  # 16 cells; the sea is the four corners
    assert game.doomed() == {"d4"}
    assert game.play("end").eliminated() == [1]


def test_diamond_of_eight_seals_five_cells(rules_engine):
    game = rules_engine(
        """
        A . . . . . .
        . . . a . . .
        . . a b a . .
        . a . . b a .
        . . a . a . .
        . . . . . . .
        . . . . . . B
        """
    )
    assert game.territory(0) == set()
    game.play("d6")
    assert game.territory(0) == cells("d3 c4-e4 d5")
    assert game.doomed() == {"d3", "e4"}
