"""The results of a tournament on disk: a text file that only grows, one JSON object a line.

The first line says under which rules, seed and starts everything in it was played. Each other line is an agent when it
first took part, or one block. Lines are added as blocks are finished, so that a crash loses none; half a line at the
end, which a crash may leave, is dropped.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Self

from training.evaluation.arena import GameResult
from training.evaluation.contest import Plan, PlayedBlock

FORMAT = "bitblossom-results"
VERSION = 1

BlockKey = tuple[tuple[str, ...], int]  # names of the line-up, ascending, and the round


@dataclass(frozen=True)
class Entrant:
    """An agent that takes part under some name."""

    spec: str
    identity: str | None  # tells whether it is still the same when it comes again; None where the spec says all


@dataclass(frozen=True)
class StoredBlock:
    """A block whose seatings name agents instead of counting them."""

    seatings: tuple[tuple[str, ...], ...]
    results: tuple[GameResult, ...]  # whose own seatings are empty

    def results_for(self, places: Mapping[str, int]) -> list[GameResult]:
        """Returns the results with agents counted as in `places`."""
        return [
            replace(result, seating=tuple(places[name] for name in names))
            for names, result in zip(self.seatings, self.results, strict=True)
        ]


class Ledger:
    """The results file at `path`, which need not exist yet; a context that keeps others from writing to it.

    Raises:
        ValueError: in one line, where the file is foreign, newer, broken, of another game, seed or rules, or in use.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self.entrants: dict[str, Entrant] = {}  # all agents that ever took part, by name
        self.blocks: dict[BlockKey, StoredBlock] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("ab")
        try:
            self._open(header_of(plan))
        except BaseException:
            self._file.close()
            raise

    def _open(self, header: dict[str, Any]) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # ends with the file, however that is closed
        except BlockingIOError as error:
            raise ValueError(
                f"{self.path}: another tournament is writing to it; allowed: another --out, or to wait"
            ) from error
        if self.path.stat().st_size:
            self._read(header)
        else:
            self._append([header])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _read(self, header: dict[str, Any]) -> None:
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if not whole:
            raise ValueError(f"{self.path}: is no results file; allowed: one that a tournament wrote")
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                entry = json.loads(line, parse_constant=refuse)
                self._take(entry, header if number == 1 else None)
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                raise ValueError(f"{self.path}: line {number}: {error or type(error).__name__}") from error
        if len(whole) < len(content):
            self._file.truncate(len(whole))

    def _take(self, entry: dict[str, Any], header: dict[str, Any] | None) -> None:
        if header is not None:
            check_header(entry, header)
        elif "agent" in entry:
            entrant = Entrant(checked(entry["spec"], str), checked(entry["identity"], str | None))
            self.entrants[checked(entry["agent"], str)] = entrant
        else:
            key, block = read_block(entry)
            if not set(key[0]) <= set(self.entrants):
                raise ValueError("it names an agent that no line before it does")
            self.blocks[key] = block

    def enter(self, name: str, entrant: Entrant) -> None:
        """Notes that an agent takes part; raises `ValueError` if another one has played under this name."""
        if name not in self.entrants:
            self.entrants[name] = entrant
            self._append([{"agent": name, **asdict(entrant)}])
        elif self.entrants[name] != entrant:
            raise ValueError(
                f"agent {name!r} has changed since its games in {self.path} were played; allowed: another --out, or a "
                "checkpoint under a name of its own"
            )

    def add(self, played: Sequence[PlayedBlock], names: Sequence[str]) -> None:
        """Stores blocks whose seatings count agents as in `names`."""
        entries = [entry_of(block, names) for block in played]
        self._append(entries)
        self.blocks.update(read_block(entry) for entry in entries)

    def _append(self, entries: Sequence[dict[str, Any]]) -> None:
        self._file.write(b"".join(map(line_of, entries)))
        self._file.flush()
        os.fsync(self._file.fileno())

    def results(self, names: Sequence[str]) -> list[list[GameResult]]:
        """Returns the results of all blocks, in an order that does not tell when they were played."""
        places = {name: place for place, name in enumerate(names)}
        return [self.blocks[key].results_for(places) for key in sorted(self.blocks, key=lambda key: (key[1], key[0]))]


def header_of(plan: Plan) -> dict[str, Any]:
    """Returns the first line for the results of `plan`."""
    rules = json.loads(json.dumps(plan.setup.rules()))  # tuples become lists, as they will when read back
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": plan.setup.game_name,
        "rules": rules,
        "seed": plan.seed,
        "random_turns": list(plan.random_turns),
    }


def check_header(entry: Any, header: dict[str, Any]) -> None:
    """Raises `ValueError` unless the first line of a file is `header`."""
    if not isinstance(entry, dict) or entry.get("format") != FORMAT:
        raise ValueError("this is no results file; allowed: one that a tournament wrote")
    stored, wanted = ({**settings, **checked(settings.get("rules"), dict)} for settings in (entry, header))
    for name in wanted:
        if name != "rules" and stored.get(name) != wanted[name]:
            raise ValueError(
                f"{name}={stored.get(name)!r} differs from what is asked for, {wanted[name]!r}; allowed: another --out"
            )


def line_of(entry: dict[str, Any]) -> bytes:
    """Returns an entry as one line of JSON."""
    return (json.dumps(entry, allow_nan=False, separators=(",", ":")) + "\n").encode()


def entry_of(played: PlayedBlock, names: Sequence[str]) -> dict[str, Any]:
    """Returns a block as JSON values, agents by name."""
    return {
        "lineup": sorted(names[agent] for agent in played.block.lineup),
        "round": played.block.round,
        "games": [
            asdict(result) | {"seating": [names[agent] for agent in result.seating]} for result in played.results
        ],
    }


def read_block(entry: dict[str, Any]) -> tuple[BlockKey, StoredBlock]:
    """Returns a block of the file; raises `ValueError`, `TypeError` or `KeyError` where it makes no sense."""
    lineup = tuple(checked(name, str) for name in entry["lineup"])
    games = [read_game(game) for game in entry["games"]]
    seatings = tuple(seating for seating, _ in games)
    if len(games) != len(lineup) or any(tuple(sorted(seating)) != lineup for seating in seatings):
        raise ValueError("its games are not those of its line-up")
    return (lineup, checked(entry["round"], int)), StoredBlock(seatings, tuple(result for _, result in games))


def read_game(game: dict[str, Any]) -> tuple[tuple[str, ...], GameResult]:
    """Returns the names in the seats of a game, and its result."""
    seating = tuple(checked(name, str) for name in game["seating"])
    num_seats = len(seating)
    if sorted(game) != sorted(field.name for field in fields(GameResult)):
        raise ValueError("a game has other fields than this version knows")

    def per_seat(name: str, kind: Any) -> tuple[Any, ...]:
        values = tuple(checked(value, kind) for value in game[name])
        if len(values) != num_seats:
            raise ValueError(f"{name}={game[name]!r} does not have a value for each seat")
        return values

    ranks = per_seat("ranks", float | int)
    if not all(1 <= rank <= num_seats for rank in ranks):
        raise ValueError(f"ranks={game['ranks']!r} are none")
    winners = tuple(checked(seat, int) for seat in game["winners"])
    illegal_seat = checked(game["illegal_seat"], int | None)
    if not winners or not set(winners) | ({illegal_seat} - {None}) <= set(range(num_seats)):
        raise ValueError(f"winners={game['winners']!r}, illegal_seat={illegal_seat!r} are no seats")
    return seating, GameResult(
        seating=(),
        winners=winners,
        ranks=ranks,
        areas=None if game["areas"] is None else per_seat("areas", int),
        illegal_seat=illegal_seat,
        fingerprint=checked(game["fingerprint"], str),
        seconds=per_seat("seconds", float | int),
        turns=per_seat("turns", int),
    )


def refuse(constant: str) -> None:
    """Raises `ValueError` for NaN and infinity, which are no JSON."""
    raise ValueError(f"{constant} is no number")


def checked(value: Any, kind: Any) -> Any:
    """Returns `value` if it is of a type of `kind`; a truth value is no number."""
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError(f"{value!r} is of the wrong type")
    return value
