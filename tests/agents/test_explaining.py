"""Every agent says what it would play, and why, without a trace."""

import copy

import numpy as np
import pytest

from agents import make
from agents.base import Explains
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_start

SPECS = ["random", "random:any", "greedy", "cutter", "closer", "planner", "mcts:8"]


@pytest.mark.parametrize("num_players", [2, 3])
@pytest.mark.parametrize("spec", SPECS)
def test_what_is_announced_is_played_for_a_reason(spec, num_players):
    setup = make_setup("bitblossom", {"num_players": num_players, "board_size": 7})
    agent = make(spec)
    assert isinstance(agent, Explains)
    for seed in range(4):
        rng = np.random.default_rng(seed)
        game = random_start(setup, rng, 3 * seed)
        turn = game.turn
        while not game.is_over and game.turn == turn:
            before, state = game.hash(), copy.deepcopy(rng.bit_generator.state)
            lines = agent.explain(game, game.to_move, rng).splitlines()
            assert (game.hash(), rng.bit_generator.state) == (before, state)
            action = agent.act(game, game.to_move, rng)
            assert lines[0] == f"{spec} plays {game.describe_action(action)}."
            assert len(lines) > 1
            assert all(line.strip() for line in lines)
            game.apply(action)


# 49 cells without two bases and the 8 around the enemy's, which the first turn may not touch.


def test_greedy_tells_what_its_choice_is_worth():
    setup = make_setup("bitblossom", {"num_players": 2, "board_size": 7})
    game = setup.new_game(np.random.default_rng(0))
    lines = make("greedy").explain(game, 0, np.random.default_rng(0)).splitlines()
    assert lines[1] == "It is worth 1, as are 38 other placements; ending the turn is worth 0."


def test_random_tells_how_many_there_were():
    setup = make_setup("bitblossom", {"num_players": 2, "board_size": 7})
    game = setup.new_game(np.random.default_rng(0))
    lines = make("random").explain(game, 0, np.random.default_rng(0)).splitlines()
    assert lines[1] == "One of 39 placements, each as likely."
