"""`bitblossom tournament`: a table of results that grows with every agent and every run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jsonargparse import ArgumentParser, Namespace

from agents.neural.layout import CHECKPOINTS_FOLDER, META_FILE
from agents.registry import is_known
from training.commands import INTERRUPTED, OK
from training.commands.contest_settings import (
    find_pairing,
    make_plan,
    new_contest_parser,
    spec_help,
    unique_names,
)
from training.commands.parser import output_path
from training.evaluation.contest import Contest, Plan
from training.evaluation.destinations import Destinations
from training.evaluation.ledger import Ledger
from training.evaluation.playing import Played, choose_num_processes, play_all
from training.evaluation.tables import make_console, print_report
from training.evaluation.tournament import gather, open_contest, plan_missing, report_of

DESCRIPTION = f"""Every two agents play each other; results are kept in the folder --out, and only games that are
missing there are played. So a new checkpoint, named alone, joins an existing table. A DIR stands for all checkpoints
in it. {spec_help()}"""
RESULTS_FILE = "results.jsonl"
PAIRINGS = ("pairs", "gauntlet")


@dataclass
class TournamentConfig:
    """Settings of this command alone.

    Args:
        out: folder of the table: results.jsonl, report.json, agents.csv, payoff.npz and plots
        games: least number of games that every two agents shall have played
        pairing: pairs (all pairs of the table), gauntlet (pairs with an agent that is named now)
    """

    out: str = "runs/tournament"
    games: int = 40
    pairing: str = "pairs"


def make_parser() -> ArgumentParser:
    """Returns the parser of this command."""
    parser = new_contest_parser("tournament", DESCRIPTION, "DIR|SPEC")
    parser.add_class_arguments(TournamentConfig)
    return parser


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    settings = make_parser().parse_args(list(arguments))
    find_pairing(settings.pairing, PAIRINGS, ())  # a wrong name is told before the table is opened
    json_path, out = output_path(settings.json), Path(settings.out)
    if json_path is not None and json_path.resolve() == (out / RESULTS_FILE).resolve():
        raise ValueError(f"json={str(json_path)!r} is the table itself; allowed: another file")
    specs = [spec for word in settings.specs or settings.agents for spec in expand(word)]
    agents = dict(zip(unique_names(specs), specs, strict=True))
    plan = make_plan(settings, agents)
    with Ledger(out / RESULTS_FILE, plan) as ledger:
        played, num_planned = play_missing(settings, ledger, plan, agents)
    if not ledger.blocks:
        raise KeyboardInterrupt
    report = report_of(ledger, plan)
    console = make_console()
    print_report(console, report)
    console.print(closing_line(played, ledger, num_planned), markup=False, soft_wrap=True)
    Destinations(out / "report.json", out / "agents.csv", out / "payoff.npz", plots=out).write(report)
    Destinations(json=json_path).write(report)
    return INTERRUPTED if played.is_interrupted else OK


def play_missing(settings: Namespace, ledger: Ledger, plan: Plan, agents: Mapping[str, str]) -> tuple[Played, int]:
    """Plays what the table lacks with `agents` in it, spec by name; returns it and how many blocks were planned."""
    field = gather(ledger, Contest(plan))  # whoever cannot play is refused before the table knows it
    messages = make_console(stderr=True)
    for name, reason in field.gone.items():
        text = f"{name} cannot play any more and keeps its stored games: {reason}"
        messages.print(text, markup=False, soft_wrap=True)
    heroes = [place for place, name in enumerate(field.agents) if name in agents]
    plan, blocks = plan_missing(ledger, field, find_pairing(settings.pairing, PAIRINGS, heroes), plan, settings.games)
    num_processes = choose_num_processes(settings.processes, blocks)
    if not blocks:
        return Played(), 0
    contest = open_contest(plan, field)
    return play_all(contest, blocks, num_processes, on_shard=lambda shard: ledger.add(shard, plan.names)), len(blocks)


def expand(word: str) -> list[str]:
    """Returns the specs that a word of the command line stands for: itself, or the checkpoints of a folder."""
    folder = Path(word)
    if is_known(word) or not folder.is_dir():
        return [word]
    for home in (folder, folder / CHECKPOINTS_FOLDER):
        steps = sorted(int(entry.name) for entry in home.iterdir() if is_checkpoint(entry)) if home.is_dir() else []
        if steps:
            return [f"checkpoint:{home / str(step)}" for step in steps]
    if (folder / META_FILE).is_file():
        return [f"checkpoint:{folder}"]
    raise ValueError(f"folder {word!r} holds no checkpoints; allowed: a run, its checkpoints folder or a checkpoint")


def is_checkpoint(entry: Path) -> bool:
    """Returns whether a folder is a checkpoint with a number for its name."""
    return entry.name.isdecimal() and (entry / META_FILE).is_file()


def closing_line(played: Played, ledger: Ledger, num_planned: int) -> str:
    """Returns what was played now and what the table holds."""
    cut = f" of {num_planned} planned" if played.is_interrupted else ""
    total = sum(len(block.results) for block in ledger.blocks.values())
    return f"{played.num_games} games in {len(played.blocks)} blocks{cut} played now; {total} games in {ledger.path}."
