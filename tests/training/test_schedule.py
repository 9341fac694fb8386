"""Schedules: balance over seats and pairs, rounding, and seeds that depend on nothing but their key."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

import bitblossom_env  # noqa: F401 - registers the games
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import play_random_turn
from training.evaluation.schedule import (
    agent_rng,
    draw_start,
    gauntlet,
    lineup_key,
    make_blocks,
    make_lineups,
    make_rng,
    make_shards,
    pairs,
    round_robin,
)

SHAPES = [(2, 2), (3, 2), (5, 2), (2, 3), (3, 3), (4, 3), (2, 4), (3, 4), (5, 4), (2, 8), (8, 8), (9, 8)]


def plan_blocks(num_agents, num_seats, num_games=50, pairing=round_robin):
    names = [f"agent {index}" for index in range(num_agents)]
    return make_blocks(make_lineups(pairing, num_agents, num_seats), names, num_games)


@pytest.mark.parametrize("pairing", [round_robin, pairs])
@pytest.mark.parametrize(("num_agents", "num_seats"), SHAPES)
def test_each_agent_takes_each_seat_equally_often(num_agents, num_seats, pairing):
    blocks = plan_blocks(num_agents, num_seats, pairing=pairing)
    held = Counter(
        (agent, seat) for block in blocks for seating in block.seatings(3) for seat, agent in enumerate(seating)
    )
    assert len(held) == num_agents * num_seats
    assert len(set(held.values())) == 1


@pytest.mark.parametrize("pairing", [round_robin, pairs])
@pytest.mark.parametrize(("num_agents", "num_seats"), SHAPES)
def test_each_pair_of_agents_meets_equally_often(num_agents, num_seats, pairing):
    blocks = plan_blocks(num_agents, num_seats, pairing=pairing)
    met = Counter(
        frozenset(pair)
        for block in blocks
        for seating in block.seatings(3)
        for pair in combinations(seating, 2)
        if pair[0] != pair[1]
    )
    assert len(met) == num_agents * (num_agents - 1) // 2
    assert len(set(met.values())) == 1


def test_two_agents_at_a_bigger_table_meet_one_against_many_both_ways():
    assert make_lineups(round_robin, 2, 4) == ((0, 1, 1, 1), (0, 0, 0, 1))


def test_in_a_gauntlet_every_table_holds_the_hero():
    assert make_lineups(gauntlet([1]), 3, 2) == ((0, 1), (1, 2))
    assert make_lineups(gauntlet([2]), 3, 3) == ((0, 2, 2), (0, 0, 2), (1, 2, 2), (1, 1, 2))
    assert make_lineups(gauntlet([0, 1, 2]), 3, 2) == make_lineups(pairs, 3, 2)


def test_a_block_holds_every_rotation_of_one_arrangement():
    (block,) = plan_blocks(3, 3, 1)
    first, *others = block.seatings(0)
    assert sorted(first) == [0, 1, 2]
    assert others == [first[1:] + first[:1], first[2:] + first[:2]]


def test_nobody_always_moves_right_after_the_same_agent():
    follows = Counter()
    for block in plan_blocks(3, 3, 600):
        seating = block.seatings(0)[0]
        follows[seating[(seating.index(0) + 1) % 3]] += 1
    assert sorted(follows) == [1, 2]
    assert min(follows.values()) > 70  # of 200; 100 expected, 7 is the standard deviation


@pytest.mark.parametrize(("games", "played"), [(1, 6), (6, 6), (7, 12), (12, 12)])
def test_games_are_rounded_up_to_whole_rounds(games, played):
    blocks = plan_blocks(3, 2, games)
    assert sum(len(block.lineup) for block in blocks) == played
    assert [block.round for block in blocks] == sorted(block.round for block in blocks)


def test_a_longer_evaluation_begins_like_a_shorter_one():
    assert plan_blocks(4, 2, 100)[:12] == plan_blocks(4, 2, 24)


def test_a_block_knows_its_line_up_by_name_and_nobody_else():
    alone = make_blocks(((0, 1),), ["b", "d"], 6)
    among_others = [block for block in make_blocks(pairs(4, 2), ["a", "b", "c", "d"], 36) if block.lineup == (1, 3)]
    assert [block.stream for block in alone] == [block.stream for block in among_others]
    assert [block.seatings(7)[0][0] == 0 for block in alone] == [block.seatings(7)[0][0] == 1 for block in among_others]
    assert lineup_key(["b", "d"]) == lineup_key(["d", "b"])
    assert len({lineup_key(names) for names in (["b", "d"], ["b", "d", "d"], ["b", "b", "d"], ["bd"], ["b", "c"])}) == 5


@pytest.mark.parametrize(("num_agents", "games"), [(0, 10), (1, 10), (2, 0), (2, -1)])
def test_too_few_agents_or_games_are_refused(num_agents, games):
    with pytest.raises(ValueError, match="allowed: "):
        plan_blocks(num_agents, 2, games)


@pytest.mark.parametrize(("num_games", "sizes"), [(1, [1] * 5), (2, [1] * 5), (3, [1] * 5), (4, [2, 2, 1]), (100, [5])])
def test_shards_hold_consecutive_whole_blocks(num_games, sizes):
    blocks = plan_blocks(2, 2, 10)
    shards = make_shards(blocks, num_games)
    assert [len(shard) for shard in shards] == sizes
    assert [block for shard in shards for block in shard] == blocks


def test_generators_differ_by_every_part_of_their_key():
    keys = [(0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)]
    draws = {agent_rng(*key).integers(2**62) for key in keys}
    assert len(draws) == len(keys)
    assert agent_rng(3, 1, 2, 0).integers(2**62) == agent_rng(3, 1, 2, 0).integers(2**62)


def test_starts_are_running_games_of_the_asked_number_of_turns():
    setup = make_setup("bitblossom", {"num_players": 3, "board_size": 7})
    starts = [draw_start(setup, 5, (block,), (1, 3)) for block in range(30)]
    assert {start.turn for start in starts} == {1, 2, 3}
    assert not any(start.is_over for start in starts)
    assert len({start.hash() for start in starts}) > 25
    again = [draw_start(setup, 5, (block,), (1, 3)) for block in reversed(range(30))]
    assert [start.hash() for start in starts] == [start.hash() for start in reversed(again)]


def test_a_start_that_is_over_already_is_drawn_again():
    setup = make_setup("bitblossom", {"num_players": 2, "board_size": 5})
    num_over = 0
    for block in range(40):
        rng = make_rng(block)
        game = setup.new_game(rng)
        for _ in range(8):
            if not game.is_over:
                play_random_turn(game, rng)
        num_over += game.is_over
        start = draw_start(setup, 0, (block,), (8, 8))
        assert not start.is_over
        assert start.turn == 8
    assert num_over > 5  # so that the redrawing had something to do


def test_random_turns_that_no_game_survives_are_refused():
    setup = make_setup("bitblossom", {"num_players": 2, "board_size": 5, "max_turns": 3})
    with pytest.raises(ValueError, match="random_turns=3"):
        draw_start(setup, 0, (0,), (3, 3))


def test_random_bases_are_part_of_the_start():
    setup = make_setup("bitblossom", {"num_players": 2, "board_size": 9, "home_bases": "random"})
    hashes = {draw_start(setup, 0, (block,), (0, 0)).hash() for block in range(10)}
    assert len(hashes) > 5
    assert draw_start(setup, 0, (4,), (0, 0)).hash() == draw_start(setup, 0, (4,), (0, 0)).hash()


def test_no_global_generator_is_used():
    np.random.seed(0)  # noqa: NPY002 - the global generator is what this test watches
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    draw_start(make_setup("bitblossom", {"num_players": 2, "board_size": 5}), 1, (0,), (1, 1))
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002
