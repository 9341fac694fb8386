"""`bitblossom tournament`: a table of results that grows with every agent and every run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jsonargparse import ArgumentParser, Namespace

from agents.neural.layout import CHECKPOINTS_FOLDER, META_FILE
from agents.registry import is_known
from training.commands.contest_settings import (
    ContestConfig,
    exit_code,
    find_pairing,
    make_plan,
    new_contest_parser,
    spec_help,
    unique_names,
    with_agents,
)
from training.commands.parser import check_distinct, output_path, parse_settings
from training.evaluation.contest import Contest, Plan
from training.evaluation.destinations import Destinations
from training.evaluation.ledger import Ledger
from training.evaluation.playing import Played, choose_num_processes, play_all
from training.evaluation.tables import make_console, print_line, print_report
from training.evaluation.tournament import gather, open_contest, plan_missing, report_of
from training.interrupts import interrupts_held

DESCRIPTION = f"""Every two agents play each other; results are kept in the folder --out, and only games that are
missing there are played. So a new checkpoint, named alone, joins an existing table. A DIR stands for all checkpoints
in it. {spec_help()}"""
RESULTS_FILE = "results.jsonl"
PAIRINGS = ("pairs", "gauntlet")


@dataclass
class TournamentConfig:
    """Settings of this command alone.

    Args:
        out: folder of the table: results.jsonl, report.json, agents.csv, agents.md, payoff.npz and plots
        games: least number of games that every two agents shall have played
        pairing: pairs (all pairs of the table), gauntlet (pairs with an agent that is named now)
        records: file for one game record a line, of the games played now
    """

    out: str = "runs/tournament"
    games: int = 40
    pairing: str = "pairs"
    records: str | None = None


def make_parser() -> ArgumentParser:
    """Returns the parser of this command."""
    parser = new_contest_parser("tournament", DESCRIPTION, "DIR|SPEC")
    parser.add_class_arguments(TournamentConfig)
    return parser


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    settings = parse_settings(make_parser(), arguments, ContestConfig, TournamentConfig)
    find_pairing(settings.pairing, PAIRINGS, ())  # a wrong name is told before the table is opened
    out = Path(settings.out)
    json, records = output_path(settings.json), output_path(settings.records)
    table = Destinations(
        json=out / "report.json",
        csv=out / "agents.csv",
        payoff=out / "payoff.npz",
        markdown=out / "agents.md",
        records=records,
        plots=out,
    )
    results = out / RESULTS_FILE
    check_distinct([json, records, results, table.json, table.csv, table.payoff, table.markdown])
    specs = expand_all(settings.specs or settings.agents)
    plan = make_plan(settings, {}, keep_records=records is not None)
    with Ledger(results, plan) as ledger:
        agents = dict(zip(unique_names(specs, ledger.specs()), specs, strict=True))
        played, num_planned = play_missing(settings, ledger, with_agents(plan, agents))
        if not ledger.blocks:
            raise KeyboardInterrupt
        with interrupts_held():  # an impatient second Ctrl-C shall not cost the report
            report = report_of(ledger, plan)
            table.write(report, played.records())
            Destinations(json=json).write(report)
            console = make_console()
            print_report(console, report)
            print_line(console, closing_line(played, ledger, num_planned))
    return exit_code(played)


def play_missing(settings: Namespace, ledger: Ledger, plan: Plan) -> tuple[Played, int]:
    """Plays what the table lacks with the agents of `plan` in it; returns it and how many blocks were planned."""
    field = gather(ledger, Contest(plan))  # whoever cannot play is refused before the table knows it
    messages = make_console(stderr=True)
    for name, reason in field.gone.items():
        print_line(messages, f"{name} cannot play any more and keeps its stored games: {reason}")
    heroes = [place for place, name in enumerate(field.agents) if name in plan.names]
    pairing = find_pairing(settings.pairing, PAIRINGS, heroes)
    missing, blocks = plan_missing(ledger, field, pairing, plan, settings.games)
    num_processes = choose_num_processes(settings.processes, blocks)
    if not blocks:
        return Played(), 0
    contest = open_contest(missing, field)
    played = play_all(
        contest, blocks, num_processes, on_shard=lambda shard: ledger.add(shard, missing.names), ray=settings.ray
    )
    return played, len(blocks)


def expand_all(words: Sequence[str]) -> list[str]:
    """Returns the specs that the words of the command line stand for; no folder adds a checkpoint twice."""
    specs: list[str] = []
    for word in words:
        found = expand(word)
        specs += found if found == [word] else [spec for spec in found if spec not in specs]
    return specs


def expand(word: str) -> list[str]:
    """Returns the specs that a word of the command line stands for: itself, or the checkpoints of a folder."""
    folder = Path(word)
    if "?" in word and folder.is_dir():
        raise ValueError(f"folder {word!r} holds a '?', which begins options; allowed: another name")
    if is_known(word) or not folder.is_dir():
        return [word]
    for home in (folder, folder / CHECKPOINTS_FOLDER):
        found = [entry for entry in home.iterdir() if is_checkpoint(entry)] if home.is_dir() else []
        if found:
            return [f"checkpoint:{entry}" for entry in sorted(found, key=lambda entry: (int(entry.name), entry.name))]
    if (folder / META_FILE).is_file():
        return [f"checkpoint:{folder}"]
    raise ValueError(f"folder {word!r} holds no checkpoints; allowed: a run, its checkpoints folder or a checkpoint")


def is_checkpoint(entry: Path) -> bool:
    """Returns whether a folder is a checkpoint with a number for its name."""
    return entry.name.isascii() and entry.name.isdecimal() and (entry / META_FILE).is_file()


def closing_line(played: Played, ledger: Ledger, num_planned: int) -> str:
    """Returns what was played now and what the table holds."""
    cut = f" of {num_planned} planned" if played.is_cut_short else ""
    total = sum(len(block.results) for block in ledger.blocks.values())
    return f"{played.num_games} games in {len(played.blocks)} blocks{cut} played now; {total} games in {ledger.path}."
