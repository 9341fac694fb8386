"""`bitblossom first-look`: seat advantage, length, endings and captures with one agent in all seats."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import product

from jsonargparse import ArgumentParser, Namespace

import bitblossom_env  # noqa: F401 - registers the games
from agents import make
from bitblossom_env.core.game import EndReason, make_setup
from training.commands import OK
from training.commands.parser import new_parser, output_path
from training.evaluation.first_look import Look, Sample, measure
from training.evaluation.markdown import markdown_table
from training.evaluation.progress import track
from training.evaluation.tables import make_console, percent, percent_interval
from training.files import write_bytes

DESCRIPTION = "Plays a game with one agent in all seats and prints tables of seats, length, endings and captures."


def make_parser() -> ArgumentParser:
    """Returns the parser of this command."""
    parser = new_parser("first-look", DESCRIPTION)
    parser.add_argument("--game", type=str, default="bitblossom", help="name of the game")
    parser.add_argument("--players", type=int, nargs="+", metavar="P", help="numbers of players, one at a time")
    parser.add_argument("--board", type=int, nargs="+", metavar="SIZE", help="board sizes, one at a time")
    parser.add_argument("--games", type=int, default=200, help="games for each agent and setup")
    parser.add_argument("--seed", type=int, default=0, help="fixes every start and all chance")
    parser.add_argument(
        "--agent", type=str, nargs="+", default=["greedy"], metavar="SPEC", help="agents, one at a time"
    )
    parser.add_argument("--random_turns", type=int, default=1, help="random turns that open each game")
    parser.add_argument("--markdown", type=str | None, metavar="FILE", help="file for the tables as well")
    return parser


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    settings = make_parser().parse_args(list(arguments))
    markdown = output_path(settings.markdown)
    sample = make_sample(settings)
    setups = [make_setup(settings.game, rules) for rules in variants(settings)]
    pairs = [(setup, agent) for agent in [make(spec) for spec in settings.agent] for setup in setups]
    looks = [measure(setup, agent, sample) for setup, agent in track(pairs, "setups", make_console(stderr=True))]
    text = to_markdown(looks, settings, sample)
    sys.stdout.write(text)
    if markdown is not None:
        write_bytes(markdown, text.encode())
    return OK


def variants(settings: Namespace) -> list[dict[str, int]]:
    """Returns the rules of the setups that are looked at; what is not asked for has the game's own default."""
    asked = {"num_players": settings.players, "board_size": settings.board}
    given = {name: values for name, values in asked.items() if values}
    return [dict(zip(given, values, strict=True)) for values in product(*given.values())]


def make_sample(settings: Namespace) -> Sample:
    """Returns which games the settings ask for, checked."""
    for name, least in (("games", 1), ("seed", 0), ("random_turns", 0)):
        if settings[name] < least:
            raise ValueError(f"{name}={settings[name]} is out of range; allowed: {least} or more")
    return Sample(settings.games, settings.seed, settings.random_turns)


def to_markdown(looks: Sequence[Look], settings: Namespace, sample: Sample) -> str:
    """Returns the tables with a line on how they were made."""
    opening = "Games start without random turns."
    if sample.random_turns:
        opening = (
            f"The first {sample.random_turns} turn(s) of each game are random placements, so that games differ by "
            "more than the agent's choice among equals; the seats that move first play these turns blindly."
        )
    intro = (
        f"One agent in all seats, {sample.num_games} games per line, default rules, seed {sample.seed}. {opening} "
        "Shares in %, with 95 % intervals; a shared win counts in equal parts."
    )
    sections = [("Share of wins by seat", seat_rows(looks)), ("Length and end", end_rows(looks))]
    if any(look.has_captures for look in looks):
        sections.append(("Captures and eliminations per game", capture_rows(looks)))
    names = ("game", "players", "board", "games", "seed", "agent", "random_turns")
    given = [name for name in names if settings[name] is not None]
    words = [f"--{name} {' '.join(map(str, as_list(settings[name])))}" for name in given]
    title = f"# A first look at the game itself\n\nPrinted by `bitblossom first-look {' '.join(words)}`."
    parts = [title, intro, *(f"## {heading}\n\n{markdown_table(rows)}" for heading, rows in sections)]
    return "\n\n".join(parts) + "\n"


def as_list(value: object) -> list[object]:
    """Returns one value or several as several."""
    return value if isinstance(value, list) else [value]


LABELS = ["agent", "players", "board"]


def label(look: Look) -> list[str]:
    """Returns the cells that name an agent and a setup."""
    shape = look.setup.board_shape
    board = f"{shape[0]} fields" if len(shape) == 1 else "x".join(map(str, shape))
    return [look.agent, str(look.setup.num_seats), board]


def seat_rows(looks: Sequence[Look]) -> list[list[str]]:
    """Returns header and lines of the share of wins by seat."""
    seats = range(max(look.setup.num_seats for look in looks))
    rows = [[*LABELS, "fair", *(f"seat {seat}" for seat in seats)]]
    for look in looks:
        cells = [
            f"{percent(share)} ({percent_interval(interval)})"
            for share, interval in zip(look.seat_shares, look.seat_intervals, strict=True)
        ]
        padding = [""] * (len(seats) - len(cells))
        rows.append([*label(look), percent(1 / look.setup.num_seats), *cells, *padding])
    return rows


def end_rows(looks: Sequence[Look]) -> list[list[str]]:
    """Returns header and lines of length and reasons."""
    reasons = [reason for reason in EndReason if any(look.reasons[reason] for look in looks)]
    names = [reason.value.replace("_", " ") for reason in reasons]
    rows = [[*LABELS, "turns", "5..95 %", *names]]
    for look in looks:
        low, high = look.turns_range
        shares = [percent(look.reasons[reason]) for reason in reasons]
        rows.append([*label(look), f"{look.mean_turns:.1f}", f"{low:.0f}..{high:.0f}", *shares])
    return rows


def capture_rows(looks: Sequence[Look]) -> list[list[str]]:
    """Returns header and lines of captures, eliminations and revivals."""
    rules = sorted({rule for look in looks for rule in look.captures})
    rows = [[*LABELS, *(rule.replace("_", " ") for rule in rules), "eliminations", "revivals"]]
    for look in looks:
        taken = [f"{look.captures.get(rule, 0.0):.2f}" for rule in rules]
        rows.append([*label(look), *taken, f"{look.eliminations:.2f}", f"{look.revivals:.2f}"])
    return rows
