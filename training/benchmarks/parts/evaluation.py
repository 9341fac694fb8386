"""Evaluation: how many games a second one gets from two processes, beside one."""

from __future__ import annotations

import time
from collections.abc import Sequence

import bitblossom_env  # noqa: F401 - registers the games
from bitblossom_env.core.game import make_setup
from training.benchmarks.contest import Pace, Spread
from training.benchmarks.parts.cores import IdleCheck, check_idle
from training.benchmarks.report import NOT_MEASURABLE, Part, Table, Verdict, rate_text, ratio_text
from training.evaluation.contest import Contest, Plan, play_shards
from training.evaluation.progress import track
from training.evaluation.schedule import Block, make_blocks, pairs
from training.evaluation.tables import make_console

TARGET = 1.7  # times as many games with two processes on two idle cores as with one
NAMES = ("greedy", "random")
SUBJECT = "evaluation, two processes"
CALIBRATION_GAMES = 200
MIN_GAMES = 1000  # so that one process left with the last shard does not count


def measure(pace: Pace) -> Part:
    """Returns the part of the report; without two idle cores before and after nothing is judged."""
    setup = make_setup("bitblossom", {"num_players": 2, "board_size": 9})
    contest = Contest(Plan(setup, NAMES, NAMES, seed=0, random_turns=(1, 4)))
    before = check_idle()
    pace_alone = games_a_second(contest, plan_shards(contest, CALIBRATION_GAMES), 1)
    shards = plan_shards(contest, max(MIN_GAMES, int(pace.seconds * 2 * pace_alone)))
    rounds = track(range(pace.num_rounds), "evaluation", make_console(stderr=True))
    rates = [[games_a_second(contest, shards, num_processes) for num_processes in (1, 2)] for _ in rounds]
    return report([before, check_idle()], rates)


def plan_shards(contest: Contest, num_games: int) -> list[list[Block]]:
    """Returns a schedule of at least that many games."""
    return contest.shards(make_blocks(pairs(2, 2), contest.plan.names, num_games))


def games_a_second(contest: Contest, shards: Sequence[Sequence[Block]], num_processes: int) -> float:
    """Returns games a second by the clock, once every process has loaded what it needs."""
    playing = play_shards(contest, shards, num_processes)
    for _ in range(num_processes):
        next(playing)
    began = time.perf_counter()
    num_games = sum(len(block.results) for _, played in playing for block in played)
    return num_games / (time.perf_counter() - began)


def report(checks: Sequence[IdleCheck], rates: Sequence[Sequence[float]]) -> Part:
    """Returns the part of the report for the checks before and after, and the rates with one and two, by round."""
    one, two = (Spread.of(column) for column in zip(*rates, strict=True))
    gain = Spread.of(pair[1] / pair[0] for pair in rates)
    part = Part("evaluation", "Evaluation", data={"rates": [list(pair) for pair in rates]})
    part.notes = [f"{when}: {check.text}" for when, check in zip(("Before", "After"), checks, strict=True)]
    header = ["", "one process, games/s", "two processes, games/s", "gain"]
    title = "`bitblossom evaluate`: the same schedule on 9x9, by the clock, the start of processes left out"
    part.tables = [Table(title, [header, [" against ".join(NAMES), rate_text(one), rate_text(two), ratio_text(gain)]])]
    if all(check.is_idle for check in checks):
        part.verdicts = [Verdict(SUBJECT, ratio_text(gain), f"{TARGET}x", gain.median >= TARGET)]
    else:
        part.verdicts = [Verdict(SUBJECT, NOT_MEASURABLE, f"{TARGET}x", None)]
    return part
