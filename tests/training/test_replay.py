"""`bitblossom replay` on records that `bitblossom evaluate` has written."""

import json
from types import SimpleNamespace

import pytest

from agents import make, registry
from training.cli import main


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    assert main(["evaluate", "random", "random", "--board", "5", "--games", "2", "--records", str(path)]) == 0
    return path


def test_shows_every_turn_and_the_end(records, capsys):
    assert main(["replay", str(records), "--game", "2"]) == 0
    shown = capsys.readouterr().out
    record = json.loads(records.read_text().splitlines()[1])
    assert all(f"turn {line}" in shown for line in record["turns"])
    assert "won; areas" in shown.splitlines()[-1]


def test_shows_one_turn(records, capsys):
    assert main(["replay", str(records), "--turn", "0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["a", "b", "c", "d", "e"]
    assert len(lines) == 6


@pytest.mark.parametrize(
    ("arguments", "word"),
    [(["--game", "3"], "game=3"), (["--game", "0"], "game=0"), (["--turn", "-1"], "turn -1")],
)
def test_bad_input_is_one_line(records, capsys, arguments, word):
    assert main(["replay", str(records), *arguments]) == 2
    complaint = capsys.readouterr().err
    assert word in complaint
    assert complaint.count("\n") == 1


def test_a_missing_or_foreign_file_is_one_line(tmp_path, capsys):
    assert main(["replay", str(tmp_path / "none.jsonl")]) == 2
    (tmp_path / "foreign.jsonl").write_text("{}\n")
    assert main(["replay", str(tmp_path / "foreign.jsonl")]) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_an_agent_says_what_it_would_have_played(records, capsys):
    assert main(["replay", str(records), "--explain", "closer"]) == 0
    shown = capsys.readouterr().out
    record = json.loads(records.read_text().splitlines()[0])
    announced = [line for line in shown.splitlines() if line.startswith("closer plays ")]
    assert len(announced) >= len(record["turns"])  # each turn, action by action
    assert main(["replay", str(records), "--turn", "0", "--explain", "greedy"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[7].startswith("greedy plays ")
    assert lines[8].startswith("It is worth ")
    assert lines[-2] == "greedy plays end."


def make_silent(_argument, _options):
    """An agent from elsewhere, with what every agent needs and no more."""
    return SimpleNamespace(name="silent", act=make("random").act)


def test_who_cannot_say_why_is_refused_in_one_line(records, capsys, monkeypatch):
    monkeypatch.setitem(registry._ENTRIES, "silent", registry.Entry(f"{__name__}:make_silent", ("silent",)))
    assert main(["replay", str(records), "--explain", "silent"]) == 2
    complaint = capsys.readouterr().err
    assert "agent 'silent' cannot explain itself" in complaint
    assert complaint.count("\n") == 1
