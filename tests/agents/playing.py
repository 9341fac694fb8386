"""Turns and games of agents, every action checked."""

from __future__ import annotations

import numpy as np


def play_turn(agent, game, rng):
    """Plays the turn of the seat to move; returns the actions."""
    turn, actions = game.turn, []
    while not game.is_over and game.turn == turn:
        before = game.hash()
        actions.append(agent.act(game, game.to_move, rng))
        assert game.hash() == before
        assert game.legal_mask()[actions[-1]]
        game.apply(actions[-1])
    return actions


def play_game(setup, agents, seed):
    """Plays a game in which seats take turns through `agents`, who retract nothing; returns the actions."""
    game, rng, actions = setup.new_game(np.random.default_rng(seed)), np.random.default_rng(seed), []
    while not game.is_over:
        actions += play_turn(agents[game.to_move % len(agents)], game, rng)
    assert not set(actions) & set(setup.retractions)
    return actions
