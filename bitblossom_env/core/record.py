"""Game records: one JSON object a game, replayed and checked turn by turn."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .game import Game, IllegalActionError, Position, make_setup

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
        self._turns: list[str] = []
        self._hashes: list[str] = []

    def add(self, game: Game, action: int, seat: int) -> None:
        """Notes an action that `seat` has just played in `game`."""
        self._actions.append(int(action))
        self._names.append(game.describe_action(int(action)))
        if game.turn != self._turn:
            self._turns.append(f"{self._turn} seat {seat}: {' '.join(self._names)}")
            self._hashes.append(f"{game.hash():016x}")
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
            "turns": list(self._turns),
            "hashes": list(self._hashes),
            "hash": f"{game.hash():016x}",
        }


def _check_form(record: Any) -> None:
    """Raises `RecordError` unless this is a record that this version reads."""
    if not isinstance(record, Mapping) or record.get("format") != FORMAT:
        raise RecordError(f"this is no game record; allowed: a JSON object whose format is {FORMAT!r}")
    if record.get("version") != VERSION:
        raise RecordError(f"record: version={record.get('version')!r} is not allowed; allowed: {VERSION}")
    fields = {"game": str, "rules": Mapping, "start": Mapping, "actions": list, "hashes": list, "hash": str}
    for name, kind in fields.items():
        if not isinstance(record.get(name), kind):
            raise RecordError(f"record: field {name!r} is missing or of the wrong type")


def replay(record: Record, num_turns: int | None = None) -> Game:
    """Returns the game after the record's first `num_turns` turns, or after all of its actions.

    Raises:
        RecordError: the form is wrong, an action is illegal, or a hash differs; names the turn.
    """
    _check_form(record)
    start = make_setup(record["game"], record["rules"]).game_from_position(record["start"])
    game, first_turn = start, start.turn
    for action in record["actions"]:
        played = game.turn - first_turn
        if num_turns is not None and played >= num_turns:
            return game
        turn = game.turn
        try:
            game.apply(action)
        except IllegalActionError as error:
            raise RecordError(f"record: turn {turn}: {error}") from None
        if game.turn != turn and (played >= len(record["hashes"]) or f"{game.hash():016x}" != record["hashes"][played]):
            raise RecordError(f"record: turn {turn} does not replay to the hash that was recorded for it")
    if num_turns is None and f"{game.hash():016x}" != record["hash"]:
        raise RecordError(f"record: turn {game.turn} does not replay to the hash that was recorded for the end")
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
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                record = json.loads(line)
            except json.JSONDecodeError as error:
                raise RecordError(f"{path}: line {number} is no JSON: {error.msg}") from None
            _check_form(record)
            yield record
