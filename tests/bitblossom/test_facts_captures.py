"""The facts about rings, cuts, home bases and overlays, each drawn and played on the twin and on the engine."""

from __future__ import annotations

import pytest

from tests.bitblossom.adapter import cells

STANDING_RING = """
. . . . . . .
. . . a . . .
. . a . a . .
. . . a . . .
. A . . . B .
. . . . . . .
"""


def test_playing_into_a_standing_ring_is_safe(rules_engine):
    game = rules_engine(STANDING_RING, to_move=1).play("d3 end")
    assert game.play("c2 e2 c4").doomed() == set()  # three of the four diagonals
    assert game.play("end end").play("e4").doomed() == {"d3"}  # a newly completed ring still fires


def test_newly_completed_cut_fires_inside_standing_territory(rules_engine):
    game = rules_engine(
        """
        . . b . . a . . . . . .
        . b . . . a . . . . . .
        . . . . . a . . . B . .
        . . . . . A . . . . . .
        """
    )
    assert game.standing() == cells("a1-e4")
    assert game.play("b1 c2 d3").doomed() == {"c1", "b2"}


@pytest.mark.parametrize(("ring", "victims"), [(True, {"b4"}), (False, set())])
def test_ring_fires_inside_own_territory_and_territory_does_not(rules_engine, ring, victims):
    game = rules_engine(
        """
        . . . a . . . .
        . . . a . . . .
        . a . a . . B .
        a b . A . . . .
        . a . a . . . .
        . . . a . . . .
        . . . a . . . .
        """,
        rules={"ring_orthogonal": ring},
    )
    assert "b4" in game.standing()
    assert game.play("c4").doomed() == victims


def test_middle_of_a_one_thick_line_falls_to_the_diagonal_ring(rules_engine):
    game = rules_engine(
        """
        A . . . . . .
        . . . . . . .
        . . a . a . .
        . . b b b . .
        . . a . . . .
        . . . . . . B
        """
    )
    assert game.play("e5").doomed() == {"d4"}


@pytest.mark.parametrize(("company", "victims"), [(".", set()), ("b", {"d4"})])
def test_a_lone_stone_never_falls_to_a_pierce(rules_engine, company, victims):
    game = rules_engine(
        f"""
        A . . . . . .
        . . . . . . .
        . . . . {company} . .
        . . . b . . .
        . . . . . . .
        . . . . . . B
        """
    )
    assert game.play("b4 c4 e4").doomed() == victims


TWO_DIAGONAL_WALLS = """
. . . b . . . .
. . b . b . . .
. b . b . b . .
b . b . b . . .
. b . b . . . .
. . b . . . . B
. . . . . . . .
. A . . . . . .
"""


def test_straight_cut_takes_two_from_one_diagonal_wall(rules_engine):
    game = rules_engine("\n".join([". b . . . .", "b . . . . .", ". . . . . .", ". . . . . .", "A . . . . B"]))
    assert game.play("a1 b2 c3").doomed() == {"b1", "a2"}
    assert game.remaining() == 2


def test_straight_cut_takes_four_from_two_diagonal_walls(rules_engine):
    game = rules_engine(TWO_DIAGONAL_WALLS)
    assert game.play("b2 c3 d4").doomed() == {"c2", "b3", "d3", "c4"}
    assert game.remaining() == 4  # three stones, four bonus placements
    assert game.play("e5").doomed() == {"c2", "b3", "d3", "c4", "e4", "d5"}  # a bonus stone arms another link
    assert game.remaining() == 3 + 6 - 4


HOLLOW = """
. . . . . . .
. a . a . . .
. . b b b . .
. a b . b a .
. . b b b . .
. . . a . a .
A . . . . . B
"""


def test_corners_of_a_hollow_shape_fall_to_their_diagonals_centre_included(rules_engine):
    """The centre is an inward diagonal of all four corners; edge midpoints have two of their own there."""
    game = rules_engine(HOLLOW)
    assert game.play("f2").doomed() == set()
    assert game.play("d4").doomed() == {"c3", "e3", "e5"}
    assert game.play("b6").doomed() == {"c3", "e3", "e5", "c5"}


@pytest.mark.parametrize(("fourth", "victims"), [("a", {"c3"}), ("c", set())])
def test_all_four_of_a_ring_are_the_active_players(rules_engine, fourth, victims):
    text = f"""
    . . a . . .
    . . a . . .
    . a b {fourth} . .
    . . . . . .
    A . . . . B
    . . . . . .
    . . C . . .
    """
    assert rules_engine(text).play("c4").doomed() == victims


def test_a_ring_never_forms_partly_off_board(rules_engine):
    """b1 lacks a neighbour above for both rings; with territory off nothing takes it."""
    text = ". b . . .\n. . . . .\n. . . . .\nA . . . B"
    for stones in ("a1 c1 b2", "a2 c2"):
        assert rules_engine(text, rules={"territory": False}).play(stones).doomed() == set()


def test_stones_of_earlier_turns_make_no_link(rules_engine):
    text = ". b . . .\nb {} . . .\n. . . . .\nA . . . B"
    assert rules_engine(text.format(".")).play("a1 b2 c3").doomed() == {"b1", "a2"}
    assert rules_engine(text.format("a"), rules={"territory": False}).play("a1 c3").doomed() == set()


@pytest.mark.parametrize(("last", "victims"), [("d4", {"b1", "a2", "c3"}), ("e5", set())])
def test_no_empty_cell_lies_in_a_cut(rules_engine, last, victims):
    game = rules_engine(
        """
        . b . . . .
        b . . . . .
        . . b b . .
        . . . . . .
        . . . . . .
        A . . B . .
        """
    )
    assert game.play(f"a1 b2 {last}").doomed() == victims


@pytest.mark.parametrize(("other", "victims"), [("b", {"b1", "a2"}), ("c", set())])
def test_a_joint_takes_two_pieces_of_one_enemy_only(rules_engine, other, victims):
    text = f". {other} . . .\nb . . . .\n. . . . .\n. . . . .\nA . C . B"
    assert rules_engine(text).play("a1 b2 c3").doomed() == victims


def test_home_base_completes_a_ring_but_arms_none(rules_engine):
    text = """
    . . . . . .
    . . A . . .
    . a b . . .
    . . a . . .
    . . . . . B
    """
    assert rules_engine(text).play("d3").doomed() == {"c3"}
    closed_before = text.replace("a b .", "a b a")
    assert rules_engine(closed_before).play("a1").doomed() == set()


def test_home_base_stands_in_a_cut_wall_and_stays(rules_engine):
    game = rules_engine(
        """
        A . . b . .
        . . . B . .
        . . b . . .
        . . . . . .
        """
    )
    game.play("c2 d3 b1")
    assert game.doomed() == {"c3"}  # the joint c2-d3 crosses the wall d2-c3, whose other stone is the base
    assert game.remaining() == 1
    assert game.play("end").stones(1) == {"d1", "d2"}


def test_home_base_keeps_a_stone_company_against_a_pierce(rules_engine):
    text = """
    . . . . . . .
    . . . . B . .
    . . . b . . .
    A . . . . . .
    """
    assert rules_engine(text).play("b3 c3 e3").doomed() == {"d3"}


def test_surrounded_home_base_is_never_removed(rules_engine):
    game = rules_engine(
        """
        . . . . . .
        . . a . . .
        . a B . . .
        . . a . . .
        A . . . . C
        """
    )
    assert game.play("d3").doomed() == set()
    game.play("end")
    assert "c3" in game.stones(1)
    assert game.eliminated() == [1]


def test_overlay_joins_no_ring(rules_engine):
    """The orthogonal ring of c4 lacks c3 alone, where an overlay is placed."""
    game = rules_engine(
        """
        A . . . . .
        . a . a . .
        . . b . . .
        . a b . . .
        . . a . . .
        . . . . . B
        """
    )
    assert game.play("d4").doomed() == {"c3"}
    assert game.play("c3").doomed() == {"c3"}
    assert game.marked("overlay") == {"c3"}
    assert game.play("end").stones(1) == {"c4", "f6"}


def test_overlay_joins_no_link(rules_engine):
    """Were the overlay on c3 fresh, b2-c3-d4 were two joints, the first of them across the wall c2-b3."""
    game = rules_engine(
        """
        A . . . . .
        . . b a . .
        . b b . . .
        . a . . . .
        . . . . . .
        . . . . . B
        """
    )
    assert game.play("b2 d4").doomed() == {"c3"}
    assert game.play("c3").doomed() == {"c3"}
    assert game.remaining() == 0


def test_overlay_joins_no_wall_before_the_turn_ends(rules_engine):
    game = rules_engine(
        """
        a . a . . .
        . b . . . .
        a . . . . .
        . . . . A .
        . . . . . .
        . . . . . B
        """
    )
    assert game.play("c3 b2").doomed() == {"b2"}
    assert game.territory(0) == set()
    assert game.play("end").territory(0) == {"b1", "a2"}


def test_retracting_the_cell_of_an_overlay_takes_the_overlay(rules_engine):
    game = rules_engine(
        """
        b . . . . .
        a . . . . .
        . . . A . .
        . . . . . B
        """
    )
    game.play("b1 a1")
    assert (game.remaining(), game.marked("overlay"), game.stones(1)) == (1, {"a1"}, {"a1", "f4"})
    game.play("-a1")
    assert (game.remaining(), game.marked("overlay"), game.stones(1)) == (2, set(), {"a1", "f4"})
    assert game.doomed() == {"a1"}
