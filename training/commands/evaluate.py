"""`bitblossom evaluate`: lets agents play each other from balanced starts and reports who is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from jsonargparse import ArgumentParser, Namespace

import bitblossom_env  # noqa: F401 - registers the games
from agents import make
from agents.registry import usages
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.record import Record, write_records
from training.commands import INTERRUPTED, OK
from training.commands.parser import new_parser, output_path
from training.evaluation.arena import Contest, GameResult, PlayedGame, play_block, record_game, warm_up
from training.evaluation.progress import track
from training.evaluation.report import Report, drop_idle, make_report
from training.evaluation.schedule import Block, Seating, make_blocks, make_lineups
from training.evaluation.tables import make_console, print_report
from training.files import json_bytes, write_bytes

DESCRIPTION = f"""Agents play each other in blocks: one start position, every rotation of the agents over the
seats. SPEC is one of: {", ".join(usages())}; options follow as ?key=value&key=value. The same SPEC may be
given twice."""


@dataclass
class EvaluateConfig:
    """Settings.

    Args:
        agents: agents to use when no SPEC stands on the command line
        game: game to play
        board: side of a square board, or ROWSxCOLS; default: the game's own
        players: seats at a table; default: the game's own
        games: least number of games; rounded up so that every agent takes every seat equally often
        seed: fixes every start, every agent's chance and every interval
        rules: any other argument of the environment, as --rules.NAME VALUE
        json: file for the report as JSON
        records: file for one game record a line
    """

    agents: list[str] = field(default_factory=list)
    game: str = "bitblossom"
    board: int | str | None = None
    players: int | None = None
    games: int = 100
    seed: int = 0
    rules: dict[str, Any] = field(default_factory=dict)
    json: str | None = None
    records: str | None = None


def make_parser() -> ArgumentParser:
    """Returns the parser of this command."""
    parser = new_parser("evaluate", DESCRIPTION)
    parser.add_argument("--config", action="config", help="YAML file with any of these settings")
    parser.add_argument("specs", nargs="*", type=str, metavar="SPEC", help="agents to rate")
    parser.add_class_arguments(EvaluateConfig)
    parser.add_argument(
        "--random_turns",
        nargs=2,
        type=int,
        default=[1, 4],
        metavar=("LO", "HI"),
        help="random turns that open each start, drawn anew for each block",
    )
    return parser


def game_arguments(settings: Namespace) -> dict[str, Any]:
    """Returns the environment arguments that the settings ask for; what was not given is left to the game."""
    arguments = dict(settings.rules)
    if settings.players is not None:
        arguments["num_players"] = settings.players
    if settings.board is not None:
        arguments["board_size"] = parse_board(settings.board)
    return arguments


def parse_board(text: int | str) -> int | tuple[int, int]:
    """Returns the board size that `7` or `7x9` names."""
    sides = str(text).lower().split("x")
    if len(sides) > 2 or not all(side.isdecimal() for side in sides):
        raise ValueError(f"board={text!r} is no board size; allowed: a number such as 7, or ROWSxCOLS such as 7x9")
    return int(sides[0]) if len(sides) == 1 else (int(sides[0]), int(sides[1]))


def unique_names(specs: Sequence[str]) -> list[str]:
    """Returns one name per spec: the spec, from its second occurrence on followed by `#2`, `#3`, ..."""
    names: list[str] = []
    for index, spec in enumerate(specs):
        occurrence = specs[:index].count(spec) + 1
        names.append(spec if occurrence == 1 else f"{spec}#{occurrence}")
    return names


def check_random_turns(lo: int, hi: int) -> tuple[int, int]:
    """Returns the range of random turns, checked."""
    if not 0 <= lo <= hi:
        raise ValueError(f"random_turns={lo} {hi} is no range; allowed: 0 <= LO <= HI")
    return lo, hi


@dataclass
class Played:
    """The blocks played and, where asked for, the records of their games."""

    results: list[list[GameResult]] = field(default_factory=list)
    records: list[Record] | None = None
    interrupted: bool = False


def play_all(contest: Contest, blocks: Sequence[Block], names: Sequence[str], keep_records: bool) -> Played:
    """Plays the blocks one after the other; Ctrl-C ends it with the last whole block."""
    played = Played(records=[] if keep_records else None)
    try:
        warm_up(contest)
        for block in track(blocks, "blocks", make_console(stderr=True)):
            records: list[Record] = []
            on_game = partial(add_record, names, records) if keep_records else None
            played.results.append(play_block(contest, block, on_game))
            if played.records is not None:
                played.records.extend(records)
    except KeyboardInterrupt:
        played.interrupted = True
    return played


def add_record(names: Sequence[str], records: list[Record], game: PlayedGame, seating: Seating) -> None:
    """Adds the record of a game to `records`, with the names of the agents in its seats."""
    records.append(record_game(game) | {"agents": [names[agent] for agent in seating]})


def make_contest(settings: Namespace, specs: Sequence[str]) -> Contest:
    """Returns what the settings ask to be played."""
    return Contest(
        setup=make_setup(settings.game, game_arguments(settings)),
        agents=tuple(make(spec) for spec in specs),
        seed=settings.seed,
        random_turns=check_random_turns(*settings.random_turns),
    )


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    settings = make_parser().parse_args(list(arguments))
    if settings.seed < 0:
        raise ValueError(f"seed={settings.seed} is out of range; allowed: 0 or more")
    json_path, records_path = output_path(settings.json), output_path(settings.records)
    specs = settings.specs or settings.agents
    if len(specs) < 2:
        raise ValueError(f"{len(specs)} agent given; allowed: two or more of {', '.join(usages())}")
    contest = make_contest(settings, specs)
    blocks = make_blocks(make_lineups(len(specs), contest.setup.num_seats), settings.games)
    names = unique_names(specs)
    played = play_all(contest, blocks, names, keep_records=records_path is not None)
    if not played.results:
        raise KeyboardInterrupt
    report = make_report(contest.setup, *drop_idle(names, played.results), settings.seed)
    console = make_console()
    print_report(console, report)
    console.print(closing_line(played, report, len(blocks), settings.games))
    if json_path is not None:
        write_bytes(json_path, json_bytes(asdict(report)))
    if records_path is not None and played.records is not None:
        write_records(records_path, played.records)
    return INTERRUPTED if played.interrupted else OK


def closing_line(played: Played, report: Report, num_blocks: int, num_games: int) -> str:
    """Returns what was played, beside what was asked for."""
    count = sum(len(block) for block in played.results)
    cut = f", cut short: {num_blocks} blocks were planned" if played.interrupted else ""
    return (
        f"{count} games in {len(played.results)} blocks ({num_games} asked for{cut}), "
        f"{report.distinct_games} of them distinct."
    )
