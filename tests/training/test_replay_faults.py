"""`bitblossom replay` on files that are no records, or no longer what was played."""

import json

import pytest

from training.cli import main


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    assert main(["evaluate", "random", "random", "--board", "5", "--games", "2", "--records", str(path)]) == 0
    return json.loads(path.read_text(encoding="utf-8").splitlines()[0])


def complaint_about(path, capsys, *arguments):
    """Runs the command, expects exit code 2, and returns its one line on standard error."""
    assert main(["replay", str(path), *arguments]) == 2
    complaint = capsys.readouterr().err
    assert complaint.startswith("bitblossom: ")
    assert complaint.count("\n") == 1
    assert complaint.endswith("\n")
    return complaint


def written(tmp_path, record):
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("beyond", [1, 2, 1000, 10**12])
def test_a_turn_beyond_the_end_is_one_line(tmp_path, capsys, record, beyond):
    path, num_turns = written(tmp_path, record), len(record["turns"])
    assert main(["replay", str(path), "--turn", str(num_turns)]) == 0
    capsys.readouterr()
    complaint = complaint_about(path, capsys, "--turn", str(num_turns + beyond))
    assert str(num_turns + beyond) in complaint
    assert str(num_turns) in complaint.replace(str(num_turns + beyond), "")


@pytest.mark.parametrize("content", [b"\xff\xfe\x00\x01", '{"format": "\u00e4"}'.encode("latin-1")], ids=str)
def test_a_file_that_is_no_text_is_one_line_that_names_it(tmp_path, capsys, content):
    path = tmp_path / "picture.jsonl"
    path.write_bytes(content)
    assert "picture.jsonl" in complaint_about(path, capsys)


def test_an_empty_file_and_a_folder_are_one_line_that_names_them(tmp_path, capsys):
    (tmp_path / "empty.jsonl").touch()
    assert "empty.jsonl" in complaint_about(tmp_path / "empty.jsonl", capsys)
    assert str(tmp_path) in complaint_about(tmp_path, capsys)


@pytest.mark.parametrize(
    ("forge", "word"),
    [
        (lambda r: {"turns": ["0 seat 0: end", *r["turns"][1:]]}, "the line"),
        (lambda r: {"turns": r["turns"][:-1]}, "turn"),
        (lambda r: {"hashes": [*r["hashes"], r["hash"]]}, "turn"),
        (lambda _: {"version": True}, "version=True"),
        (lambda _: {"turns": None}, "turns"),
        (lambda _: {"agents": 5}, "agents"),
        (lambda _: {"agents": ["one"]}, "agents"),
        (lambda _: {"game": "chess"}, "chess"),
        (lambda r: {"rules": r["rules"] | {"gravity": 1}}, "gravity"),
        (lambda r: {"start": r["start"] | {"rows": 2}}, "2"),
    ],
)
def test_a_forged_record_is_one_line(tmp_path, capsys, record, forge, word):
    path = written(tmp_path, {**record, **forge(record)})
    assert word in complaint_about(path, capsys)
