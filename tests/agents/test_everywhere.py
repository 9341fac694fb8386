"""Every scripted agent on every board and number of players that the game allows, and whole games of all together."""

import random

import numpy as np
import pytest

from agents import make
from bitblossom_env.core.game import ArgumentError, make_setup
from bitblossom_env.core.rollout import random_start
from tests import provoke
from tests.agents.playing import play_turn

SPECS = ("random", "random:any", "greedy", "cutter", "closer", "planner", "mcts:2")
SIDES = (*range(3, 14), 16, 19, 25, 32)
MAX_PLAYERS = 8
NUM_GAMES = {2: 144, 3: 143, 4: 143, 5: 143, 6: 143, 7: 142, 8: 142}  # 1,000 together


def setups(side):
    """The setups of a square board with default bases, by number of players."""
    found = {}
    for num_players in range(2, MAX_PLAYERS + 1):
        try:
            found[num_players] = make_setup("bitblossom", {"num_players": num_players, "board_size": side})
        except ArgumentError:  # too small for so many default bases
            continue
    return found


def test_small_boards_take_fewer_players():
    assert list(setups(3)) == []
    assert list(setups(9)) == [2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("side", SIDES)
def test_every_agent_plays_on_every_board_with_any_number_of_players(side):
    agents = [make(spec) for spec in SPECS]
    for num_players, setup in setups(side).items():
        rng = np.random.default_rng(num_players)
        game = random_start(setup, rng, 2 * num_players)
        for agent in agents:
            if not game.is_over:
                play_turn(agent, game, rng)


def drawn_setup(rng):
    """A setup under any rules, on a board that takes so many players."""
    while True:
        try:
            return make_setup("bitblossom", provoke.random_arguments(rng, (3, 9)))
        except ArgumentError:  # default bases too close to each other
            continue


@pytest.mark.parametrize("seed", range(12))
def test_agents_play_under_any_rules(seed):
    setup, rng = drawn_setup(random.Random(seed)), np.random.default_rng(seed)
    game, agents = setup.new_game(rng, seed % setup.num_seats), [make(spec) for spec in SPECS]
    while not game.is_over and game.turn < 30:
        play_turn(agents[int(rng.integers(len(agents)))], game, rng)
    assert game.turn > 0


def play_games(num_players, num_games):
    """Plays games of agents drawn for each seat, on boards of several sizes, to their end; returns who played."""
    seen = set()
    for seed in range(num_games):
        rng = np.random.default_rng([num_players, seed])
        side = int(rng.integers(7, 10))
        setup = setups(side).get(num_players) or setups(9)[num_players]
        game = setup.new_game(rng, seed % num_players)
        specs = [SPECS[k] for k in rng.integers(len(SPECS), size=num_players)]
        agents = [make(spec) for spec in specs]
        while not game.is_over:
            play_turn(agents[game.to_move], game, rng)
        seen |= set(specs)
    return seen


@pytest.mark.parametrize("num_players", NUM_GAMES)
def test_games_of_mixed_agents_end_by_themselves(num_players):
    play_games(num_players, 4)


@pytest.mark.slow
@pytest.mark.parametrize(("num_players", "num_games"), NUM_GAMES.items())
def test_a_thousand_games_of_mixed_agents_end_by_themselves(num_players, num_games):
    assert play_games(num_players, num_games) == set(SPECS)
