"""The file of a tournament: it grows, survives a crash, and refuses what is foreign, broken or of other rules."""

import json
import os
import pickle
import re
import signal

import pytest

import bitblossom_env  # noqa: F401 - registers the games
from bitblossom_env.core.game import make_setup
from tests.training.checkpoints import Bomb
from tests.training.results import duel_block
from training.evaluation.contest import Plan, PlayedBlock
from training.evaluation.ledger import Entrant, Ledger
from training.evaluation.report import make_report
from training.evaluation.schedule import make_blocks

NAMES = ["greedy", "random"]


def make_plan(seed=0, random_turns=(1, 4), **rules):
    setup = make_setup("bitblossom", {"num_players": 2, "board_size": 5, **rules})
    return Plan(setup, (), (), seed=seed, random_turns=random_turns)


def played_blocks(outcomes):
    blocks = make_blocks([(0, 1)], NAMES, 2 * len(outcomes))
    return [
        PlayedBlock(block, tuple(duel_block(0, 1, letters)), ())
        for block, letters in zip(blocks, outcomes, strict=True)
    ]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "table" / "results.jsonl"


@pytest.fixture
def ledger(path):
    """A table that was played and closed."""
    return at_table(path, played_blocks(["12", "1=", "11"]))


def at_table(path, blocks):
    """Adds `blocks` to the table at `path`; returns it closed."""
    with Ledger(path, make_plan()) as table:
        for name in NAMES:
            table.enter(name, Entrant(name, f"{name} 1"))
        table.add(blocks, NAMES)
    return table


def report_of(ledger):
    return make_report(make_plan().setup, NAMES, ledger.results(NAMES), 0)


def test_what_is_read_back_gives_the_same_report(ledger, path):
    with Ledger(path, make_plan()) as again:
        pass
    assert again.entrants == ledger.entrants
    assert again.blocks == ledger.blocks
    assert report_of(again) == report_of(ledger)
    assert [row.games for row in report_of(again).agents] == [6, 6]


def test_results_come_back_in_one_order_however_they_were_added(path):
    blocks = played_blocks(["12", "1=", "11"])
    tables = [at_table(path.with_name(f"{index}.jsonl"), order) for index, order in enumerate([blocks, blocks[::-1]])]
    assert tables[0].results(NAMES) == tables[1].results(NAMES)


@pytest.mark.usefixtures("ledger")
def test_half_a_line_that_a_crash_left_is_dropped(path):
    blocks = played_blocks(["12", "1=", "11"])
    at_table(path.with_name("other.jsonl"), blocks)
    whole = path.with_name("other.jsonl").read_bytes()
    path.write_bytes(whole[:-20])
    with Ledger(path, make_plan()) as again:
        assert len(again.blocks) == 2
        again.add(blocks[2:], NAMES)
    assert path.read_bytes() == whole


@pytest.mark.usefixtures("ledger")
def test_nobody_else_writes_to_a_table_in_use(path):
    with Ledger(path, make_plan()), pytest.raises(ValueError, match="another tournament is writing to it; allowed: "):
        Ledger(path, make_plan())
    with Ledger(path, make_plan()) as free:
        assert len(free.blocks) == 3


def test_an_agent_that_has_changed_is_refused(ledger):
    ledger.enter("greedy", Entrant("greedy", "greedy 1"))
    with pytest.raises(ValueError, match=r"agent 'greedy' has changed since its games .* allowed: another --out"):
        ledger.enter("greedy", Entrant("greedy", "0123"))


@pytest.mark.usefixtures("ledger")
@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (make_plan(seed=1), "seed=0 differs from what is asked for, 1"),
        (make_plan(random_turns=(0, 4)), r"random_turns=\[1, 4\] differs from what is asked for, \[0, 4\]"),
        (make_plan(cuts=False), "cuts=True differs from what is asked for, False; allowed: another --out"),
        (make_plan(board_size=6), r"board_size=\[5, 5\] differs"),
    ],
)
def test_results_under_other_rules_are_refused_by_name(path, plan, message):
    before = path.read_bytes()
    with pytest.raises(ValueError, match=message):
        Ledger(path, plan)
    assert path.read_bytes() == before


def changed(field, value):
    """Damages the first game of the last block."""

    def damage(path):
        *lines, last = path.read_text().splitlines()
        block = json.loads(last)
        block["games"][0][field] = value
        path.write_text("\n".join([*lines, json.dumps(block)]) + "\n")

    return damage


DAMAGES = {
    "no line": (lambda path: path.write_bytes(b'{"format"'), "is no results file"),
    "foreign": (lambda path: path.write_text('{"name": "left-pad"}\n'), "line 1: this is no results file"),
    "no object": (lambda path: path.write_text("[1]\n"), "line 1: this is no results file"),
    "no JSON": (lambda path: path.write_bytes(b"\xff\xfe\n"), "line 1: "),
    "deep": (lambda path: path.write_text("[" * 100_000 + "\n"), "line 1: "),
    "pickle": (lambda path: path.write_bytes(pickle.dumps(Bomb(path.parent / "exploded")) + b"\n"), "line 1: "),
    "newer": (
        lambda path: path.write_text(path.read_text().replace('"version":1', '"version":2', 1)),
        "line 1: version=2 is newer than this program; allowed: up to 1",
    ),
    "no version": (
        lambda path: path.write_text(path.read_text().replace('"version":1', '"version":"1"', 1)),
        "line 1: '1' is of the wrong type",
    ),
    "no seats": (
        lambda path: path.write_text(path.read_text() + '{"lineup":[],"round":9,"games":[]}\n'),
        "line 7: 0 agents and 0 games are not those of 2 seats",
    ),
    "a block twice": (
        lambda path: path.write_text(path.read_text() + path.read_text().splitlines()[-1] + "\n"),
        "line 7: it is a block that a line before it holds too",
    ),
    "negative round": (
        lambda path: path.write_text(path.read_text().replace('"round":2', '"round":-2', 1)),
        "line 6: round=-2 is none",
    ),
    "no rules": (lambda path: path.write_text('{"format": "bitblossom-results", "version": 1}\n'), "line 1: "),
    "unknown agent": (
        lambda path: path.write_text(re.sub(r'\{"agent":"greedy".*\n', "", path.read_text())),
        "line 3: it names an agent that no line before it does",
    ),
    "winners": (changed("winners", [2]), r"line 6: winners=\[2\]"),
    "a winner twice": (changed("winners", [1, 1]), r"line 6: winners=\[1, 1\]"),
    "vast areas": (changed("areas", [10**400, 1]), "line 6: a value of areas is out of range"),
    "negative turns": (changed("turns", [-1, 1]), "line 6: a value of turns is out of range"),
    "no winners": (changed("winners", []), r"line 6: winners=\[\]"),
    "ranks": (changed("ranks", [0, 5]), r"line 6: ranks=\[0, 5\]"),
    "short ranks": (changed("ranks", [1]), r"line 6: ranks=\[1\] does not have a value for each seat"),
    "truth values": (changed("turns", [True, 3]), "line 6: True is of the wrong type"),
    "not a number": (changed("seconds", [float("nan"), 1]), "line 6: NaN is no number"),
    "other seats": (changed("seating", ["random", "random"]), "line 6: its games are not those of its line-up"),
    "more fields": (changed("score", 1), "line 6: a game has other fields"),
}


@pytest.mark.usefixtures("ledger")
@pytest.mark.parametrize("name", DAMAGES)
def test_broken_files_are_refused_in_one_line(path, name):
    damage, message = DAMAGES[name]
    damage(path)
    with pytest.raises(ValueError, match=message) as caught:
        Ledger(path, make_plan())
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)
    assert not (path.parent / "exploded").exists()


def test_a_pipe_is_no_table(path):
    path.parent.mkdir()
    os.mkfifo(path)
    with pytest.raises(ValueError, match="is no regular file; allowed: a results file, or nothing yet"):
        Ledger(path, make_plan())


def test_a_table_without_agents_leaves_nothing_behind(path):
    with Ledger(path, make_plan()):
        pass
    assert path.read_bytes() == b""
    with Ledger(path, make_plan(seed=1)) as other:
        other.enter("random", Entrant("random", "random 1"))
    assert json.loads(path.read_bytes().splitlines()[0])["seed"] == 1


def test_ctrl_c_while_blocks_are_written_comes_when_they_are_known(path, monkeypatch):
    with Ledger(path, make_plan()) as table:
        for name in NAMES:
            table.enter(name, Entrant(name, f"{name} 1"))
        sync = os.fsync

        def interrupt(file):
            sync(file)
            signal.raise_signal(signal.SIGINT)

        monkeypatch.setattr("training.evaluation.ledger.os.fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            table.add(played_blocks(["12", "1="]), NAMES)
        monkeypatch.undo()
    with Ledger(path, make_plan()) as again:
        assert again.blocks == table.blocks
        assert len(again.blocks) == 2
