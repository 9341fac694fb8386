"""Walls around regions: their worth is what the rules then convert; whose loss counts how much."""

import numpy as np
import pytest

from agents.sieges.regions import raise_region_worths
from agents.sieges.rivals import fill_shares
from agents.sieges.survey import fill_survey, new_survey
from bitblossom_env.bitblossom import kernels
from bitblossom_env.bitblossom.game import BitBlossomGame
from bitblossom_env.bitblossom.state import NOW_SEA
from bitblossom_env.bitblossom.territory import sea_field
from bitblossom_env.core.diagram import parse_cell, parse_diagram
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_start

CORNER = """
. . . . . . .
. A . . . . .
. . . . . . .
. . . . . a .
. . . . a b .
. . . . . B .
. . . a . . .
"""


def game_of(text, **fields):
    return BitBlossomGame.from_position(parse_diagram(text, **fields))


def worths_of(game, limit, decay=1.0, seat=None, share=1.0):
    """What `raise_region_worths` says of walls of the mover, or of another seat, [rows, cols]."""
    state, shape = game.get_state(), game.setup.board_shape
    survey = new_survey(game.num_seats, shape, 3)
    fill_survey(state.masks[0], state.counters[0], survey)
    _, _, free, room, _ = survey
    worths = np.zeros(game.setup.num_cells)
    sea = NOW_SEA if seat is None else sea_field(state.counters[0], seat)
    builder = (sea, free[game.to_move if seat is None else seat])
    raise_region_worths(state.masks[0], state.counters[0], builder, room, (limit, decay, share), worths)
    return worths.reshape(shape)


def at(worths, name):
    return worths[parse_cell(name)]


def place(game, *names):
    """The game after stones on the named cells and the end of the turn."""
    game = game.clone()
    for name in names:
        r, c = parse_cell(name)
        game.apply(r * game.setup.board_shape[1] + c)
    game.apply(game.setup.end_turn)
    return game


def test_a_wall_is_worth_what_it_converts():
    game = game_of(CORNER, turns_taken=[2, 2], turn=4)
    worths = worths_of(game, 2)
    # With the two that stand e6 and g4 wall in e7 f5 f6 f7 g5 g6 g7, two pieces of b among them.
    assert at(worths, "g4") == at(worths, "e6") == 7 + 2
    assert place(game, "g4", "e6").areas()[0] - game.areas()[0] == 2 + 6  # the base still counts for b


def test_a_wall_that_needs_more_than_the_limit_is_out_of_sight_and_a_longer_one_worth_less():
    game = game_of(CORNER, turns_taken=[2, 2], turn=4)
    assert at(worths_of(game, 1), "g4") == 0
    assert at(worths_of(game, 2, 2.0), "g4") == 4.5


def test_a_wall_of_an_enemy_is_worth_what_it_would_convert():
    game = game_of(CORNER.translate(str.maketrans("abAB", "baBA")), turns_taken=[2, 2], turn=4)
    worths = worths_of(game, 2, seat=1, share=0.5)
    assert at(worths, "g4") == at(worths, "e6") == (7 + 2) / 2


def test_no_cell_is_lowered():
    game = game_of(CORNER, turns_taken=[2, 2], turn=4)
    assert worths_of(game, 2).min() == 0


def test_a_wall_that_would_leave_the_greater_part_outside_of_the_sea_is_none():
    game = game_of("A . .\n. . .\n. . B", turns_taken=[1, 1], turn=2)
    worths = worths_of(game, 3)
    assert worths.max() > 0
    assert worths.max() * 2 < 8


@pytest.mark.parametrize("num_players", [2, 3, 5])
def test_the_greatest_enemy_counts_in_full_and_others_by_their_area(num_players):
    setup = make_setup("bitblossom", {"num_players": num_players, "board_size": 9})
    for seed in range(20):
        game = random_start(setup, np.random.default_rng(seed), 2 * num_players)
        state, shares = game.get_state(), np.full(num_players, 7.0)
        fill_shares(state.masks[0], state.counters[0], kernels.scratch_for(setup.num_cells).work, shares)
        areas, out = game.areas(), game.eliminated()
        rivals = [seat for seat in range(num_players) if seat != game.to_move and not out[seat]]
        greatest = max(areas[seat] for seat in rivals)
        expected = [areas[seat] / greatest if seat in rivals else 0 for seat in range(num_players)]
        assert shares.tolist() == expected
