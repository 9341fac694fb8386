"""R4: the end of a turn, elimination, the end of the game and area, drawn and played on twin and engine."""

from __future__ import annotations

import pytest

from tests.bitblossom.adapter import cells

PLAIN = """
A . . . .
. . . . .
. . . . .
. . . . B
"""

# R4.1


def test_overlays_become_ordinary_stones_of_the_turn(rules_engine):
    game = rules_engine(
        """
        b . . . . .
        a . . . . .
        . . . A . .
        . . . . . B
        """
    )
    turn = game.turn()
    game.play("b1 a1 end")
    assert game.turn() == turn + 1
    assert game.stones(0) == {"a1", "a2", "b1", "d3"}
    assert game.marked("overlay") == set()
    assert game.marked("last_turn") == {"a1", "b1"}
    assert [0, 0, 0, turn, False, False] in game.side.position()["pieces"]


def test_eliminated_players_are_skipped_and_their_pieces_stay(rules_engine):
    game = rules_engine(
        """
        B . a . . . .
        b . a . . . .
        a a . . . . .
        . . . . . . .
        . . . . . . C
        . . b . . . .
        . . A . . . .
        """
    )
    assert game.eliminated() == [1]
    game.play("e4 end")
    assert game.to_move() == 2
    assert game.stones(1) == {"a1", "a2", "c6"}
    assert game.play("end").to_move() == 0


def test_stones_of_eliminated_players_can_be_captured(rules_engine):
    game = rules_engine(
        """
        B . a . . . .
        . . a . . . .
        a a . . . . .
        . . . . . . .
        . . . b . . C
        . . . . . . .
        . . A . . . .
        """,
        rules={"placements_per_turn": 4},
    )
    assert game.play("d4 c5 e5 d6").doomed() == {"d5"}


def test_elimination_is_judged_only_at_the_end_of_the_turn(rules_engine):
    text = """
    B . . . . .
    a . . . . .
    . . . A . .
    . . . . . C
    """
    game = rules_engine(text).play("b1")
    assert "a1" in game.territory(0)
    assert game.eliminated() == []
    assert game.play("-b1 end").eliminated() == []
    assert rules_engine(text).play("b1 end").eliminated() == [1]


# R4.2


def test_territory_of_an_eliminated_player_eliminates(rules_engine):
    game = rules_engine(
        """
        B . a . . . .
        . . a . . . .
        a a . . . . .
        . . . . . . D
        . . . . . . .
        c . . . . . .
        A c . . C . .
        """,
        to_move=2,
    )
    assert game.eliminated() == [0, 1]


def test_own_territory_eliminates_nobody(rules_engine):
    game = rules_engine("A . a . .\n. a . . .\na . . . .\n. . . . B")
    assert game.territory(0) == cells("b1 a2")  # around the own base
    assert game.eliminated() == []


# R4.3


def test_last_survivor_wins_whatever_the_areas(rules_engine):
    game = rules_engine(
        """
        B . . . . .
        a . . b . .
        . . . b A .
        . . b b . .
        """
    )
    end = game.play("b1 end").end()
    assert (end.reason, end.winners, end.ranks, end.truncated) == ("last_survivor", (0,), (1.0, 2.0), False)
    assert game.to_move() == 0  # the mover stays the last one
    assert game.placeable() == game.retractable() == game.doomed() == set()
    assert not game.accepts("end")
    assert game.side.returns() == [1.0, -1.0]


ALL_FALL = """
C . . a . . c A
. . . a . . . c
. . . a . . . .
. . . a . . . .
. . . a . . . b
. B . a a a a a
. . . a a b . b
"""


def test_all_eliminated_is_decided_by_area_among_all(rules_engine):
    """Seat 0 is out already; capturing g6 puts the bases of 1 and 2 into the territory of 0."""
    game = rules_engine(ALL_FALL, to_move=1)
    assert game.eliminated() == [0]
    game.play("f5")
    assert game.doomed() == {"g6"}
    end = game.play("end").end()
    assert game.eliminated() == [0, 1, 2]
    assert (end.reason, end.winners, end.truncated) == ("all_eliminated", (0,), False)
    assert end.ranks == (1.0, 2.0, 3.0)
    assert end.areas == (31, 5, 3)  # 12 pieces and a1-c7 without its two bases, 5 and 3 pieces


@pytest.mark.parametrize(("last", "winners"), [("b1", (0,)), ("b1 -b1", None)])
def test_full_board_is_judged_at_the_end_of_the_turn(rules_engine, last, winners):
    game = rules_engine("A . a\na a b\na b B").play(last)
    assert game.end() is None
    end = game.play("end").end()
    assert (end and end.winners) == winners
    assert end is None or end.reason == "full_board"


def test_full_board_counts_cells_of_overlays_once(rules_engine):
    """The overlay takes the captured piece's cell, and no cell is left."""
    game = rules_engine("b . b b\na a a b\nA a a B").play("b1 a1")
    assert game.doomed() == {"a1"}
    assert game.play("end").end().areas == (8, 4)
    assert game.end().reason == "full_board"


def test_a_capture_on_a_full_board_leaves_it_open(rules_engine):
    game = rules_engine("b . b b\na a a b\nA a a B").play("b1 end")
    assert game.end() is None
    assert game.stones(1) == {"c1", "d1", "d2", "d3"}


def test_everybody_passing_in_a_row_ends_the_game(rules_engine):
    game = rules_engine("a . A . . .\n. . . . . .\n. . . . . B")
    assert game.play("end a3 end end").end() is None  # a turn with a stone sets the count back
    end = game.play("end").end()
    assert (end.reason, end.winners, end.areas) == ("all_passed", (0, 1), (2, 2))  # equal areas share the win
    assert end.ranks == (1.5, 1.5)
    assert game.side.returns() == [0.0, 0.0]


def test_only_players_not_eliminated_have_to_pass(rules_engine):
    text = """
    B . a . . .
    . . a . . .
    a a . . . .
    . . . . . C
    . . A . . .
    """
    game = rules_engine(text)
    assert game.eliminated() == [1]
    end = game.play("end end").end()
    assert (end.reason, end.winners) == ("all_passed", (0,))
    assert end.ranks == (1.0, 3.0, 2.0)  # survivors before eliminated


def test_passing_ends_nothing_when_it_is_switched_off(rules_engine):
    game = rules_engine(PLAIN, rules={"end_on_all_pass": False}).play("end end end end end")
    assert game.end() is None
    assert game.passes() == 5


def test_turn_limit_truncates(rules_engine):
    game = rules_engine(PLAIN, turn=0, rules={"max_turns": 3})
    game.play("b1 c1 end c3 end")
    assert (game.end(), game.number("turns_left")) == (None, 1)
    end = game.play("end").end()
    assert (end.reason, end.winners, end.truncated) == ("turn_limit", (0,), True)


@pytest.mark.parametrize(("max_turns", "left"), [("auto", 40 - 2), (None, 255), (300, 255)])
def test_turns_left(rules_engine, max_turns, left):
    game = rules_engine(PLAIN, rules={"max_turns": max_turns})
    assert game.number("turns_left") == left


def test_the_first_reason_that_holds_counts(rules_engine):
    """One survivor, a full board and the turn limit at once."""
    game = rules_engine("B . b b b\na a A b b\na a a b b", rules={"max_turns": 3})
    assert game.play("b1 end").end().reason == "last_survivor"
    game = rules_engine(PLAIN, passes=1, rules={"max_turns": 3})
    assert game.play("end").end().reason == "all_passed"
    game = rules_engine("A . a\na a b\na b B", rules={"max_turns": 3})
    assert game.play("b1 end").end().reason == "full_board"


def test_greatest_area_wins_among_players_not_eliminated_only(rules_engine):
    """Seat 1 has the most pieces but is out; of the others seat 2 has more."""
    game = rules_engine(
        """
        B . a . . .
        . . a . b b
        a a . . b .
        . . . . b C
        A . . . b c
        . . . . b c
        c c c c c c
        """,
        passes=1,
        rules={"placements_per_turn": 1, "territory": False},
    )
    assert game.eliminated() == [1]
    end = game.play("end").end()
    assert end.winners == (2,)
    assert end.ranks[1] == 3.0


# R4.4


def test_area_counts_pieces_and_undisputed_territory(rules_engine):
    game = rules_engine(
        """
        . . a . . b .
        . . a . . b .
        a a . . . . b
        . . . . . . .
        . . A . . . .
        . . . . . . B
        """
    )
    assert game.areas() == [5 + 4, 4 + 2]


def test_area_under_an_overlay_is_the_lower_pieces(rules_engine):
    game = rules_engine("b . . . .\na . . . .\n. . . A .\n. . . . .\n. . . . B")
    game.play("b1")
    assert game.areas() == [3, 2]
    assert game.play("a1").areas() == [3, 2]  # doomed, yet seen
    assert game.play("end").areas() == [4, 1]


@pytest.mark.parametrize(
    ("reward", "returns"),
    [("win", [1.0, -0.5, -0.5]), ("rank", [1.0, -0.5, -0.5]), ("area", [1 / 20, -1 / 40, -1 / 40])],
)
def test_rewards_are_zero_sum_over_the_seats(rules_engine, reward, returns):
    game = rules_engine("A . . . .\n. . C . .\n. . . . .\n. . . . B", rules={"reward": reward})
    assert game.side.returns() == [0.0] * 3
    end = game.play("b1 end end end").end()
    assert end is None
    end = game.play("end").end()
    assert end.ranks == (1.0, 2.5, 2.5)
    assert game.side.returns() == pytest.approx(returns)
