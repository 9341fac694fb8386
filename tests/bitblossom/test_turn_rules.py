"""R2, a turn: each clause drawn and played on the twin and on the engine."""

from __future__ import annotations

import pytest

from tests.bitblossom.adapter import cells

CROSSED = """
. b . . . . .
b . b . . . .
. b . . . . .
. . . . . . .
. . . . A . .
. . . . . . B
"""  # a1, b2, c3 cross two walls: four pieces, four bonus placements
CROSSING = "a1 b2 c3"
CROSSED_PIECES = {"b1", "a2", "c2", "b3"}
CORNER = """
b . . . . .
a . . . . .
. . . A . .
. . . . . .
. . . . . B
"""  # b1 walls a1 in

# R2.1


def test_budget_counts_stones_now_on_the_board(rules_engine):
    game = rules_engine(CROSSED)
    assert game.remaining() == 3
    assert game.play("d4").remaining() == 2
    assert game.play("d5").remaining() == 1
    assert game.play("-d4").remaining() == 2  # a retracted stone no longer counts
    assert game.play("f1 f2").remaining() == 0
    assert game.placeable() == set()


def test_bonus_is_derived_from_pieces_doomed_by_cuts(rules_engine):
    game = rules_engine(CROSSED).play(CROSSING)
    assert game.doomed() == CROSSED_PIECES
    assert game.remaining() == 4
    assert game.play("a2").remaining() == 3  # an overlay costs a placement, and dooms as before
    assert game.play("-a2 -a1").remaining() == 1  # two fresh stones are no cut: the bonus is gone
    assert game.doomed() == set()


def test_bonus_counts_a_piece_once_whatever_else_dooms_it(rules_engine):
    game = rules_engine(
        """
        . b . . . .
        b . . . . .
        . . . . . .
        . . . A . .
        . . . . . B
        """
    )
    assert game.play("a1 b2 c3").remaining() == 2
    assert game.play("a3").doomed() == {"b1", "a2"}  # a2 is walled in as well
    assert game.remaining() == 3 + 2 - 4


@pytest.mark.parametrize(("cap", "remaining"), [(None, 4), (4, 4), (1, 1), (0, 0)])
def test_bonus_cap(rules_engine, cap, remaining):
    game = rules_engine(CROSSED, rules={"bonus_cap": cap}).play(CROSSING)
    assert game.doomed() == CROSSED_PIECES
    assert game.remaining() == remaining


def test_no_bonus_for_rings_and_territory(rules_engine):
    game = rules_engine(CORNER).play("b1")
    assert game.doomed() == {"a1"}
    assert game.remaining() == 2


# R2.2


def test_place_on_empty_cells_and_on_doomed_pieces_only(rules_engine):
    game = rules_engine(CORNER)
    everything = cells("a1-f5")
    assert game.placeable() == everything - {"a1", "a2", "d3", "f5"}
    game.play("b1")
    assert game.placeable() == everything - {"a2", "b1", "d3", "f5"}
    game.play("a1")
    assert game.placeable() == everything - {"a1", "a2", "b1", "d3", "f5"}  # never a third piece


# R2.3


def test_retract_takes_fresh_stones_only(rules_engine):
    game = rules_engine(CORNER)
    assert game.retractable() == set()
    game.play("b1 a1 c4")
    assert game.retractable() == {"a1", "c4"}  # without b1 the overlay would be orphaned
    game.play("-a1")
    assert game.retractable() == {"b1", "c4"}
    assert game.stones(1) == {"a1", "f5"}


# R2.4


def test_retraction_must_not_overdraw_the_budget(rules_engine):
    game = rules_engine(CROSSED).play(CROSSING)
    assert game.retractable() == set(CROSSING.split())
    game.play("d1")
    assert game.retractable() == {*CROSSING.split(), "d1"}  # 3 stones and no bonus are still in budget
    game.play("e1")
    assert game.retractable() == {"d1", "e1"}
    with pytest.raises(ValueError, match="illegal"):
        game.play("-b2")
    assert game.number("retractions_left") == 3  # a refused retraction does not count
    assert game.play("-e1").retractable() == {*CROSSING.split(), "d1"}


def test_retraction_must_not_orphan_an_overlay(rules_engine):
    game = rules_engine(CORNER).play("b1 a1")
    assert not game.accepts("-b1")
    assert game.remaining() == 1  # the budget would allow it
    assert game.play("-a1").accepts("-b1")


# R2.5


def test_ending_the_turn_is_always_legal(rules_engine):
    game = rules_engine(CORNER)
    for action in ("b1", "a1", "c4"):
        assert game.accepts("end")
        game.play(action)
    assert game.accepts("end")
    assert game.play("end").accepts("end")


def test_a_turn_without_stones_is_a_pass(rules_engine):
    game = rules_engine(CORNER)
    assert game.play("c4 -c4 end").passes() == 1
    assert game.play("a5 end").passes() == 0
    assert game.play("end").passes() == 1
    assert game.play("a4 end").passes() == 0


def test_a_turn_of_one_overlay_is_no_pass(rules_engine):
    game = rules_engine(CORNER)
    assert game.play("b1 a1 -a1 a1 end").passes() == 0
    assert game.stones(1) == {"f5"}


# R2.6


@pytest.mark.parametrize("cap", [0, 1, 3])
def test_exactly_so_many_retractions_are_legal(rules_engine, cap):
    game = rules_engine(CORNER, rules={"max_retractions_per_turn": cap}).play("c4")
    for used in range(cap):
        assert game.number("retractions_left") == cap - used
        game.play("-c4 c4")
    assert game.number("retractions_left") == 0
    assert not game.accepts("-c4")
    assert game.play("end").number("retractions_left") == cap


def test_no_cap_on_retractions(rules_engine):
    game = rules_engine(CORNER, rules={"max_retractions_per_turn": None}).play("c4")
    for _ in range(20):
        game.play("-c4 c4")
    assert game.accepts("-c4")
    assert game.number("retractions_left") == 255


# R2.7

OPENING = """
. . . . . . .
. B . . . . .
. . . . . . .
. . . . A . .
. . . . . . .
. . . . . . C
"""


def test_no_stone_beside_anothers_base_in_the_own_first_turn(rules_engine):
    game = rules_engine(OPENING, turn=0, rules={"end_on_all_pass": False})
    closed = cells("a1-c3") | cells("f5-g6")
    assert game.placeable() == cells("a1-g6") - closed - {"e4"}  # beside the own base one may
    game.play("end")
    assert game.placeable() == cells("a1-g6") - cells("d3-f5") - cells("f5-g6") - {"b2"}
    game.play("end end")  # a pass uses the first turn up
    assert game.placeable() == cells("a1-g6") - {"b2", "e4", "g6"}


def test_opening_rule_off(rules_engine):
    game = rules_engine(OPENING, turn=0, rules={"opening_rule": "none"})
    assert game.placeable() == cells("a1-g6") - {"b2", "e4", "g6"}


@pytest.mark.parametrize(("opening_rule", "allowed"), [("base-neighbourhood", False), ("none", True)])
def test_no_overlay_beside_anothers_base_in_the_own_first_turn(rules_engine, opening_rule, allowed):
    game = rules_engine(
        """
        . . . . . . .
        . . . . . . .
        . . B . . . .
        . . . b . . .
        . . . . . . .
        . . . . . . .
        . . . . . A .
        """,
        turn=2,
        turns_taken=[0, 2],
        rules={"opening_rule": opening_rule},
    )
    assert game.play("f2 e3 c5").doomed() == {"d4"}  # pierced, the base keeping it company
    assert game.remaining() == 1
    assert game.accepts("d4") is allowed


def test_opening_rule_guards_bases_of_eliminated_players_too(rules_engine):
    game = rules_engine(
        """
        C b . . . .
        b . . . . .
        . . . . . .
        . . . A . .
        . . . . . B
        """,
        turn=2,
        turns_taken=[0, 1, 1],
        rules={"end_on_all_pass": False},
    )
    assert game.eliminated() == [2]
    assert not game.accepts("b2")
    assert game.play("end end").accepts("b2")  # A's second turn


def test_a_skipped_turn_does_not_use_up_the_opening(rules_engine):
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
        turn=2,
        to_move=2,
        turns_taken=[1, 0, 1],
    )
    game.play("b2 d2 e2 end end")
    assert game.to_move() == 1
    assert game.number("first_turn/1") == 1
    assert not game.accepts("f4")
    assert not game.accepts("c6")
    assert game.accepts("a2")


# R2.8


@pytest.mark.parametrize("placements", [1, 2, 5])
def test_first_turn_placements_hold_in_turn_0_only(rules_engine, placements):
    game = rules_engine(OPENING, turn=0, rules={"first_turn_placements": placements})
    assert game.remaining() == placements
    assert game.play("end").remaining() == 3
    assert game.play("end end").remaining() == 3
