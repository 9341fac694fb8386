"""The results of a tournament on disk: a text file that only grows, one JSON object a line.

The first line says under which rules, seed and starts everything in it was played, and by which version of this
program it was begun. Each other line is an agent when it first took part, or one block. Lines are added as blocks are
finished, so that a crash loses none; half a line at the end, which a crash may leave, is dropped.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from bitblossom_env import __version__
from training.evaluation.arena import GameResult
from training.evaluation.contest import Plan, PlayedBlock
from training.evaluation.stored import BlockKey, StoredBlock, checked, read_block, refuse
from training.interrupts import interrupts_held

FORMAT = "bitblossom-results"
VERSION = 1


@dataclass(frozen=True)
class Entrant:
    """An agent that takes part under some name."""

    spec: str
    identity: str  # tells whether it is still the same when it comes again


class Ledger:
    """The results file at `path`, which need not exist yet; a context that keeps others from writing to it.

    Raises:
        ValueError: in one line, where the file is foreign, newer, broken, of another game, seed or rules, or in use.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self._header = header_of(plan)
        self._num_seats = plan.setup.num_seats
        self.entrants: dict[str, Entrant] = {}  # all agents that ever took part, by name
        self.blocks: dict[BlockKey, StoredBlock] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():  # a pipe would keep us waiting
            raise ValueError(f"{path}: is no regular file; allowed: a results file, or nothing yet")
        self._file = path.open("ab")
        try:
            self._open()
        except BaseException:
            self._file.close()
            raise

    def _open(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # ends with the file, however that is closed
        except BlockingIOError as error:
            raise ValueError(
                f"{self.path}: another tournament is writing to it; allowed: another --out, or to wait"
            ) from error
        if self.path.stat().st_size:
            self._read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _read(self) -> None:
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if not whole:
            raise ValueError(f"{self.path}: is no results file; allowed: one that a tournament wrote")
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                entry = json.loads(line, parse_constant=refuse)
                self._take(entry, is_first=number == 1)
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError) as error:
                raise ValueError(f"{self.path}: line {number}: {error or type(error).__name__}") from error
        if len(whole) < len(content):
            self._file.truncate(len(whole))

    def _take(self, entry: dict[str, Any], *, is_first: bool) -> None:
        if is_first:
            check_header(entry, self._header)
        elif "agent" in entry:
            entrant = Entrant(checked(entry["spec"], str), checked(entry["identity"], str))
            self.entrants[checked(entry["agent"], str)] = entrant
        else:
            key, block = read_block(entry, self._num_seats)
            if not set(key[0]) <= set(self.entrants):
                raise ValueError("it names an agent that no line before it does")
            if key in self.blocks:
                raise ValueError("it is a block that a line before it holds too")
            self.blocks[key] = block

    def specs(self) -> dict[str, str]:
        """Returns the spec of each agent that ever took part, by name."""
        return {name: entrant.spec for name, entrant in self.entrants.items()}

    def enter(self, name: str, entrant: Entrant) -> None:
        """Notes that an agent takes part; raises `ValueError` if another one has played under this name."""
        if name not in self.entrants:
            is_new = not self.path.stat().st_size  # a file without agents would only be in the way
            self.entrants[name] = entrant
            self._append([self._header] * is_new + [{"agent": name, **asdict(entrant)}])
        elif self.entrants[name] != entrant:
            raise ValueError(
                f"agent {name!r} has changed since its games in {self.path} were played; allowed: another --out, or a "
                "checkpoint under a name of its own"
            )

    def add(self, played: Sequence[PlayedBlock], names: Sequence[str]) -> None:
        """Stores blocks whose seatings count agents as in `names`."""
        entries = [entry_of(block, names) for block in played]
        with interrupts_held():  # the file and `blocks` say the same at any time
            self._append(entries)
            self.blocks.update(read_block(entry, self._num_seats) for entry in entries)

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
        "program": __version__,
        "game": plan.setup.game_name,
        "rules": rules,
        "seed": plan.seed,
        "random_turns": list(plan.random_turns),
    }


def check_header(entry: Any, header: dict[str, Any]) -> None:
    """Raises `ValueError` unless the first line of a file is `header`."""
    if not isinstance(entry, dict) or entry.get("format") != FORMAT:
        raise ValueError("this is no results file; allowed: one that a tournament wrote")
    version = checked(entry.get("version"), int)
    if version > VERSION:
        raise ValueError(f"version={version} is newer than this program; allowed: up to {VERSION}")
    stored, wanted = ({**settings, **checked(settings.get("rules"), dict)} for settings in (entry, header))
    for name in wanted:
        if name not in ("rules", "program") and stored.get(name) != wanted[name]:
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
