"""`bitblossom replay`: shows a recorded game in the terminal, turn by turn."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Protocol, cast

import numpy as np
from jsonargparse import ArgumentParser

import bitblossom_env  # noqa: F401 - registers the games
from agents import Agent, make
from agents.base import Explains
from bitblossom_env.core.game import Game, outcome_of
from bitblossom_env.core.record import Record, read_records, replay, replay_turns
from bitblossom_env.rendering.text import draw_board, seat_letter
from training.commands import OK
from training.commands.parser import new_parser

DESCRIPTION = """Shows one game of a file of records, checking it as it goes: after each turn its actions and the board.
A base is a capital, a stone a small letter; a letter behind a cell names whose territory it lies in."""
ADVICE_SEED = 0  # where an agent draws, the same advice every time


class Adviser(Agent, Explains, Protocol):
    """An agent that says why."""


def make_parser() -> ArgumentParser:
    """Returns the parser of this command."""
    parser = new_parser("replay", DESCRIPTION)
    parser.add_argument("file", type=str, metavar="FILE", help="records, one JSON object a line")
    parser.add_argument("--game", type=int, default=1, help="which game of the file, from 1")
    parser.add_argument("--turn", type=int | None, metavar="T", help="show only the board after T turns")
    parser.add_argument(
        "--explain", type=str | None, metavar="AGENT", help="say after each board what this agent would play, and why"
    )
    return parser


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    settings = make_parser().parse_args(list(arguments))
    record = find_record(Path(settings.file), settings.game)
    adviser = None if settings.explain is None else make_adviser(settings.explain)
    if settings.turn is not None:
        game = replay(record, settings.turn)
        sys.stdout.write(draw_board(game) + "\n" + advice(adviser, game))
        return OK
    for text in pages(record, adviser):
        sys.stdout.write(text + "\n")
    return OK


def find_record(path: Path, number: int) -> Record:
    """Returns the record of game `number`, counted from 1."""
    record = next(islice(read_records(path), number - 1, None), None) if number > 0 else None
    if record is None:
        raise ValueError(f"game={number} is not in {path}; allowed: 1 to the number of lines of that file")
    return record


def make_adviser(spec: str) -> Adviser:
    """Returns the agent that says what it would play; raises `ValueError` in one line if it cannot say why."""
    agent = make(spec)
    if not isinstance(agent, Explains):
        raise ValueError(f"agent {spec!r} cannot explain itself; allowed: an agent with explain(game, seat, rng)")
    return cast(Adviser, agent)


def advice(adviser: Adviser | None, game: Game) -> str:
    """Returns what the agent would do with the turn that begins, action by action, each line ended; "" if over."""
    if adviser is None or game.is_over:
        return ""
    game, rng, turn = game.clone(), np.random.default_rng(ADVICE_SEED), game.turn
    lines = [""]
    while not game.is_over and game.turn == turn:
        lines.append(adviser.explain(game, game.to_move, rng))
        game.apply(adviser.act(game, game.to_move, rng))
    return "\n".join(lines) + "\n"


def pages(record: Record, adviser: Adviser | None) -> Iterator[str]:
    """Yields a heading, each turn with the board after it and the agent's advice, and how the game ended."""
    boards = replay_turns(record)
    game = next(boards)
    names = record.get("agents", [f"seat {seat}" for seat in range(game.num_seats)])
    if not isinstance(names, list) or len(names) != game.num_seats:
        raise ValueError(f"record: agents={names!r} is not allowed; allowed: a list of {game.num_seats} names")
    yield "   ".join(f"{seat_letter(seat)}: {name}" for seat, name in enumerate(names))
    yield draw_board(game) + advice(adviser, game)
    for line, _ in zip(record["turns"], boards, strict=False):  # after the turns comes the end, which may be in a turn
        yield f"\nturn {line}\n{draw_board(game)}{advice(adviser, game)}"
    for _ in boards:
        yield "\n" + closing_line(game)


def closing_line(game: Game) -> str:
    """Returns how the game ended, or that it still runs."""
    if not game.is_over:
        return f"turn {game.turn}: the game was not finished"
    outcome = outcome_of(game)
    winners = ", ".join(seat_letter(seat) for seat in outcome.winners)
    return f"{outcome.reason.value}: {winners} won; areas {', '.join(map(str, outcome.areas))}"
