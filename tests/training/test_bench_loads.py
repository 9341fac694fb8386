"""What benchmarks measure: the choice of actions, the play, the positions, the bytes."""

import numpy as np
import pytest

import bitblossom_env  # noqa: F401 - registers the games
from bitblossom_env import bitblossom_v0
from bitblossom_env.core.game import make_setup
from training.benchmarks.choosing import choose_each, choose_one
from training.benchmarks.contest import Sample
from training.benchmarks.loads import breakdown, calls, growth, replay, spin, threads
from training.benchmarks.loads.batch import BatchPlay
from training.benchmarks.loads.repeated import RepeatedSteps, game_of
from training.benchmarks.loads.single import NUM_NUMBERS, SinglePlay
from training.benchmarks.loads.size import env_bytes, state_bytes, view_bytes
from training.benchmarks.positions import num_walls_above_stage, serpentine, wall_cells
from training.benchmarks.positions import replay as replay_position

SMALL = {"board_size": 5, "num_players": 2}


@pytest.mark.parametrize("num_actions", [1, 31, 32, 33, 51, 163])
def test_the_choice_is_the_action_of_that_rank(num_actions):
    rng = np.random.default_rng(num_actions)
    masks = (rng.random((200, num_actions)) < rng.random((200, 1))).astype(np.int8)
    masks[:, rng.integers(num_actions)] = 1
    numbers = rng.random(200)
    numbers[:2] = 0.0, np.nextafter(1.0, 0.0)
    actions = np.zeros(200, np.int64)
    choose_each(masks, numbers, actions)
    for mask, number, action in zip(masks, numbers, actions, strict=True):
        legal = np.flatnonzero(mask)
        assert action == choose_one(mask, number) == legal[int(number * legal.size)]


def test_no_action_is_chosen_where_none_is_legal():
    assert choose_one(np.zeros(51, np.int8), 0.5) == -1


@pytest.mark.parametrize("observe", [True, False])
def test_a_batch_plays_whole_games_in_all_phases(observe):
    play = BatchPlay(64, observe=observe, **SMALL)
    turns = {play.env.game(row).turn for row in range(64)}
    assert len(turns) > 10
    sample = Sample(**play.measure(0.05))
    assert sample.steps % 64 == 0
    assert sample.steps > sample.turns > sample.games > 0
    assert 0 < sample.choosing < sample.seconds <= sample.elapsed * 1.01
    assert sample.rate_alone > sample.rate
    assert play.facts["written"]["planes"] == (25 * 25 if observe else 0)


def test_single_games_are_played_to_their_end():
    play = SinglePlay(bitblossom_v0.env(**SMALL))
    before = play.num_games
    play.play(np.random.default_rng(0).random(2000).tolist())
    assert play.num_games - before > 5
    sample = Sample(**play.measure(0.02))
    assert sample.steps % NUM_NUMBERS == 0
    assert 0 < sample.choosing < sample.seconds


def test_the_parts_of_a_step_add_up():
    found = breakdown.prepare(num_envs=16, **SMALL).measure(0.02)
    parts = dict(found["parts"])
    whole = parts.pop("whole step")
    parts.pop("choice of the action (not in the step)")
    assert sum(parts.values()) == pytest.approx(whole)
    shares = [kind["share"] for kind in found["kinds"].values()]
    assert sum(shares) == pytest.approx(1)
    assert min(shares) > 0
    assert all(kind["ns"] > 0 for kind in found["kinds"].values())


def test_the_profile_shares_out_the_whole_time():
    shares = calls.prepare(**SMALL).measure(0.01)["shares"]
    assert sum(shares.values()) == pytest.approx(1)
    assert list(shares.values()) == sorted(shares.values(), reverse=True)
    assert any(name.startswith("step (aec.py:") for name in shares)


def test_threads_share_the_games():
    play = threads.prepare(num_envs=8, num_threads=2, is_mixed=False, **SMALL)
    assert play.facts["num_threads"] == 2
    found = play.measure(0.01)
    assert found["steps"] % 8 == 0
    assert found["elapsed"] >= 0.01
    assert found["cpu"] > 0


def test_spinning_counts():
    found = spin.prepare().measure(0.02)
    assert found["rate"] > 0
    assert 0 < found["core_share"] <= 1.01


def test_bytes_are_those_of_the_arrays():
    setup = make_setup("bitblossom", {"board_size": 9, "num_players": 2})
    batch = setup.new_batch(1)
    batch.start(0, setup.new_game(np.random.default_rng(0)))
    state = batch.get_states(np.array([0]))
    arrays = sum(array.nbytes for array in vars(state).values())
    assert state_bytes(setup) == pytest.approx(arrays, rel=0.02)
    assert view_bytes(setup) == {"planes": 25 * 81, "mask": 163}
    assert env_bytes(board_size=9) - env_bytes(board_size=9, observe=False) == pytest.approx(25 * 81, rel=0.02)


@pytest.mark.parametrize("is_closed", [False, True])
def test_walls_leave_one_corridor_or_none(is_closed):
    cells = set(wall_cells(9, 4, is_closed))
    open_ends = [(row, column) for row in (1, 3, 5, 7) for column in (0, 8) if (row, column) not in cells]
    assert open_ends == ([] if is_closed else [(1, 8), (3, 0), (5, 8), (7, 0)])
    assert len(cells) == 4 * (9 if is_closed else 8)


@pytest.mark.parametrize("side", [8, 9, 19, 32])
@pytest.mark.parametrize("is_upright", [False, True])
def test_the_stone_closes_the_corridor_of_a_serpentine(side, is_upright):
    position, (row, column) = serpentine(side, is_upright)
    game = game_of(position)
    walls = {(r, c) for r, c, seat, *_ in position["pieces"] if seat == 0}
    assert connected((row, column), walls, side) == side * side - len(walls)
    neighbours = [(row, column - 1), (row, column + 1)] if not is_upright else [(row - 1, column), (row + 1, column)]
    parts = [connected(cell, walls | {(row, column)}, side) for cell in neighbours]
    assert sum(parts) == side * side - len(walls) - 1
    before = game.hash()
    game.apply(game.setup.placements[row * side + column])
    game.apply(game.setup.retractions[row * side + column])
    assert game.clone().legal_mask().any()
    assert game.hash() != before  # a retraction is counted
    assert game.to_position()["pieces"] == game_of(position).to_position()["pieces"]


def connected(start, walls, side):
    """Cells that can be reached from `start`, orthogonally, around the walls."""
    seen, todo = {start}, [start]
    while todo:
        row, column = todo.pop()
        for cell in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if min(cell) >= 0 and max(cell) < side and cell not in walls and cell not in seen:
                seen.add(cell)
                todo.append(cell)
    return len(seen)


@pytest.mark.parametrize("is_closed", [False, True])
def test_histories_differ_in_stamps_alone(is_closed):
    positions = {num_turns: replay_position(19, num_turns, is_closed) for num_turns in (1, 7, 120)}
    boards = [[piece[:3] + piece[4:] for piece in position["pieces"]] for position in positions.values()]
    assert boards[0] == boards[1] == boards[2]
    for num_turns, position in positions.items():
        last_row = 2 * num_walls_above_stage(19)
        stamps = {stamp for row, _, seat, stamp, is_base, _ in position["pieces"] if row < last_row and seat == 0}
        assert len(stamps) == num_turns
        game = replay.checked_game(position)
        game.apply(game.setup.end_turn)
        assert not game.is_over


def test_a_turn_that_takes_nothing_is_no_replay():
    quiet = replay_position(9, 1, is_closed=True, has_capture=False)
    with pytest.raises(ValueError, match="takes 0 pieces"):
        replay.checked_game(quiet)


def test_repeated_steps_begin_at_the_same_state_again():
    position, (row, column) = serpentine(9, is_upright=False)
    game = game_of(position)
    steps = RepeatedSteps(game, [row * 9 + column])
    assert steps.seconds_per_step(0.01) > 0  # the stone could not be set twice in one game


def test_an_illegal_step_is_not_timed():
    position, _ = serpentine(9, is_upright=False)
    steps = RepeatedSteps(game_of(position), [9])  # a wall stands there
    with pytest.raises(ValueError, match="action 9 of the series is illegal"):
        steps.seconds_per_step(0.01)


def test_cases_and_growth_tell_of_every_board():
    found = replay.prepare(side=9, histories=[1, 4]).measure(0.02)
    assert list(found) == [f"{kind}/{turns}" for kind in replay.KINDS for turns in (1, 4, replay.NO_CAPTURE)]
    costs = growth.prepare(sides=[8, 9]).measure(0.02)
    assert list(costs) == [growth.PLAY, growth.LEVEL, growth.UPRIGHT, growth.REPLAY]
    assert all(set(by_side) == {"8", "9"} and min(by_side.values()) > 0 for by_side in costs.values())
