"""The commands with a game that is no grid: Aronda."""

import json

import pytest

from training.cli import main


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("aronda")
    files = ["--json", str(place / "r.json"), "--records", str(place / "g.jsonl"), "--markdown", str(place / "a.md")]
    assert main(["evaluate", "random", "random:any", "--game", "aronda", "--games", "12", *files]) == 0
    return place


def test_it_is_evaluated(folder):
    report = json.loads((folder / "r.json").read_text())
    assert report["rules"] == {
        "game": "aronda",
        "blockade": True,
        "stop_at_majority": False,
        "starting_player": "player_0",
        "reward": "win",
    }
    assert [row["illegal_actions"] for row in report["agents"]] == [0, 0]
    assert sum(row["mean_area"] for row in report["agents"]) <= 25
    assert (folder / "a.md").read_text().startswith("### Aronda\n")


def test_its_records_are_shown(folder, capsys):
    assert main(["replay", str(folder / "g.jsonl"), "--explain", "random"]) == 0
    shown = capsys.readouterr().out
    assert "(A)" in shown
    assert "stones left: 2" in shown
    assert "random plays o" in shown
    assert shown.splitlines()[-1].startswith(("full_board: ", "blockade: "))


def test_a_tournament_takes_it(tmp_path):
    words = ["tournament", "random", "random:any", "--game", "aronda", "--games", "4", "--out", str(tmp_path / "t")]
    assert main(words) == 0
    assert (tmp_path / "t" / "agents.md").is_file()


@pytest.mark.parametrize("spec", ["cutter", "closer", "planner"])
def test_an_agent_of_another_game_is_refused_in_one_line(spec, capsys):
    assert main(["evaluate", spec, "random", "--game", "aronda", "--games", "4"]) == 2
    complaint = capsys.readouterr().err.splitlines()[-1]
    assert complaint == f"bitblossom: agent {spec!r} plays bitblossom only; got a game of aronda"


def test_an_agent_of_this_game_is_refused_elsewhere_in_one_line(capsys):
    assert main(["evaluate", "solver:9", "random", "--board", "5", "--games", "4"]) == 2
    complaint = capsys.readouterr().err.splitlines()[-1]
    assert complaint == "bitblossom: agent 'solver:9' plays aronda only; got a game of bitblossom"


def test_a_setting_of_another_game_is_refused_in_one_line(capsys):
    assert main(["evaluate", "random", "random", "--game", "aronda", "--board", "9", "--games", "4"]) == 2
    assert "board_size is no argument of Aronda; allowed: blockade" in capsys.readouterr().err
