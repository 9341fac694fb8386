"""`make bench`: what a step takes as environments and agents make it, random play in all of them."""

import pytest

from bitblossom_env import bitblossom_v0
from training.benchmarks.loads.batch import BatchPlay
from training.benchmarks.loads.single import SinglePlay

from .games import BOARDS, middle_game

NUM_STEPS = 100


@pytest.fixture(params=BOARDS)
def board(request):
    return request.param


def arguments_of(board):
    side, num_players = BOARDS[board]
    return {"board_size": side, "num_players": num_players}


@pytest.mark.parametrize("num_envs", [1, 16, 256])
def test_batch_env(benchmark, board, num_envs):
    benchmark.group = f"BatchEnv.step, {num_envs} games"
    play = BatchPlay(num_envs, **arguments_of(board))
    benchmark.pedantic(lambda: play.env.step(play.actions), setup=play.choose, rounds=1000, warmup_rounds=10)
    assert play.env.action_masks.any(axis=1).all()


def test_aec(benchmark, board):
    benchmark.group = f"last(), choice, step(), {NUM_STEPS} times"
    play = SinglePlay(bitblossom_v0.env(**arguments_of(board)))
    benchmark(play.play, [index / NUM_STEPS for index in range(NUM_STEPS)])


def test_apply(benchmark, board):
    benchmark.group = "clone() and apply() of a game"
    game = middle_game(board)
    action = int(game.legal_mask().argmax())
    benchmark(lambda: game.clone().apply(action))


def test_clone(benchmark, board):
    benchmark.group = "clone() of a game"
    assert benchmark(middle_game(board).clone).num_seats == BOARDS[board][1]


def test_observe(benchmark, board):
    benchmark.group = "observe() of a game"
    game = middle_game(board)
    assert benchmark(game.observe, game.to_move).any()


def test_hash(benchmark, board):
    benchmark.group = "hash() of a game"
    game = middle_game(board)
    assert benchmark(game.hash) == game.clone().hash()
