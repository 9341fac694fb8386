"""Numbers of legal action sequences on small boards: `python -m tests.counts.make_counts` has the slow twin count them.

`sequences.json` holds, per start and depth, how many sequences of exactly that many legal actions there are, split by
the first one. They are the twin's alone; `tests/bitblossom/test_counts.py` compares the engine's with them. About a
minute; a change of the rules, or another start here, is the only reason to count anew.
"""

from __future__ import annotations

import json
import time
from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bitblossom_env.core.diagram import cell_name, parse_diagram
from tests.reference.twin import Twin
from training.files import write_bytes

PATH = Path(__file__).with_name("sequences.json")
Split = dict[str, int]  # name of the first action -> number of sequences that begin with it


@dataclass(frozen=True)
class Start:
    """A drawn position and how many actions deep the sequences from it are counted."""

    drawing: str
    depth: int
    rules: dict[str, Any] = field(default_factory=dict)
    turn: int = 0
    to_move: int = 0

    def position(self) -> dict[str, Any]:
        return parse_diagram(self.drawing, turn=self.turn, to_move=self.to_move, rules=self.rules)


ONE_STONE = {"placements_per_turn": 1, "max_retractions_per_turn": 0}
CORNERS_3X3 = """
A . .
. . .
. . B
"""
STARTS = {
    "3x3": Start(CORNERS_3X3, 8),
    "3x3 without the opening rule": Start(CORNERS_3X3, 6, {"opening_rule": "none"}),
    "3x3 one stone a turn": Start(CORNERS_3X3, 12, ONE_STONE),
    "4x4": Start(
        """
        A . . .
        . . . .
        . . . .
        . . . B
        """,
        6,
    ),
    "4x4 one stone a turn, one retraction, three players": Start(
        """
        A . . .
        . . . .
        . . . .
        C . . B
        """,
        7,
        {"placements_per_turn": 1, "max_retractions_per_turn": 1, "opening_rule": "none"},
    ),
    "3x5": Start(
        """
        . . . . .
        . A . B .
        . . . . .
        """,
        7,
    ),
    "3x5 two turns left": Start(
        """
        . a . b .
        . A a B b
        a . . b .
        """,
        7,
        {"placements_per_turn": 2, "max_turns": 4},
        turn=2,
    ),
    # Of a turn with overlays, after which four pieces fall to cuts, one to a ring and six to territory
    "4x5 bonus chain": Start(
        """
        A  .  a  b* a
        a2 b* b* a2 a2
        a  .  a  b  a2
        .  a  b  b  B
        """,
        6,
        {"placements_per_turn": 4, "first_turn_placements": 5},
        turn=3,
        to_move=1,
    ),
    # a1 is doomed until a stone elsewhere makes the left part sea again
    "3x5 un-dooming": Start(
        """
        b . a* . .
        . . A  . .
        a . a  . B
        """,
        6,
        turn=2,
    ),
}


def action_name(twin: Twin, action: int) -> str:
    """The name under which the engine describes the action, spelt out here on its own."""
    if action == 2 * twin.num_cells:
        return "end"
    return ("-" if action >= twin.num_cells else "") + cell_name(*twin.cell_of(action))


def key_of(twin: Twin) -> Hashable:
    """Equal for positions from which the same sequences are legal."""
    layers = (frozenset(twin.board.lower.values()), frozenset(twin.board.overlays.values()))
    return (*layers, twin.turn, twin.to_move, tuple(twin.turns_taken), twin.passes, twin.retractions, twin.is_over)


class Counter:
    """Counts sequences by the twin; positions that several orders of actions reach are counted once."""

    def __init__(self) -> None:
        self.known: dict[tuple[Hashable, int], int] = {}
        self.legal: dict[Hashable, set[int]] = {}

    def legal_actions(self, twin: Twin) -> set[int]:
        key = key_of(twin)
        if key not in self.legal:
            self.legal[key] = twin.legal_actions()
        return self.legal[key]

    def count(self, twin: Twin, depth: int) -> int:
        """The number of sequences of exactly `depth` legal actions."""
        if depth == 0:
            return 1
        if depth == 1:
            return len(self.legal_actions(twin))
        key = key_of(twin), depth
        if key not in self.known:
            self.known[key] = sum(self.split(twin, depth).values())
        return self.known[key]

    def split(self, twin: Twin, depth: int) -> Split:
        """The same, by the first action."""
        found = {}
        for action in sorted(self.legal_actions(twin)):
            after = twin.clone()
            after.apply(action)
            found[action_name(twin, action)] = self.count(after, depth - 1)
        return found


def splits_of(start: Start, max_depth: int) -> list[Split]:
    """The twin's splits for depths 1, 2, ..., `max_depth`."""
    counter, twin = Counter(), Twin.from_position(start.position())
    return [counter.split(twin, depth) for depth in range(1, max_depth + 1)]


def as_json(splits: dict[str, list[Split]]) -> str:
    """JSON with one line per start and depth."""
    blocks = [
        f"{json.dumps(name)}: [\n" + ",\n".join(f"  {json.dumps(split)}" for split in by_depth) + "\n]"
        for name, by_depth in splits.items()
    ]
    return "{\n" + ",\n".join(blocks) + "\n}\n"


def main() -> None:
    splits = {}
    for name, start in STARTS.items():
        began = time.monotonic()
        splits[name] = splits_of(start, start.depth)
        counts = [sum(split.values()) for split in splits[name]]
        print(f"{name}: {counts} in {time.monotonic() - began:.1f} s", flush=True)
    write_bytes(PATH, as_json(splits).encode())


if __name__ == "__main__":
    main()
