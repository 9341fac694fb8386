"""`closer` and `planner` on drawn positions: walls broken, the right victim of two, what `explain` says."""

import numpy as np
import pytest

from agents import make
from bitblossom_env.bitblossom.game import BitBlossomGame
from bitblossom_env.core.diagram import parse_cell, parse_diagram
from tests.agents.fights import game_of, play_turn

AGENTS = ["closer", "planner"]
SEEDS = range(3)


def action_at(game, name):
    r, c = parse_cell(name)
    return r * game.setup.board_shape[1] + c


def after_turn(game, *names):
    """The game after stones on the named cells and the end of the turn."""
    game = game.clone()
    for name in names:
        game.apply(action_at(game, name))
    game.apply(game.setup.end_turn)
    return game


def has_stone(game, name):
    return any(tuple(piece[:2]) == parse_cell(name) for piece in game.to_position()["pieces"])


def falls_to_one_stone(game, name):
    """Whether the mover takes the piece of seat 0 on a cell, or its base, by some single stone, by trying all."""
    cells = np.flatnonzero(game.legal_mask()[: game.setup.num_cells]).tolist()
    for cell in cells:
        trial = game.clone()
        trial.apply(cell)
        trial.apply(game.setup.end_turn)
        if trial.eliminated()[0] or not has_stone(trial, name):
            return True
    return False


# With a stone on c3 seat 1 walls in the two stones of seat 0 and four cells beside them.
OPEN_WALL = """
. . b . . . .
. a b . . . .
. a . . . A .
b b . . . . .
. . . . . . .
. . . B . . .
. . . . . . .
"""


# The same wall, with the base of seat 0 in it.
OPEN_WALL_AROUND_THE_BASE = OPEN_WALL.replace("A", "a").replace(". a b", ". A b")


def with_wall(text):
    return game_of(text, turns_taken=[3, 3], turn=6)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("spec", "text"),
    [("closer", OPEN_WALL), ("closer", OPEN_WALL_AROUND_THE_BASE), ("planner", OPEN_WALL_AROUND_THE_BASE)],
)
def test_a_wall_that_an_enemy_would_close_is_broken(spec, text, seed):
    game = with_wall(text)
    assert falls_to_one_stone(after_turn(game), "b2")
    after = play_turn(spec, game, seed)
    assert not falls_to_one_stone(after, "b2")


@pytest.mark.parametrize("text", [OPEN_WALL, OPEN_WALL_AROUND_THE_BASE])
def test_greedy_leaves_the_wall_open(text):
    assert any(falls_to_one_stone(play_turn("greedy", with_wall(text), seed), "b2") for seed in range(8))


def test_closer_explains_what_it_breaks():
    game, rng = with_wall(OPEN_WALL), np.random.default_rng(0)
    before = rng.bit_generator.state
    lines = make("closer").explain(game, 0, rng).splitlines()
    assert lines[0] == "closer plays c3."
    assert lines[1] == "Seat 1 besieges its own base: the wall needs more than 3 stones."
    assert lines[2] == (
        "c3 +9.0 cells beside ending the turn: "
        "+1.0 of the board as if the turn ended, +8.0 that an enemy would win there."
    )
    assert rng.bit_generator.state == before


def test_planner_explains_the_walls_that_it_follows_and_fears():
    lines = make("planner").explain(with_wall(OPEN_WALL), 0, np.random.default_rng(0)).splitlines()
    assert lines[1] == "It presses on the base of seat 1: the wall needs 4 more, d5 c6 e6 d7."
    assert lines[2] == "Seat 1 besieges its own base: the wall needs 4 more, f2 e3 g3 f4."
    assert "of pressure on the enemy base" in lines[3]


# Seat 0 can take one of two bases, each with two stones; a seat ahead has stones in the middle as well.
TWO_VICTIMS = """
. . . . a . . . .
. A . . . . . . .
. . . . {0} . . . .
. . . . {0} . . . .
. . . . {0} . . . .
. . . . . . . . .
. . . . . . . . .
B a . . . . . a C
. . . . . . . . .
"""


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("leader", [1, 2])
@pytest.mark.parametrize("spec", AGENTS)
def test_of_two_bases_the_leaders_is_taken(spec, leader, seed):
    game = game_of(TWO_VICTIMS.format("bc"[leader - 1]), turns_taken=[4, 4, 4], turn=12)
    after = play_turn(spec, game, seed)
    assert after.eliminated()[leader]
    assert not after.eliminated()[3 - leader]
    assert not after.eliminated()[0]


@pytest.mark.parametrize("spec", AGENTS)
def test_a_base_that_is_taken_is_explained(spec):
    game = game_of(TWO_VICTIMS.format("b"), turns_taken=[4, 4, 4], turn=12)
    lines = make(spec).explain(game, 0, np.random.default_rng(0)).splitlines()
    assert lines == [f"{spec} plays a7.", "It takes the base of seat 1 in this turn: a7 a9."]


# Seat 1 leads.
SHARES = """
. . . . . . . . .
. A . b b b . C .
. . . b b b . c .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. B . . . . . . .
. . . . . . . . .
"""


def test_an_enemy_weighs_its_area_as_a_share_of_the_leaders():
    game = game_of(SHARES, turns_taken=[3, 3, 3], turn=9)
    areas = game.areas()
    judgement = make("closer").judge(game)
    assert judgement.shares.tolist() == [0, 1, areas[2] / areas[1]]
    assert 0 < judgement.shares[2] < 1


# The base of seat 1 falls to four stones, a turn's worth under these rules.
OPEN_BASE = """
. . . . . . . . .
. A . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . a . .
. . . . . . . B .
. . . . . . . . .
. . . . . . . . .
"""


@pytest.mark.parametrize("spec", AGENTS)
def test_a_wall_of_all_stones_of_a_long_turn_is_seen(spec):
    position = parse_diagram(OPEN_BASE, turns_taken=[2, 2], turn=4)
    game = BitBlossomGame.from_position({**position, "rules": {"placements_per_turn": 4}})
    assert play_turn(spec, game).is_over
    assert not play_turn("greedy", game).is_over
