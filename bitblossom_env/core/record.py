"""Game records: one JSON object a game, replayed and checked turn by turn."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from .arguments import shown
from .game import Game, IllegalActionError, Position, Setup, make_setup

FORMAT = "bitblossom-record"
VERSION = 1
Record = dict[str, Any]  # a JSON object


class RecordError(ValueError):
    """A record that is broken or does not replay to its own hashes; names the turn."""


class Recorder:
    """Collects the actions of one game from its start position on."""

    def __init__(self, game: Game) -> None:
        self._setup = game.setup
        self._start: Position = game.to_position()
        self._turn = game.turn
        self._actions: list[int] = []
        self._names: list[str] = []
        self.turns: list[str] = []  # a readable line for each turn that has ended
        self.hashes: list[str] = []  # the position after each of these turns

    def add(self, game: Game, action: int, seat: int) -> None:
        """Notes an action that `seat` has just played in `game`."""
        self._actions.append(int(action))
        self._names.append(game.describe_played(int(action)))
        if game.turn != self._turn:
            self.turns.append(f"{self._turn} seat {seat}: {' '.join(self._names)}")
            self.hashes.append(hash_text(game))
            self._names, self._turn = [], game.turn

    def record(self, game: Game) -> Record:
        """Returns the record of `game`, which has just played the last noted action."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "game": self._setup.game_name,
            "rules": self._setup.rules(),
            "start": self._start,
            "actions": list(self._actions),
            "turns": list(self.turns),
            "hashes": list(self.hashes),
            "hash": hash_text(game),
        }


def record_of(game: Game, start: Game, actions: Sequence[int]) -> Record:
    """Returns the record of `game`, which `actions` have made of `start`; plays them again for lines and hashes."""
    again = start.clone()
    recorder = Recorder(again)
    for action in actions:
        seat = again.to_move
        again.apply(action)
        recorder.add(again, action, seat)
    return recorder.record(game)


def hash_text(game: Game) -> str:
    """Returns the hash of a position as records hold it: 16 hexadecimal digits."""
    return f"{game.hash():016x}"


def check_form(record: Any) -> None:
    """Raises `RecordError` unless this is a record that this version reads."""
    if not isinstance(record, Mapping) or record.get("format") != FORMAT:
        raise RecordError(f"this is no game record; allowed: a JSON object whose format is {FORMAT!r}")
    version = record.get("version")
    if version != VERSION or isinstance(version, bool):
        raise RecordError(f"record: version={shown(version)} is not allowed; allowed: {VERSION}")
    fields = {
        "game": str,
        "rules": Mapping,
        "start": Mapping,
        "actions": list,
        "turns": list,
        "hashes": list,
        "hash": str,
    }
    for name, kind in fields.items():
        if not isinstance(record.get(name), kind):
            raise RecordError(f"record: field {name!r} is missing or of the wrong type")


def replay_turns(record: Record, setup: Setup | None = None) -> Iterator[Game]:
    """Yields the start, then the game after each turn, then after all actions; always the same game object.

    Args:
        record: a game record.
        setup: the setup to play it under, whose rules must be those of the record; None takes the record's own.

    Raises:
        RecordError: the form is wrong, an action is illegal, or a line or a hash differs; names the turn.
    """
    check_form(record)
    own = make_setup(record["game"], record["rules"]) if setup is None else setup
    if own.game_name != record["game"]:
        raise RecordError(f"record: game={record['game']!r} is not allowed; allowed: {own.game_name!r}")
    game = own.game_from_position(record["start"])
    recorder = Recorder(game)
    yield game
    for action in record["actions"]:
        turn, seat = game.turn, game.to_move
        try:
            game.apply(action)
        except IllegalActionError as error:
            raise RecordError(f"record: turn {turn}: {error}") from None
        recorder.add(game, action, seat)
        if game.turn != turn:
            _check_turn(record, recorder, turn)
            yield game
    if len(record["turns"]) != len(recorder.turns) or len(record["hashes"]) != len(recorder.hashes):
        raise RecordError(f"record: turn {game.turn}: there are lines or hashes of turns that were not played")
    if hash_text(game) != record["hash"]:
        raise RecordError(f"record: turn {game.turn} does not replay to the hash that was recorded for the end")
    yield game


def _check_turn(record: Record, recorder: Recorder, turn: int) -> None:
    """Raises `RecordError` unless the record says of its latest replayed turn what has happened."""
    index = len(recorder.turns) - 1
    for name, replayed in (("line", recorder.turns), ("hash", recorder.hashes)):
        recorded = record["turns" if name == "line" else "hashes"]
        if index >= len(recorded) or recorded[index] != replayed[index]:
            raise RecordError(f"record: turn {turn} does not replay to the {name} that was recorded for it")


def replay(record: Record, num_turns: int | None = None, setup: Setup | None = None) -> Game:
    """Returns the game after the record's first `num_turns` turns, or after all of its actions; see `replay_turns`."""
    check_form(record)
    last = len(record["turns"])
    if num_turns is not None and not 0 <= num_turns <= last:
        raise RecordError(f"record: turn {num_turns} is not in it; allowed: 0..{last}")
    games = replay_turns(record, setup)
    game = next(games)
    for _ in games if num_turns is None else islice(games, num_turns):
        pass  # it is the same game, one turn on
    return game


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Writes one JSON object a line, beside the target first, then renames."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with beside.open("w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record, separators=(",", ":")) + "\n")
    beside.replace(path)


def read_records(path: Path) -> Iterator[Record]:
    """Yields the records of a file; raises `RecordError` that names the line."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                record = json.loads(line.decode("utf-8"))
                check_form(record)
            except ValueError as error:  # no UTF-8, no JSON or no record
                raise RecordError(f"{path}: line {number}: {error}") from None
            yield record
