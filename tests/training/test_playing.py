"""Playing a schedule: one process or several, whole or cut short, asked one by one or together: the same results."""

import os
import signal
import time

import numpy as np
import pytest

import agents
import bitblossom_env  # noqa: F401 - registers the games
from agents.base import ActsTogether
from bitblossom_env.core.game import make_setup
from tests.training.results import duel_block
from training.evaluation.contest import SHARD_GAMES, Contest, Plan, PlayedBlock, play_shards
from training.evaluation.playing import GAMES_PER_PROCESS, ScoreTest, choose_num_processes, play_all
from training.evaluation.schedule import make_blocks, make_lineups, make_shards, round_robin
from training.evaluation.sequential import SequentialTest


def make_contest(names=("random", "random:any"), **rules):
    setup = make_setup("bitblossom", {"num_players": 2, "board_size": 5, **rules})
    return Contest(Plan(setup, tuple(names), tuple(names), seed=0, random_turns=(1, 2)))


def blocks_for(contest, num_games):
    names = contest.plan.names
    return make_blocks(make_lineups(round_robin, len(names), contest.plan.setup.num_seats), names, num_games)


def outcomes(blocks):
    return [(game.seating, game.ranks, game.fingerprint) for block in blocks for game in block.results]


class Crowd:
    """A random agent that notes how many games it is asked for at once."""

    name = "crowd"

    def __init__(self):
        self.sizes = []

    def act(self, game, seat, rng):
        return self.act_many([game], [seat], [rng])[0]

    def act_many(self, games, seats, rngs):
        assert len(games) == len(seats) == len(rngs)
        assert all(game.to_move == seat for game, seat in zip(games, seats, strict=True))
        self.sizes.append(len(games))
        agent = agents.make("random")
        return [agent.act(*asked) for asked in zip(games, seats, rngs, strict=True)]


def test_agents_that_act_together_are_asked_for_the_games_of_one_shard_at_most():
    contest = make_contest()
    crowd = Crowd()
    assert isinstance(crowd, ActsTogether)
    contest.agents = (crowd, contest.agents[1])
    blocks = blocks_for(contest, 100)
    shards = contest.shards(blocks)
    assert [sum(len(block.lineup) for block in shard) for shard in shards] == [SHARD_GAMES] * 3 + [4]
    together = outcomes(play_all(contest, blocks, 1).blocks)
    assert 8 < max(crowd.sizes) <= SHARD_GAMES
    alone = make_contest()
    assert together == outcomes(play_all(alone, blocks, 1).blocks)


class Slow:
    """A random agent that takes its time."""

    name = "slow"

    def act(self, *asked):
        time.sleep(0.01)
        return agents.make("random").act(*asked)


def test_shards_of_slow_agents_are_small():
    contest = make_contest()
    blocks = blocks_for(contest, 100)
    assert max(len(shard) for shard in contest.shards(blocks)) > 1
    slow = Contest(contest.plan, [Slow(), contest.agents[1]])
    assert {len(shard) for shard in slow.shards(blocks)} == {1}


def test_results_stand_in_the_order_of_the_schedule_whatever_finishes_first():
    contest = make_contest()
    blocks = blocks_for(contest, 40)
    alone, shared = (play_all(contest, blocks, num_processes) for num_processes in (1, 2))
    assert [played.block for played in shared.blocks] == blocks
    assert outcomes(alone.blocks) == outcomes(shared.blocks)
    assert shared.num_games == 40


def test_more_processes_than_shards_do_no_harm():
    contest = make_contest()
    shards = make_shards(blocks_for(contest, 4), 2)
    assert sorted(index for index, _ in play_shards(contest, shards, 3)) == [0, 1]


def test_an_evaluation_that_is_decided_ends_with_that_shard():
    contest = make_contest()
    blocks = blocks_for(contest, 40)
    for num_processes in (1, 2):
        seen = []

        def is_enough(played, seen=seen):
            seen.append(played.block)
            return len(seen) == 7

        played = play_all(contest, blocks, num_processes, is_enough=is_enough)
        assert [played.block for played in played.blocks] == seen == blocks[:7]
        assert not played.is_interrupted


def test_ctrl_c_keeps_every_shard_that_is_finished():
    contest = make_contest()
    blocks = blocks_for(contest, 80)

    finished = []

    def interrupt(shard):
        finished.extend(shard)
        if len(finished) > 10:
            raise KeyboardInterrupt

    played = play_all(contest, blocks, 1, on_shard=interrupt)
    assert played.is_interrupted
    assert played.blocks == finished
    assert [played.block for played in finished] == blocks[: len(finished)]
    assert 10 < len(finished) < 40


def test_the_death_of_a_process_is_told():
    contest = make_contest(board_size=9)
    shards = contest.shards(blocks_for(contest, 2000))
    playing = play_shards(contest, shards, 2)
    next(playing)
    (victim, *_) = [int(pid) for pid in children(os.getpid())]
    os.kill(victim, signal.SIGKILL)
    with pytest.raises(RuntimeError, match=r"process player-\d died \(exit code -9\)"):
        list(playing)


def children(process_id):
    """The processes spawned by this one that run a shard player."""
    with open(f"/proc/{process_id}/task/{process_id}/children") as file:  # noqa: PTH123 - a file of the system
        pids = file.read().split()
    return [pid for pid in pids if b"spawn_main" in open(f"/proc/{pid}/cmdline", "rb").read()]  # noqa: PTH123


class Faulty:
    """Fails when it is asked."""

    name = "faulty"

    def act(self, *_):
        raise ZeroDivisionError("of the agent")


def make_faulty(*_):
    return Faulty()


def test_a_fault_of_an_agent_is_told_before_anything_is_played(monkeypatch):
    monkeypatch.setattr("agents.registry._ENTRIES", dict(agents.registry._ENTRIES))
    agents.register("faulty", "tests.training.test_playing:make_faulty")
    with pytest.raises(ZeroDivisionError, match="of the agent"):
        make_contest(["random", "faulty"])


def test_a_sequential_test_learns_nothing_from_copies():
    test = SequentialTest(-200, 200)
    blocks = [PlayedBlock(block, tuple(duel_block(0, 1, "11")), ()) for block in blocks_for(make_contest(), 60)]
    copied, fresh = ScoreTest(test, 0, 1), ScoreTest(test, 0, 1)
    assert not any(copied(blocks[0]) for _ in range(30))
    assert copied.verdict.blocks == 1
    assert any(fresh(block) for block in blocks)


@pytest.mark.parametrize(("asked", "num_games", "chosen"), [(None, 10, 1), (3, 40, 3), (3, 4, 2), (1, 4000, 1)])
def test_the_number_of_processes(asked, num_games, chosen):
    assert choose_num_processes(asked, blocks_for(make_contest(), num_games)) == chosen


def test_there_is_a_process_a_core_for_many_games():
    blocks = blocks_for(make_contest(), 64 * GAMES_PER_PROCESS)
    assert choose_num_processes(None, blocks) == min(64, len(os.sched_getaffinity(0)))
    with pytest.raises(ValueError, match="processes=0 is out of range; allowed: 1 or more"):
        choose_num_processes(0, blocks)


def test_an_agent_that_acts_together_is_timed_by_its_share():
    contest = make_contest()
    contest.agents = (Crowd(), contest.agents[1])
    (played,) = contest.answer(blocks_for(contest, 2))
    assert all(np.array(game.seconds).min() > 0 for game in played.results)
