"""`bitblossom evaluate` as a whole: the same numbers whoever plays them and in whatever order they are asked for."""

import csv
import io
import json
import os
import re
from itertools import count

import numpy as np
import pytest

from tests.training.checkpoints import save
from tests.training.test_cli import assert_refused
from training.cli import main
from training.evaluation.contest import Contest


def evaluate(path, *words, code=0):
    """The report as text, thinking times blanked out."""
    assert main(["evaluate", *words, "--json", str(path)]) == code
    return re.sub(r'("seconds_per_turn": )[0-9.e-]+', r"\1null", path.read_text())


@pytest.fixture
def network(tmp_path):
    return f"checkpoint:{save(tmp_path / 'run')}"


def test_one_process_and_two_give_the_same_bytes(tmp_path, network):
    words = ["random", network, "random:any", "--board", "5", "--players", "2", "--games", "60", "--seed", "5"]
    alone, shared = (evaluate(tmp_path / "r.json", *words, "--processes", number) for number in ("1", "2"))
    assert alone == shared


def test_records_and_tables_do_not_depend_on_the_number_of_processes(tmp_path):
    words = ["random", "random:any", "--board", "5", "--players", "3", "--games", "12"]
    files = [[tmp_path / f"{number}.{ending}" for ending in ("jsonl", "npz")] for number in ("1", "2")]
    for number, (records, payoff) in zip(("1", "2"), files, strict=True):
        evaluate(tmp_path / "r.json", *words, "--processes", number, "--records", str(records), "--payoff", str(payoff))
    for alone, shared in zip(*files, strict=True):
        assert alone.read_bytes() == shared.read_bytes()


@pytest.mark.parametrize(("players", "specs"), [("2", 2), ("2", 3), ("4", 2), ("3", 3), ("3", 4)])
def test_the_order_of_names_changes_nothing_but_the_order(tmp_path, players, specs):
    names = ["random", "greedy", "random:any", "random"][:specs]
    words = ["--board", "5", "--players", players, "--games", "24"]
    forward, backward = (json.loads(evaluate(tmp_path / "r.json", *order, *words)) for order in (names, names[::-1]))
    assert forward["agents"] == backward["agents"][::-1] or specs == 4
    by_name = [{row["name"]: row for row in report["agents"]} for report in (forward, backward)]
    assert by_name[0] == by_name[1]
    if specs < 4:
        assert forward["matrix"] == [row[::-1] for row in backward["matrix"][::-1]]
    assert forward["distinct_games"] == backward["distinct_games"]


def test_a_pair_plays_the_same_games_whoever_else_takes_part(tmp_path):
    words = ["--board", "5", "--players", "2", "--pairing", "pairs"]
    pair = json.loads(evaluate(tmp_path / "r.json", "random", "greedy", *words, "--games", "20"))
    table = json.loads(evaluate(tmp_path / "r.json", "random", "random:any", "greedy", *words, "--games", "60"))
    assert pair["matrix"][0][1] == table["matrix"][0][2]
    assert pair["matrix"][1][0] == table["matrix"][2][0]


def test_a_gauntlet_is_the_first_against_each_other(tmp_path):
    words = ["greedy", "random", "random:any", "--board", "5", "--players", "2", "--pairing", "gauntlet"]
    report = json.loads(evaluate(tmp_path / "r.json", *words, "--games", "20"))
    assert [row["games"] for row in report["agents"]] == [20, 10, 10]
    assert report["matrix"][1][2] == report["matrix"][2][1] == 0


def test_every_output_says_the_same(tmp_path):
    files = {name: tmp_path / "new" / f"r.{name}" for name in ("csv", "payoff", "markdown")}
    words = ["random", "random:any", "random", "--board", "5", "--players", "2", "--games", "24"]
    outputs = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    report = json.loads(evaluate(tmp_path / "r.json", *words, *outputs, "--plots", str(tmp_path / "plots")))
    rows = list(csv.DictReader(io.StringIO(files["csv"].read_text(encoding="utf-8"))))
    assert [row["name"] for row in rows] == ["random", "random:any", "random#2"]
    assert [float(row["rating"]) for row in rows] == [row["rating"] for row in report["agents"]]
    told = files["markdown"].read_text(encoding="utf-8").splitlines()
    assert [line.split(" | ")[6] for line in told[4:7]] == [f"{row['rating']:.0f}" for row in report["agents"]]
    with np.load(files["payoff"], allow_pickle=False) as arrays:
        np.testing.assert_array_equal(arrays["wins"], report["matrix"])
    assert {path.name for path in (tmp_path / "plots").iterdir()} == {"rating-ladder.svg", "win-matrix.svg"}


def test_a_sequential_test_stops_when_it_is_decided(tmp_path, capsys):
    words = ["random", "random:any", "--board", "5", "--players", "2", "--sprt", "0", "50"]
    texts = [evaluate(tmp_path / "r.json", *words, "--processes", number) for number in ("1", "2")]
    assert texts[0] == texts[1]
    report = json.loads(texts[0])
    assert report["sprt"]["decision"] == "H1 accepted"
    assert report["agents"][0]["games"] == 2 * report["sprt"]["blocks"] < 200
    assert "the first agent is 50 points better or more" in capsys.readouterr().out
    turned = json.loads(evaluate(tmp_path / "r.json", "random:any", "random", *words[2:-3], "--sprt", "-50", "0"))
    assert turned["sprt"]["decision"] == "H0 accepted"
    assert turned["sprt"]["blocks"] == report["sprt"]["blocks"]


def test_a_sequential_test_may_stay_undecided(tmp_path, capsys):
    words = ["random", "random", "--board", "5", "--players", "4", "--sprt", "-5", "5", "--games", "40"]
    report = json.loads(evaluate(tmp_path / "r.json", *words))
    assert report["sprt"]["decision"] == "undecided"
    assert report["sprt"]["blocks"] == 10
    assert "not decided, play more games" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--sprt", "5", "0"], ["sprt=5 0 is no test; allowed: LO below HI"]),
        (["greedy", "--sprt", "0", "5"], ["sprt needs two agents, 3 are given; allowed: "]),
        (["--pairing", "swiss"], ["pairing='swiss' is unknown; allowed: round_robin, pairs, gauntlet"]),
        (["--processes", "0"], ["processes=0 is out of range; allowed: 1 or more"]),
        (["--plots", __file__], ["is a file; allowed: the path of a folder"]),
        (["--csv", "."], ["file '.' is a folder"]),
        (["--csv", os.devnull], ["is no regular file; allowed: a regular file, or a path where nothing is yet"]),
        (["--players", "2", "--rules.num_players", "2"], ["num_players is given twice, in rules too; allowed: once"]),
        (["--random_turns", "2", "1"], ["random_turns=2 1 is no range; allowed: LO HI with 0 <= LO <= HI"]),
        (["--random_turns", "900", "900"], ["random_turns=900 is not allowed; allowed: fewer"]),
        (["--games", "100000000000000"], ["50000000000000 blocks are asked for; allowed: up to 2000000, fewer games"]),
    ],
)
def test_bad_arguments_are_one_line(capsys, words, parts):
    assert_refused(capsys, ["evaluate", "random", "random", *words], *parts)


def test_two_outputs_need_two_files(tmp_path, capsys):
    same = ["--json", str(tmp_path / "a"), "--records", str(tmp_path / "b" / ".." / "a")]
    assert_refused(capsys, ["evaluate", "random", "random", *same], "is asked for twice; allowed: a file of its own")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("agents: null", "agents=null is no value; allowed: a value, or to leave it out"),
        ("seed: null", "seed=null is no value"),
        ("rules: null", "rules=null is no value"),
        ("rules: {1: 2}", "rules name 1; allowed: names of environment arguments"),
        ("random_turns: [1]", "random_turns=1 is no range; allowed: LO HI"),
        ("random_turns: null", "random_turns=None is no range; allowed: LO HI"),
        ("sprt: [0]", "sprt=0.0 is no test; allowed: LO HI"),
    ],
)
def test_what_says_nothing_in_a_file_is_refused(tmp_path, capsys, text, message):
    config = tmp_path / "settings.yaml"
    config.write_text(text)
    assert_refused(capsys, ["evaluate", "random", "random", "--config", str(config)], message)


def test_a_link_stands_for_its_file(tmp_path):
    (tmp_path / "link.json").symlink_to("real.json")
    evaluate(tmp_path / "link.json", "random", "random", "--games", "2")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").is_file()


def test_what_was_played_before_a_fault_is_reported(tmp_path, capsys, monkeypatch):
    answer = Contest.answer
    calls = count()

    def fail_later(self, shard):
        if next(calls) == 2:
            raise ZeroDivisionError("of an agent")
        return answer(self, shard)

    monkeypatch.setattr(Contest, "answer", fail_later)
    path = tmp_path / "report.json"
    words = ["random", "random:any", "--games", "400", "--processes", "1", "--json", str(path)]
    assert main(["evaluate", *words]) == 1
    captured = capsys.readouterr()
    assert "of an agent" in captured.err
    games = json.loads(path.read_text())["agents"][0]["games"]
    assert 0 < games < 400
    assert f"{games} games in {games // 2} blocks, cut short: 200 blocks were planned" in captured.out


def test_a_name_cannot_speak_to_the_terminal(tmp_path, capsys):
    folder = save(tmp_path / "\x1b[31mred\ndot\udc80", 7)
    words = (f"checkpoint:{folder}", "random", "--board", "5", "--games", "2")
    report = json.loads(evaluate(tmp_path / "report.json", *words))
    assert report["agents"][0]["name"] == f"checkpoint:{folder}"
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert r"\x1b[31mred\ndot\udc80" in "".join(out.split())
