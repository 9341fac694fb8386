"""Random play: uniformly random turns, and start positions made of them."""

from __future__ import annotations

import numpy as np

from .game import Game, Setup

MAX_REDRAWS = 1000  # random starts that may end before their last turn, one after the other


def random_placement(game: Game, rng: np.random.Generator) -> int | None:
    """Returns a uniformly random legal placement, None if there is none."""
    legal = np.flatnonzero(game.legal_mask()[game.setup.placements.start : game.setup.placements.stop])
    return int(legal[rng.integers(legal.size)]) if legal.size else None


def play_random_turn(game: Game, rng: np.random.Generator) -> None:
    """Places uniformly random legal stones until the budget is spent, then ends the turn."""
    turn = game.turn
    while game.turn == turn and not game.is_over:
        placement = random_placement(game, rng)
        if placement is not None:
            game.apply(placement)
        elif game.setup.end_turn is not None:
            game.apply(game.setup.end_turn)


def random_start(setup: Setup, rng: np.random.Generator, num_turns: int, starting_player: int = 0) -> Game:
    """Returns a running game after `num_turns` random turns; a game that ends on the way is drawn again."""
    for _ in range(MAX_REDRAWS):
        game = setup.new_game(rng, starting_player)
        for _ in range(num_turns):
            if not game.is_over:
                play_random_turn(game, rng)
        if not game.is_over:
            return game
    raise ValueError(f"random_turns={num_turns}: {MAX_REDRAWS} games in a row ended before; allowed: fewer turns")
