"""The known traps of the rules, each drawn and played on the twin and on the engine."""

from __future__ import annotations

from itertools import product

import pytest

from bitblossom_env.core.diagram import cell_name, parse_cell
from tests.bitblossom.adapter import cells
from tests.reference.pieces import EIGHT, step

# Solid shapes are not immune to cuts at their corners


def test_corner_of_a_solid_block_falls_to_its_anti_diagonal(rules_engine):
    game = rules_engine(
        """
        . . . . . . .
        . . . . . . .
        . . b b . . .
        . . b b . . .
        . . . . . . .
        A . . . . . B
        """
    )
    assert game.play("e1 d2 b4").doomed() == {"c3"}


TWO_THICK_WALL = """
A . . . . . . .
. . . . . . . .
. . . . . . . .
b b b b b b . .
b b b b b b . .
. . . . . . . .
. . . . . . . .
. . . . . . . B
"""


def test_end_corner_of_a_two_thick_wall_falls(rules_engine):
    assert rules_engine(TWO_THICK_WALL).play("e3 g5 h6").doomed() == {"f4"}


def test_two_thick_wall_is_immune_to_cuts_away_from_its_corners(rules_engine):
    """Every three empty cells from which two links could be made: only the end corners ever fall."""
    start = rules_engine(TWO_THICK_WALL)
    empty = {parse_cell(name) for name in start.placeable()}
    fallen = set()
    for line in _cut_lines(empty):
        names = " ".join(cell_name(*cell) for cell in line)
        fallen |= rules_engine(TWO_THICK_WALL, rules={"territory": False}).play(names).doomed()
    assert fallen == {"f4", "f5"}


def _cut_lines(empty):
    """Three empty cells each, one or two steps apart along a direction, not all on one side of rows 4 and 5."""
    directions = EIGHT[:2] + EIGHT[4:6]  # the other four walk the same lines backwards
    for source, direction, (first, second) in product(empty, directions, product((1, 2), repeat=2)):
        line = [source, step(source, direction, first), step(source, direction, first + second)]
        rows = [r for r, _ in line]
        if set(line) <= empty and min(rows) <= 5 and max(rows) >= 2:
            yield line


# A further stone can un-doom

SHRINKING = """
b . . . .
. . A . .
a . a . B
"""  # left 5, right 6 once c1 is closed


def test_a_stone_that_shrinks_the_sea_undooms(rules_engine):
    game = rules_engine(SHRINKING)
    assert game.play("c1").doomed() == {"a1"}
    assert game.play("e1").doomed() == set()  # 5 and 5 are tied sea; e1 is no cut vertex
    assert game.play("end").stones(1) == {"a1", "e3"}


def test_a_stone_that_splits_the_sea_undooms(rules_engine):
    game = rules_engine(
        """
        b . . . . .
        . . A . a a
        a . . . . .
        . . a . . B
        """
    )
    assert game.play("c1 c3").doomed() == {"a1"}  # left 7, right 10
    assert game.play("d2").doomed() == set()  # the right falls into 3 and 6


@pytest.mark.parametrize("cell", ["d1", "e1", "d2", "d3"])
def test_placing_that_would_orphan_an_overlay_is_refused(rules_engine, cell):
    game = rules_engine(SHRINKING)
    game.play("c1")
    assert game.accepts(cell)
    game.play("a1")
    assert not game.accepts(cell)
    assert game.accepts("b1")  # inside what is walled off: it changes nothing
    with pytest.raises(ValueError, match="illegal"):
        game.play(cell)
    assert game.marked("overlay") == {"a1"}


def test_no_placing_loses_a_victim_of_a_ring_or_a_cut(rules_engine):
    """The same stones with the pair a1, b1 doomed by a cut too: every placement stays legal."""
    game = rules_engine(
        """
        . b . . . . .
        b . . A . . .
        . . . a . . .
        a . . a . . B
        """,
        rules={"placements_per_turn": 6},
    )
    game.play("a1 b2 c3")
    assert game.doomed() == {"b1", "a2"}
    game.play("b1 d1")
    empty = cells("c1 e1-g1 c2 e2-g2 a3 b3 e3-g3 b4 c4 e4 f4")
    assert game.placeable() == empty | {"a2"}


# Cut vertices are not all


def test_condition_a_a_cut_vertex_divides(rules_engine):
    """The control: c5 is a cut vertex, and closing it takes the left."""
    game = rules_engine(
        """
        . . a . . .
        b . a . . .
        . . A . . B
        . . a . . .
        . . . . . .
        """
    )
    assert game.territory(0) == set()
    assert game.play("c5").doomed() == {"a2"}


def test_condition_b_the_last_rim_cell_is_no_cut_vertex(rules_engine):
    """b1 is the end of the sea, not a cut vertex; a stone there empties the sea."""
    game = rules_engine(
        """
        A . a a a
        a . . b a
        a . B . a
        a . . . a
        a a a a a
        """
    )
    assert game.territory(0) == set()
    assert game.play("b1").territory(0) == cells("b2-d4")
    assert game.doomed() == {"d2"}


def test_condition_c_a_tie_is_broken_away_from_any_cut_vertex(rules_engine):
    """5x5, column c owned: both halves are tied sea; the corner a1 takes the rest of its half."""
    game = rules_engine(
        """
        . . a . .
        . b a . .
        . . A . B
        . . a . .
        . . a . .
        """
    )
    assert game.territory(0) == set()
    assert game.play("a1").doomed() == {"b2"}
    assert game.territory(0) == cells("a1-b5") - {"a1"}


def test_condition_c_by_one_cell_within_the_turn(rules_engine):
    """Left 5, right 7: a first stone on the right leaves 6 to 5, a second one makes a tie."""
    game = rules_engine(
        """
        b . . . . .
        . . A . . .
        a . a . a B
        """,
        rules={"placements_per_turn": 4},
    )
    assert game.play("c1").doomed() == {"a1"}  # right 8
    assert game.play("f1").doomed() == {"a1"}  # right 7
    assert game.play("d1").doomed() == {"a1"}  # right 6, still greater
    assert game.play("e1").doomed() == set()  # right 5
