"""Sequences of legal actions from small boards, counted by the engine against the numbers of the slow twin."""

from __future__ import annotations

import json
from textwrap import dedent

import pytest

from bitblossom_env.core.game import Game, make_setup
from bitblossom_env.core.jit import jit_is_off
from tests.counts.make_counts import PATH, STARTS, Split, splits_of
from tests.lockstep import arguments_of

COUNTED: dict[str, list[Split]] = json.loads(PATH.read_text())
MAX_POSITIONS = 1_500 if jit_is_off() else 150_000  # met on the way: seconds either way
COMMAND = "python -m tests.counts.make_counts"


def game_of(name: str) -> Game:
    position = STARTS[name].position()
    return make_setup("bitblossom", arguments_of(position)).game_from_position(position)


def count(game: Game, depth: int) -> int:
    """The number of sequences of exactly `depth` actions that the engine allows."""
    if depth == 0:
        return 1
    return int(game.legal_mask().sum()) if depth == 1 else sum(engine_split(game, depth).values())


def engine_split(game: Game, depth: int) -> Split:
    """The same, by the first action."""
    split = {}
    for action in game.legal_mask().nonzero()[0].tolist():
        after = game.clone()
        after.apply(action)
        split[game.describe_action(action)] = count(after, depth - 1)
    return split


def table_of(engine: Split, twin: Split) -> str:
    """Both splits side by side, what differs marked."""
    lines = [f"{'first':6} {'engine':>9} {'twin':>9}"]
    for name in sorted({*engine, *twin}):
        ours, theirs = engine.get(name, "illegal"), twin.get(name, "illegal")
        lines.append(f"{name:6} {ours:>9} {theirs:>9}{'' if ours == theirs else '  <--'}")
    return "\n".join([*lines, f"{'all':6} {sum(engine.values()):9} {sum(twin.values()):9}"])


@pytest.mark.parametrize("name", STARTS)
def test_engine_counts_what_the_twin_counts(name):
    by_depth = COUNTED.get(name, [])
    assert len(by_depth) == STARTS[name].depth, f"{PATH.name} is of other starts: {COMMAND}"
    positions = [1, *(sum(split.values()) for split in by_depth)]
    for depth, twin in enumerate(by_depth, 1):
        if positions[depth - 1] > MAX_POSITIONS:
            assert depth > 3, "too little is compared"
            break
        engine = engine_split(game_of(name), depth)
        if engine != twin:
            board = dedent(STARTS[name].drawing).strip()
            pytest.fail(f"{name}, depth {depth}\n{board}\n{table_of(engine, twin)}", pytrace=False)


@pytest.mark.parametrize("name", STARTS)
def test_stored_numbers_are_the_twins(name):
    """As deep as takes no time, so that a change of the rules cannot leave old numbers behind."""
    assert splits_of(STARTS[name], 3) == COUNTED[name][:3]


def test_nothing_is_counted_for_no_start():
    assert set(COUNTED) == set(STARTS), COMMAND


def test_difference_is_shown_by_first_action():
    text = table_of({"a1": 10, "b1": 7, "end": 3}, {"a1": 10, "-c2": 8, "end": 4})
    assert text.splitlines() == [
        "first     engine      twin",
        "-c2      illegal         8  <--",
        "a1            10        10",
        "b1             7   illegal  <--",
        "end            3         4  <--",
        "all           20        22",
    ]
