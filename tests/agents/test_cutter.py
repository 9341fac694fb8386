"""`cutter`: the chains and rings that it finds, against a search of all stones, and whole games."""

import itertools
import random

import numpy as np
import pytest

from agents import make
from agents.cutter import best_start
from agents.strikes import MAX_STRIKES, NO_CELL, STONES_IN_RING, fill_strikes
from bitblossom_env.bitblossom.state import REMAINING
from bitblossom_env.core.diagram import parse_diagram
from bitblossom_env.core.game import make_setup
from tests import provoke
from tests.agents.test_besieger import play_out, play_turn
from tests.lockstep import Lockstep
from tests.painters import PAINTERS

EARLY = {"turns_taken": [2, 2], "turn": 4}
TWO_WALLS = """
A . . . . . . .
. . . . b . . .
. . . b . b . .
. . b . b . . .
. b . b . . . .
. . b . . . . .
. . . . . . . .
. . . . . . . B
"""  # three stones across cut both walls: four stones for three, and then there is more
RING = """
A . . . . . .
. . . . . . .
. . . a . . .
. . . b a . .
. . . . . . .
. . . . . . .
. . . . . . B
"""  # two more stones close it
NOTHING = """
A . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . b . B
"""


def game_of(text, **fields):
    return Lockstep.from_position(parse_diagram(text, **(EARLY | fields))).game


def num_taken(before, after):
    """How many pieces of the enemy a turn has taken."""
    count_before, count_after = (
        sum(seat == 1 for _, _, seat, *_ in game.to_position()["pieces"]) for game in (before, after)
    )
    return count_before - count_after


@pytest.mark.parametrize(("text", "least"), [(TWO_WALLS, 4), (RING, 1)])
def test_what_pays_is_taken(text, least):
    game = game_of(text)
    for seed in range(3):
        assert num_taken(game, play_turn("cutter", game, seed)) >= least


def test_a_chain_takes_more_than_three_stones_alone_can():
    game = game_of(TWO_WALLS)
    best = 0
    for chosen in itertools.combinations(placements(game), 3):
        best = max(best, num_doomed(place_all(game, chosen)))
    assert best == 4
    assert num_taken(game, play_turn("cutter", game)) > best


def test_where_nothing_pays_it_plays_like_greedy():
    game = game_of(NOTHING)
    assert best_start(game) == NO_CELL
    for seed in range(5):
        chosen = make("cutter").act(game, 0, np.random.default_rng(seed))
        assert chosen == make("greedy").act(game, 0, np.random.default_rng(seed))


def placements(game):
    return np.flatnonzero(game.legal_mask()[game.setup.placements.start : game.setup.placements.stop]).tolist()


def place_all(game, cells):
    """The game after stones on `cells`, None if one is not legal."""
    trial = game.clone()
    for cell in cells:
        if not trial.legal_mask()[cell]:
            return None
        trial.apply(cell)
    return trial


def num_doomed(game):
    return 0 if game is None else int(np.sum(game.observe(game.to_move)[doomed_planes(game)]))


def doomed_planes(game):
    return [i for i, name in enumerate(game.setup.plane_names) if name.startswith("doomed/")]


def strikes_of(game):
    state = game.get_state()
    strikes = np.empty((MAX_STRIKES + 1, STONES_IN_RING), np.int64)
    count = fill_strikes(state.masks[0], state.counters[0], strikes)
    return [tuple(cell for cell in row if cell != NO_CELL) for row in strikes[:count].tolist()]


def random_game(rng):
    arguments = provoke.random_arguments(rng, (5, 6)) | {"num_players": 2, "cuts": True, "territory": False}
    arguments |= {"ring_orthogonal": True, "ring_diagonal": True}
    return Lockstep.from_position(provoke.random_position(rng, arguments, rng.choices(PAINTERS, k=2))).game


@pytest.mark.parametrize("seed", range(3))
def test_the_best_of_all_choices_of_up_to_three_stones_is_among_the_strikes(seed):
    """Without territory only cuts and rings take; one stone of a strike at a time, so that no bonus is spent."""
    rng, num_captures = random.Random(seed), 0
    for _ in range(25):
        game = random_game(rng)
        if game.is_over or not 1 <= game.get_state().counters[0, REMAINING] <= 3:
            continue
        budget = int(game.get_state().counters[0, REMAINING])
        cells = placements(game)
        if len(cells) > 20:
            continue
        start = num_doomed(game)
        fewest = {}  # stones that an additional capture needs
        for size in range(1, budget + 1):
            for chosen in itertools.combinations(cells, size):
                trial = place_all(game, chosen)
                if trial is not None and num_doomed(trial) > start:
                    fewest.setdefault(size, []).append(set(chosen))
        strikes = [set(strike) for strike in strikes_of(game)]
        for size, sets in fewest.items():
            for chosen in sets if size == min(fewest) else ():
                is_overlay = any(game.legal_mask()[cell] and has_piece(game, cell) for cell in chosen)
                assert is_overlay or chosen in strikes, game.to_position()
                num_captures += 1
    assert num_captures > 3


def has_piece(game, cell):
    cols = game.setup.board_shape[1]
    return any((row, column) == divmod(cell, cols) for row, column, *_ in game.to_position()["pieces"])


@pytest.mark.parametrize("num_players", [2, 3, 5, 8])
def test_whole_games_are_legal_and_repeat(num_players):
    setup = make_setup("bitblossom", {"num_players": num_players, "board_size": 9})
    first, again, other = (play_out(setup, ["cutter", "greedy", "random"], seed) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("board_size", [3, (3, 12)])
def test_the_smallest_boards_are_played(board_size):
    cols = board_size if isinstance(board_size, int) else board_size[1]
    bases = [[0, 0], [2, cols - 1]]
    assert play_out(
        make_setup("bitblossom", {"num_players": 2, "board_size": board_size, "home_bases": bases}), ["cutter"], 0
    )
