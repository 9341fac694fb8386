"""`bitblossom bench`: how fast the environments are, what they take, and how they stand beside other libraries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from jsonargparse import ArgumentParser, Namespace

from training.benchmarks.contest import Pace
from training.benchmarks.page import Machine, page
from training.benchmarks.parts import aec, agents, aronda, batch, cores, evaluation, flat, gumbel, memory, peers, start
from training.benchmarks.report import Part, print_part, print_table, verdict_table
from training.commands import OK
from training.commands.parser import new_parser, output_folder, output_path
from training.evaluation.tables import make_console
from training.files import json_bytes, write_bytes

DESCRIPTION = """Measures speed, memory and start-up and compares them with their targets. Takes a few minutes, most of
it with one core busy; anything else that runs meanwhile shows in the figures."""
PEERS = "peers"
OWN_PARTS = (
    "cores",
    "evaluation",
    "batch",
    "aronda",
    "aec",
    "memory",
    "start",
    "flat",
    "agents",
    "gumbel",
)  # the cores first, as long as they are idle
REPORT_VERSION = 1


def make_parser() -> ArgumentParser:
    """Returns the parser of this command."""
    parser = new_parser("bench", DESCRIPTION)
    parser.add_argument("--peers", action="store_true", help="PettingZoo Go, OpenSpiel Go and pgx Go side by side")
    parser.add_argument("--only", type=str | None, metavar="PART,...", help=f"of {', '.join((*OWN_PARTS, PEERS))}")
    parser.add_argument("--rounds", type=int, default=5, help="rounds in which all contestants are measured in turn")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds of a contestant in a round")
    parser.add_argument("--num_envs", type=int, default=256, help="games in lockstep in the batch environment")
    parser.add_argument(
        "--cold_starts", type=int, default=1, help="processes that compile all kernels anew; 0 for none"
    )
    parser.add_argument("--markdown", type=str | None, metavar="FILE", help="file for the page docs/performance.md")
    parser.add_argument("--plots", type=str | None, metavar="DIR", help="folder for the plots, as SVG")
    parser.add_argument("--json", type=str | None, metavar="FILE", help="file for everything as measured")
    return parser


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    settings = make_parser().parse_args(list(arguments))
    check_numbers(settings)
    names = part_names(settings.only, settings.peers)
    markdown, json = output_path(settings.markdown), output_path(settings.json)
    plots = output_folder(settings.plots)
    console = make_console()
    parts = []
    for part in measure_all(names, settings):
        print_part(console, part)
        parts.append(part)
    print_table(console, verdict_table(parts))
    machine = Machine.here()
    console.print(machine.text, markup=False)
    if plots is not None:
        write_plots(plots, parts)
    if markdown is not None:
        write_bytes(markdown, page(parts, command_line(settings), machine, plots is not None).encode())
    if json is not None:
        content = {"version": REPORT_VERSION, "machine": asdict(machine), "command": command_line(settings)}
        write_bytes(json, json_bytes(content | {"parts": [part_content(part) for part in parts]}))
    return OK


def check_numbers(settings: Namespace) -> None:
    """Raises `ValueError` for a number that cannot be."""
    for name, least in (("rounds", 1), ("num_envs", 1), ("cold_starts", 0)):
        if settings[name] < least:
            raise ValueError(f"{name}={settings[name]} is out of range; allowed: {least} or more")
    if not 0 < settings.seconds < float("inf"):
        raise ValueError(f"seconds={settings.seconds} is out of range; allowed: more than 0")


def part_names(only: str | None, with_peers: bool) -> list[str]:
    """Returns the parts to be measured, in the order of the report."""
    known = (*OWN_PARTS, PEERS)
    asked = list(OWN_PARTS) if only is None else only.split(",")
    for name in asked:
        if name not in known:
            raise ValueError(
                f"only={only!r} names no part {name!r}; allowed: a list such as batch,aec of {', '.join(known)}"
            )
    return [name for name in known if name in asked or (name == PEERS and with_peers)]


def measure_all(names: Sequence[str], settings: Namespace) -> Iterator[Part]:
    """Measures the parts called `names` one by one."""
    pace = Pace(settings.rounds, settings.seconds)
    measures: dict[str, Callable[[], Part]] = {
        "cores": lambda: cores.measure(pace),
        "evaluation": lambda: evaluation.measure(pace),
        "batch": lambda: batch.measure(pace, settings.num_envs),
        "aronda": lambda: aronda.measure(pace, settings.num_envs),
        "aec": lambda: aec.measure(pace),
        "memory": memory.measure,
        "start": lambda: start.measure(settings.cold_starts),
        "flat": lambda: flat.measure(pace),
        "agents": lambda: agents.measure(pace),
        "gumbel": lambda: gumbel.measure(pace),
        PEERS: lambda: peers.measure(pace, settings.num_envs),
    }
    for name in names:
        yield measures[name]()


def write_plots(folder: Path, parts: Sequence[Part]) -> None:
    """Writes the charts of all parts into `folder`."""
    # Imported where it is needed: drawing is slow to load.
    from training.benchmarks.plots import write_charts  # noqa: PLC0415

    write_charts(folder, [chart for part in parts for chart in part.charts])


def command_line(settings: Namespace) -> str:
    """Returns the command that measures the same again."""
    words = ["bitblossom bench"]
    words += ["--peers"] * settings.peers
    words += [f"--only {settings.only}"] * (settings.only is not None)
    words += [f"--{name} {settings[name]:g}" for name in ("rounds", "seconds", "num_envs", "cold_starts")]
    return " ".join(words)


def part_content(part: Part) -> dict[str, object]:
    """Returns a part as JSON values."""
    verdicts = [asdict(verdict) | {"verdict": verdict.word} for verdict in part.verdicts]
    return {"name": part.name, "verdicts": verdicts, "data": part.data}
