"""Boards and positions in the middle of random games, the same in every run."""

import numpy as np

import bitblossom_env  # noqa: F401 - registers the games
from bitblossom_env.core.batch import Views
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_start

BOARDS = {"9x9, 2 players": (9, 2), "19x19, 2 players": (19, 2), "16x16, 4 players": (16, 4)}
NUM_GAMES = 256


def setup_of(board):
    """The setup of a board by its name."""
    side, num_players = BOARDS[board]
    return make_setup("bitblossom", {"board_size": side, "num_players": num_players})


def middle_game(board, index=0):
    """A game after as many random turns as fill about a third of the board, in the middle of a turn."""
    setup = setup_of(board)
    game = random_start(setup, np.random.default_rng(index), len(setup.placements) // 9)
    game.apply(legal_actions(game)[0])
    return game


def legal_actions(game):
    """The legal actions of a game, ascending."""
    return np.flatnonzero(game.legal_mask()).tolist()


def middle_batch(board, observe):
    """A batch of such games, its views, and one legal action for each game."""
    batch = setup_of(board).new_batch(NUM_GAMES)
    views = Views.allocate(setup_of(board), NUM_GAMES, observe)
    actions = np.zeros(NUM_GAMES, np.int64)
    rng = np.random.default_rng(0)
    for index in range(NUM_GAMES):
        game = middle_game(board, index)
        batch.start(index, game)
        actions[index] = rng.choice(legal_actions(game))
    batch.look(0, NUM_GAMES, views)
    return batch, views, actions
