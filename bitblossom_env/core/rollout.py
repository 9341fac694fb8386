"""Random play: uniformly random turns, and start positions made of them."""

from __future__ import annotations

import numpy as np

from .game import ArgumentError, Game, GameOverError, Setup

MAX_REDRAWS = 1000  # random starts that may end before their last turn, one after the other


def random_placement(game: Game, rng: np.random.Generator) -> int | None:
    """Returns a uniformly random legal placement, None if there is none."""
    placements = game.setup.placements
    legal = game.legal_mask()[placements.start : placements.stop].nonzero()[0]
    return int(legal[rng.integers(legal.size)]) if legal.size else None


def random_action(game: Game, rng: np.random.Generator) -> int:
    """Returns a uniformly random legal placement; the end of the turn where there is none. Never a retraction."""
    placement = random_placement(game, rng)
    if placement is not None:
        return placement
    if game.setup.end_turn is None or game.is_over:
        raise GameOverError("no placement is legal and no turn can be ended: nothing is left to play")
    return game.setup.end_turn


def play_random_turn(game: Game, rng: np.random.Generator) -> None:
    """Places uniformly random legal stones until the budget is spent, then ends the turn."""
    turn = game.turn
    while game.turn == turn and not game.is_over:
        game.apply(random_action(game, rng))


def random_start(setup: Setup, rng: np.random.Generator, num_turns: int, starting_player: int = 0) -> Game:
    """Returns a running game after `num_turns` random turns; a game that ends on the way is drawn again.

    Raises:
        ArgumentError: no game lasts that long: the turn limit comes first, or `MAX_REDRAWS` games have ended before.
    """
    limit = setup.turn_limit
    for _ in range(MAX_REDRAWS if limit is None or num_turns < limit else 0):
        game = setup.new_game(rng, starting_player)
        while not game.is_over and game.turn < num_turns:
            play_random_turn(game, rng)
        if not game.is_over:
            return game
    raise ArgumentError(f"random_turns={num_turns} is not allowed; allowed: fewer, games end before that turn")
