"""`make bench`: what the compiled doors take for 256 games, each called once from Python."""

import numpy as np
import pytest

from bitblossom_env.core.batch import ALL_LEGAL
from training.benchmarks.loads.repeated import game_of
from training.benchmarks.positions import replay, serpentine

from .games import BOARDS, NUM_GAMES, middle_batch

ROUNDS = 200


@pytest.fixture(params=BOARDS)
def board(request):
    return request.param


@pytest.mark.parametrize("observe", [True, False], ids=["planes", "no planes"])
def test_advance(benchmark, board, observe):
    benchmark.group = f"advance, {NUM_GAMES} games"
    batch, views, actions = middle_batch(board, observe)
    rows = np.arange(NUM_GAMES)
    states = batch.get_states(rows)
    result = benchmark.pedantic(
        batch.advance,
        args=(actions, 0, NUM_GAMES, views),
        setup=lambda: batch.set_states(rows, states),
        rounds=ROUNDS,
        warmup_rounds=3,
    )
    assert result == ALL_LEGAL


@pytest.mark.parametrize("observe", [True, False], ids=["planes", "no planes"])
def test_look(benchmark, board, observe):
    benchmark.group = f"look, {NUM_GAMES} games"
    batch, views, _ = middle_batch(board, observe)
    benchmark(batch.look, 0, NUM_GAMES, views)
    assert views.masks.any(axis=1).all()


def test_find_illegal(benchmark, board):
    benchmark.group = f"find_illegal, {NUM_GAMES} games"
    batch, _, actions = middle_batch(board, observe=False)
    assert benchmark(batch.find_illegal, actions, 0, NUM_GAMES) == ALL_LEGAL


@pytest.mark.parametrize("num_turns", [1, 10, 100])
def test_replay(benchmark, num_turns):
    benchmark.group = "one end of a turn that replays walls of 19x19"
    game = game_of(replay(19, num_turns, is_closed=True))
    benchmark.pedantic(
        lambda clone: clone.apply(game.setup.end_turn),
        setup=lambda: ((game.clone(),), {}),
        rounds=ROUNDS,
        warmup_rounds=3,
    )


@pytest.mark.parametrize("is_upright", [False, True], ids=["level", "upright"])
def test_serpentine(benchmark, is_upright):
    benchmark.group = "one stone on a serpentine of 19x19"
    position, (row, column) = serpentine(19, is_upright)
    game = game_of(position)
    benchmark.pedantic(
        lambda clone: clone.apply(19 * row + column),
        setup=lambda: ((game.clone(),), {}),
        rounds=ROUNDS,
        warmup_rounds=3,
    )
