"""The known traps about what stands after a turn: overlays, lost stones, overlaps, revival, stamps."""

from __future__ import annotations

import pytest

from tests.bitblossom.adapter import cells

# Overlays enter the replay only after the turn

SAVING = """
a  .  .  .  .  .  .
a  b  .  a  a  .  a
a  .  .  A  .  b  .
a  B  .  a  a  .  .
a  .  .  a  .  .  .
"""


def test_an_overlay_saves_a_base(rules_engine):
    """Left 10, right 11 around f3: the left is walled off, base and all. A stone on f3 breaks up the right."""
    game = rules_engine(SAVING).play("d1 g4")
    assert game.doomed() == {"b2", "f3"}
    assert game.territory(0) == cells("b1-c5")
    game.play("f3")
    assert game.territory(0) == cells("b1-c5")  # the overlay is left out
    game.play("end")
    assert game.territory(0) == cells("e1-g1 f2 e3 g3 f4 e5-g5")  # the left is lost
    assert game.eliminated() == []
    assert game.stones(1) == {"b4"}  # b2 was captured all the same, by the division within the turn


def test_without_the_overlay_the_base_falls(rules_engine):
    game = rules_engine(SAVING).play("d1 g4 end")
    assert game.territory(0) == cells("b1-c5")
    assert game.eliminated() == [1]


def test_an_overlay_completes_a_wall_whose_inside_is_standing(rules_engine):
    game = rules_engine(
        """
        C a a a . . .
        . . b . . . .
        b a . . . . .
        a . . . . B .
        . . . . . . .
        . . A . . . .
        """
    )
    game.play("d3")
    assert game.doomed() == {"c2"}  # ringed by b1, d1, b3, d3
    game.play("c2")
    assert game.territory(0) == set()
    game.play("end")
    assert game.territory(0) == {"a1", "a2", "b2", "a3"} - game.stones(0)
    assert game.eliminated() == [2]
    assert "a3" in game.stones(1)
    game.play("end")  # seat 1 passes, seat 2 is skipped
    assert game.to_move() == 0
    assert game.play("c3 d2").doomed() == set()  # the inside is standing: never captured by it


# A lost stone can add territory elsewhere

FATEFUL = """
.  . . a . . . .
.  . . a . . . .
.  . . a . . . .
.  . . A . . . .
.  . . a . . . b
.  B . a a a a a
.  . . a a b . b
"""


def test_capturing_a_wall_stone_puts_the_own_base_into_territory(rules_engine):
    """a1-c7 was the greatest part, 21 to 20; without g6 the other one has 24 and the left is territory."""
    game = rules_engine(FATEFUL, to_move=1)
    assert game.territory(0) == cells("e1-h5 f7-h7")
    game.play("f5")
    assert game.doomed() == {"g6"}
    assert game.eliminated() == []
    game.play("end")
    assert game.territory(0) == cells("a1-c7")
    assert game.end().reason == "last_survivor"
    assert game.end().winners == (0,)


# Territories can overlap, eliminated players act again, stamps matter


def test_territories_of_two_players_overlap(rules_engine):
    game = rules_engine(
        """
        . b . . a . . .
        b . . . a . . .
        . . . . a . . .
        . . . . a . . .
        a a a a . . . .
        . . . . . . . .
        . . . . . A . .
        . . . . . . . B
        """
    )
    assert "a1" in game.territory(0) & game.territory(1)
    assert game.areas() == [8 + 1 + 13, 2 + 1]  # a1 counts for nobody


def test_an_eliminated_player_comes_back_and_acts(rules_engine):
    game = rules_engine(
        """
        B . a . . . .
        . . a . . . .
        a a . . . . .
        . . . . . . .
        . . . . . . C
        . . . . . . .
        . . A . . . .
        """,
        to_move=2,
    )
    assert game.eliminated() == [1]
    assert game.play("b2 d2 e2").doomed() == {"c2"}
    assert game.eliminated() == [1]  # within a turn it is the status of the turn before
    game.play("end")
    assert game.eliminated() == []
    assert game.to_move() == 0
    game.play("end")
    assert game.to_move() == 1
    assert game.play("a2 end").stones(1) == {"a1", "a2"}


@pytest.mark.parametrize(
    ("row", "column", "territory"),
    [
        ("a2", "a0", cells("a1-c8 e1-h3")),
        ("a0", "a2", cells("e1-h3 e5-h8")),
        ("a2", "a2", cells("e1-h3 e5-h8")),
    ],
    ids=["column first", "row first", "together"],
)
def test_boards_that_look_the_same_differ_by_stamps(rules_engine, row, column, territory):
    wall = [f". . . {column} . . . ."] * 8
    wall[3] = f". . . A {row} {row} {row} {row}"
    wall[6] = f". . . {column} . . B ."
    assert rules_engine("\n".join(wall), turn=4).territory(0) == territory
