"""`closer` and `planner`: what they take, what they save, what an enemy would convert, and whole games."""

import random
from collections import Counter

import numpy as np
import pytest

from agents import make
from agents.sieges.conversions import enemy_gains
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_start
from tests import provoke
from tests.agents.fights import FALLS_TO_THREE_AT_THE_EDGE, FALLS_TO_TWO, IN_DANGER, can_be_taken, game_of, play_turn
from tests.agents.playing import play_game
from tests.lockstep import Lockstep
from tests.painters import PAINTERS
from tests.reference.sea import replay, sea_of, stones_of
from tests.reference.twin import Twin

AGENTS = ["closer", "planner"]


@pytest.mark.parametrize("spec", AGENTS)
@pytest.mark.parametrize("text", [FALLS_TO_TWO, FALLS_TO_THREE_AT_THE_EDGE])
def test_a_base_that_falls_in_one_turn_is_taken(spec, text):
    game = game_of(text)
    for seed in range(3):
        after = play_turn(spec, game, seed)
        assert after.is_over
        assert after.outcome.winners == (0,)


def greedy_misses(text):
    return not all(play_turn("greedy", game_of(text), seed).is_over for seed in range(8))


def test_greedy_does_not_always_see_it():
    assert greedy_misses(FALLS_TO_TWO)


@pytest.mark.parametrize("spec", AGENTS)
def test_a_base_that_would_fall_is_saved(spec):
    game = game_of(IN_DANGER)
    passed = game.clone()
    passed.apply(game.setup.end_turn)
    assert can_be_taken(passed, 0)
    for seed in range(3):
        after = play_turn(spec, game, seed)
        assert after.is_over or not can_be_taken(after, 0)


def converted_by(twin, seat, cell):
    """What a stone of `seat` alone in its turn converts: cells, pieces on them, and 1000 for the mover's base."""
    board = twin.board
    before = sea_of(board, seat).sea
    later = max((piece.stamp for piece in board.lower.values()), default=0) + 1
    after = replay(board.rows, board.cols, stones_of(board, seat) | {(cell, later)}).sea
    converted = before - after - {cell}
    pieces = [board.lower[c] for c in converted if c in board.lower and board.lower[c].seat != seat]
    own_base = any(piece.is_base and piece.seat == twin.to_move for piece in pieces)
    return len(converted) + sum(not piece.is_base for piece in pieces) + 1000 * own_base


def expected_gains(twin, seen):
    gains = []
    for action in range(twin.num_cells):
        cell = twin.cell_of(action)
        enemies = [s for s in range(twin.num_seats) if s != twin.to_move and not twin.eliminated()[s]]
        gain = 0
        for seat in enemies:
            if cell not in twin.board.lower and cell in sea_of(twin.board, seat).sea:
                gain = max(gain, converted_by(twin, seat, cell))
        seen["base"] += gain >= 1000
        seen["gain"] += gain > 0
        gains.append(gain)
    return gains


def random_position(rng):
    arguments = provoke.random_arguments(rng, (5, 8))
    arguments |= {"num_players": min(arguments["num_players"], 4)}
    return provoke.random_position(rng, arguments, rng.choices(PAINTERS, k=rng.randint(1, 3)))


@pytest.mark.parametrize("seed", range(3))
def test_what_enemies_would_convert_is_what_the_replay_says(seed):
    rng, seen = random.Random(seed), Counter()
    for _ in range(30):
        position = random_position(rng)
        lockstep = Lockstep.from_position(position)
        if lockstep.game.is_over:
            continue
        twin = Twin.from_position(lockstep.game.to_position())
        if twin.board.stones_of_turn(twin.turn):
            continue  # in the middle of a turn the seas of enemies are those of its start
        shares = np.ones(lockstep.game.num_seats)
        assert enemy_gains(lockstep.game, shares).tolist() == expected_gains(twin, seen), position
        seen["positions"] += 1
    assert seen["positions"] >= 15
    assert seen["gain"] > 20
    assert seen["base"] > 2


@pytest.mark.parametrize("spec", AGENTS)
@pytest.mark.parametrize("num_players", range(2, 9))
def test_whole_games_are_legal_and_repeat(spec, num_players):
    setup = make_setup("bitblossom", {"num_players": num_players, "board_size": (9, 10)})
    first, again, other = (play_game(setup, [make(spec), make("random"), make("greedy")], seed) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("spec", AGENTS)
@pytest.mark.parametrize("board_size", [3, (3, 4), (3, 12)])
def test_the_smallest_boards_are_played(spec, board_size):
    cols = board_size if isinstance(board_size, int) else board_size[1]
    setup = make_setup(
        "bitblossom", {"num_players": 2, "board_size": board_size, "home_bases": [[0, 0], [2, cols - 1]]}
    )
    assert play_game(setup, [make(spec)], 0)


@pytest.mark.parametrize("spec", AGENTS)
def test_it_may_be_asked_in_the_middle_of_any_turn(spec):
    setup = make_setup("bitblossom", {"num_players": 3, "board_size": 7})
    agent, rng = make(spec), np.random.default_rng(0)
    for seed in range(30):
        game = random_start(setup, rng, seed % 8)
        for _ in range(seed % 4):
            legal = np.flatnonzero(game.legal_mask()[: setup.end_turn])
            if len(legal):
                game.apply(int(rng.choice(legal)))
        assert game.legal_mask()[agent.act(game, game.to_move, rng)]


@pytest.mark.parametrize("spec", AGENTS)
def test_specs_with_arguments_or_options_are_refused(spec):
    with pytest.raises(ValueError, match=f"agent '{spec}' has no argument 'x'; allowed: {spec}"):
        make(f"{spec}:x")
    with pytest.raises(ValueError, match=f"agent '{spec}' has no option 'depth'"):
        make(f"{spec}?depth=3")
