"""`bitblossom evaluate`: lets agents play each other from balanced starts and reports who is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jsonargparse import ArgumentParser, Namespace

from agents.registry import usages
from training.commands.contest_settings import (
    ContestConfig,
    exit_code,
    find_pairing,
    is_pair,
    make_plan,
    new_contest_parser,
    shown,
    spec_help,
    unique_names,
)
from training.commands.parser import check_distinct, output_folder, output_path, parse_settings
from training.evaluation.contest import Contest, Plan
from training.evaluation.destinations import Destinations
from training.evaluation.playing import Played, ScoreTest, choose_num_processes, play_all
from training.evaluation.report import Report, make_report
from training.evaluation.schedule import Block, make_blocks, make_lineups
from training.evaluation.sequential import SequentialTest
from training.evaluation.tables import make_console, print_line, print_report
from training.interrupts import interrupts_held

DESCRIPTION = f"""Agents play each other in blocks: one start position, every rotation of the agents over the
seats. {spec_help()} The same SPEC may be given twice."""
PAIRINGS = ("round_robin", "pairs", "gauntlet")
NUM_GAMES = 100
NUM_GAMES_SPRT = 20_000  # a sequential test ends by itself, nearly always long before


@dataclass
class EvaluateConfig:
    """Settings of this command alone.

    Args:
        games: least number of games, rounded up so that every agent takes every seat equally often; default: 100, with
            --sprt at most 20000
        pairing: round_robin (every table of different agents), pairs (one against copies of another and the reverse),
            gauntlet (pairs with the first agent)
        csv: file for the table of agents as CSV
        payoff: file for the matrices as NumPy arrays, .npz
        markdown: file for the table of agents as markdown
        plots: folder for plots as SVG
        records: file for one game record a line
    """

    games: int | None = None
    pairing: str = "round_robin"
    csv: str | None = None
    payoff: str | None = None
    markdown: str | None = None
    plots: str | None = None
    records: str | None = None


def make_parser() -> ArgumentParser:
    """Returns the parser of this command."""
    parser = new_contest_parser("evaluate", DESCRIPTION, "SPEC")
    parser.add_class_arguments(EvaluateConfig)
    parser.add_argument(
        "--sprt",
        nargs=2,
        type=float,
        metavar=("LO", "HI"),
        help="stop as soon as it is decided whether the first of two agents is LO or HI rating points better",
    )
    return parser


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    settings = parse_settings(make_parser(), arguments, ContestConfig, EvaluateConfig)
    paths = {name: output_path(settings[name]) for name in ("json", "csv", "payoff", "markdown", "records")}
    check_distinct(paths.values())
    destinations = Destinations(**paths, plots=output_folder(settings.plots))
    specs = settings.specs or settings.agents
    if len(specs) < 2:
        raise ValueError(f"{len(specs)} agent given; allowed: two or more of {', '.join(usages())}")
    names = unique_names(specs)
    plan = make_plan(settings, dict(zip(names, specs, strict=True)), keep_records=settings.records is not None)
    blocks = plan_blocks(settings, plan, plan.names.index(names[0]))
    test = make_test(settings, plan, names)
    num_processes = choose_num_processes(settings.processes, blocks)
    played = play_all(Contest(plan), blocks, num_processes, is_enough=test, ray=settings.ray)
    if not played.blocks:
        raise KeyboardInterrupt
    with interrupts_held():  # an impatient second Ctrl-C shall not cost what was played
        results = [block.results for block in played.blocks]
        report = make_report(plan.setup, plan.names, results, plan.seed).in_order(names)
        if test is not None:
            report = report.with_verdict(test.verdict)
        destinations.write(report, played.records())
        console = make_console()
        print_report(console, report)
        print_line(console, closing_line(played, report, len(blocks)))
    return exit_code(played)


def plan_blocks(settings: Namespace, plan: Plan, hero: int) -> list[Block]:
    """Returns the schedule; `hero` is the agent that was named first."""
    default = NUM_GAMES if settings.sprt is None else NUM_GAMES_SPRT
    num_games = default if settings.games is None else settings.games
    pairing = find_pairing(settings.pairing, PAIRINGS, [hero])
    return make_blocks(make_lineups(pairing, len(plan.names), plan.setup.num_seats), plan.names, num_games)


def make_test(settings: Namespace, plan: Plan, names: Sequence[str]) -> ScoreTest | None:
    """Returns the sequential test that the settings ask for."""
    if settings.sprt is None:
        return None
    if len(names) != 2:
        raise ValueError(f"sprt needs two agents, {len(names)} are given; allowed: --sprt LO HI with two")
    if not is_pair(settings.sprt, int, float):
        raise ValueError(f"sprt={shown(settings.sprt)} is no test; allowed: LO HI, two numbers of rating points")
    first, second = (plan.names.index(name) for name in names)
    return ScoreTest(SequentialTest(*settings.sprt), first, second)


def closing_line(played: Played, report: Report, num_blocks: int) -> str:
    """Returns what was played, beside what was planned."""
    cut = f", cut short: {num_blocks} blocks were planned" if played.is_cut_short else ""
    return f"{played.num_games} games in {len(played.blocks)} blocks{cut}, {report.distinct_games} of them distinct."
