"""Tournaments: a table that grows without playing anything twice, and never mixes what is not the same."""

import dataclasses
import json
import shutil

import numpy as np
import pytest

from agents import registry
from tests.training.checkpoints import change_meta, save
from tests.training.test_cli import assert_refused
from training.cli import main
from training.commands.contest_settings import unique_names
from training.commands.tournament import expand, expand_all

FILES = {"results.jsonl", "report.json", "agents.csv", "agents.md", "payoff.npz", "rating-ladder.svg", "win-matrix.svg"}


def run(out, *words, board="5", games="8", code=0):
    """Runs a tournament; returns its report and the lines of its results."""
    command = ["tournament", *words, "--out", str(out), "--board", board, "--games", games, "--players", "2"]
    assert main(command) == code
    lines = (out / "results.jsonl").read_bytes().splitlines()
    return json.loads((out / "report.json").read_text()), lines


def names_of(report):
    return {row["name"] for row in report["agents"]}


def without_times(report):
    return [{key: value for key, value in row.items() if key != "seconds_per_turn"} for row in report["agents"]]


def test_a_table_grows_without_replaying(tmp_path, capsys):
    first, lines = run(tmp_path, "random", "random:any")
    assert {path.name for path in tmp_path.iterdir()} == FILES
    assert "8 games in 4 blocks played now; 8 games in" in capsys.readouterr().out
    grown, more = run(tmp_path, "greedy")
    assert more[: len(lines)] == lines
    assert names_of(grown) == names_of(first) | {"greedy"}
    assert [row["games"] for row in grown["agents"]] == [16, 16, 16]
    again, same = run(tmp_path, "greedy")
    assert same == more
    assert again == grown
    assert "0 games in 0 blocks played now; 24 games in" in capsys.readouterr().out


def test_it_does_not_matter_who_came_when(tmp_path):
    run(tmp_path / "a", "random", "random:any")
    grown, _ = run(tmp_path / "a", "greedy")
    at_once, _ = run(tmp_path / "b", "greedy", "random:any", "random")
    assert without_times(grown) == without_times(at_once)
    assert grown["matrix"] == at_once["matrix"]


def test_more_games_add_to_those_there_are(tmp_path):
    run(tmp_path, "random", "random:any")
    report, _ = run(tmp_path, "random", games="20")
    assert [row["games"] for row in report["agents"]] == [20, 20]


def test_a_gauntlet_plays_only_games_of_the_named(tmp_path):
    run(tmp_path, "random", "random:any", "greedy", games="2")
    report, _ = run(tmp_path, "greedy", "--pairing", "gauntlet", games="6")
    games = {row["name"]: row["games"] for row in report["agents"]}
    assert games == {"greedy": 12, "random": 8, "random:any": 8}


def test_the_table_is_ordered_by_rating_and_anchored(tmp_path):
    report, _ = run(tmp_path, "random", "random:any", "greedy", games="20")
    ratings = [row["rating"] for row in report["agents"]]
    assert ratings == sorted(ratings, reverse=True)
    assert {row["name"]: row["rating"] for row in report["agents"]}["random"] == 0
    with np.load(tmp_path / "payoff.npz", allow_pickle=False) as arrays:
        assert arrays["names"].tolist() == [row["name"] for row in report["agents"]]
        np.testing.assert_array_equal(arrays["wins"], report["matrix"])


def test_all_checkpoints_of_a_run_take_part_and_new_ones_join(tmp_path):
    run_folder, out = tmp_path / "run", tmp_path / "table"
    save(run_folder, 7, seed=0)
    save(run_folder, 30, seed=1)
    assert expand(str(run_folder)) == [f"checkpoint:{run_folder}/checkpoints/{steps}" for steps in (7, 30)]
    assert expand(f"{run_folder}/checkpoints/30") == [f"checkpoint:{run_folder}/checkpoints/30"]
    _, lines = run(out, "random", str(run_folder), games="2")
    save(run_folder, 100, seed=2)
    report, more = run(out, f"{run_folder}/checkpoints/100", games="2")
    assert more[: len(lines)] == lines
    assert names_of(report) == {"random", *(f"checkpoint:{run_folder}/checkpoints/{steps}" for steps in (7, 30, 100))}
    assert (out / "growth.svg").is_file()


def test_a_checkpoint_that_is_gone_keeps_its_games(tmp_path, capsys):
    run_folder, out = tmp_path / "run", tmp_path / "table"
    gone = save(run_folder, 7, seed=0)
    run(out, "random", str(run_folder), games="2")
    shutil.rmtree(gone)
    report, _ = run(out, "random", "random:any", games="2")
    games = {row["name"]: row["games"] for row in report["agents"]}
    assert games == {"random": 4, "random:any": 2, f"checkpoint:{gone}": 2}
    assert f"{gone} cannot play any more and keeps its stored games" in " ".join(capsys.readouterr().err.split())


def test_a_scripted_agent_that_plays_differently_is_not_taken_for_the_old_one(tmp_path, capsys, monkeypatch):
    out = tmp_path / "table"
    run(out, "random", "random:any", games="2")
    newer = dataclasses.replace(registry._ENTRIES["random"], version=2)
    monkeypatch.setitem(registry._ENTRIES, "random", newer)
    words = ["tournament", "random", "--out", str(out), "--board", "5", "--players", "2"]
    capsys.readouterr()
    assert_refused(capsys, words, "agent 'random' has changed since its games", "allowed: another --out")


def test_a_checkpoint_with_other_weights_is_not_taken_for_the_old_one(tmp_path, capsys):
    run_folder, out = tmp_path / "run", tmp_path / "table"
    folder = save(run_folder, 7, seed=0)
    run(out, "random", str(run_folder), games="2")
    shutil.rmtree(folder)
    save(run_folder, 7, seed=1)
    words = ["tournament", str(run_folder), "--out", str(out), "--board", "5", "--players", "2"]
    capsys.readouterr()
    assert_refused(capsys, words, "has changed since its games", "allowed: another --out")
    run(out, "random", games="2")
    assert "it has changed since" in " ".join(capsys.readouterr().err.split())


def test_an_agent_that_cannot_play_leaves_no_trace_in_the_table(tmp_path, capsys):
    foreign = save(tmp_path / "run", 7)
    change_meta(foreign, game="aronda")
    run(tmp_path / "table", "random", "greedy", games="2")
    words = ["tournament", f"checkpoint:{foreign}", "--out", str(tmp_path / "table"), "--board", "5", "--players", "2"]
    capsys.readouterr()
    assert_refused(capsys, words, "plays game='aronda', not 'bitblossom'")
    report, _ = run(tmp_path / "table", "random:any", games="2")
    assert names_of(report) == {"random", "greedy", "random:any"}


def test_the_table_is_never_overwritten_by_its_report(tmp_path, capsys):
    run(tmp_path, "random", "greedy", games="2")
    capsys.readouterr()
    table = tmp_path / "results.jsonl"
    before = table.read_bytes()
    words = ["tournament", "random", "--out", str(tmp_path), "--board", "5", "--players", "2", "--json", str(table)]
    assert_refused(capsys, words, "is asked for twice; allowed: a file of its own for each output")
    assert table.read_bytes() == before


def test_equal_specs_are_agents_of_their_own(tmp_path):
    report, _ = run(tmp_path, "random", "random")
    assert names_of(report) == {"random", "random#2"}
    again, lines = run(tmp_path, "random", "random")
    assert again == report
    assert len(lines) == 1 + 2 + 4


def test_names_that_collide_count_on():
    assert unique_names(["a", "a", "a#2", "a"]) == ["a", "a#3", "a#2", "a#4"]
    assert unique_names(["a", "a"], {"a": "a", "a#2": "a#2"}) == ["a", "a#3"]
    assert unique_names(["a", "a"], {"a": "a", "a#2": "a"}) == ["a", "a#2"]


def test_no_folder_adds_a_checkpoint_twice(tmp_path):
    run_folder = tmp_path / "run"
    save(run_folder, 7)
    newest = save(run_folder, 10)
    old, new = (f"checkpoint:{newest.parent / name}" for name in ("7", "10"))
    assert expand_all([str(run_folder), str(newest), new, str(newest.parent)]) == [old, new, new]


def test_records_are_of_the_games_played_now(tmp_path):
    run(tmp_path / "table", "random", "random:any", games="4")
    records = tmp_path / "records.jsonl"
    run(tmp_path / "table", "greedy", "--records", str(records), games="2")
    seated = [set(json.loads(line)["agents"]) for line in records.read_text().splitlines()]
    assert seated == [{"greedy", "random"}, {"greedy", "random"}, {"greedy", "random:any"}, {"greedy", "random:any"}]


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ([], ["0 agent given", "allowed: two or more"]),
        (["random"], ["1 agent given", "allowed: two or more"]),
        (["random", "nobody"], ["'nobody'", "allowed: ", "greedy"]),
        (["random", "greedy", "--games", "0"], ["games=0", "allowed: 1 or more"]),
        (["random", "greedy", "--pairing", "all"], ["pairing='all' is unknown; allowed: pairs, gauntlet"]),
        (["random", "configs"], ["folder 'configs' holds no checkpoints; allowed: "]),
        (["random", "greedy", "--processes", "0"], ["processes=0 is out of range"]),
    ],
)
def test_bad_arguments_are_one_line(tmp_path, capsys, words, parts):
    assert_refused(capsys, ["tournament", *words, "--out", str(tmp_path)], *parts)


def test_the_table_is_there_as_markdown(tmp_path):
    out = tmp_path / "table"
    report, _ = run(out, "random", "random:any", games="2")
    title, _, header, _, *rows = (out / "agents.md").read_text().splitlines()
    assert (title, header[:16]) == ("### 5x5, 2 players", "| agent | games ")
    assert [row.split(" | ")[:2] for row in rows[:2]] == [
        [f"| {agent['name']}", str(agent["games"])] for agent in report["agents"]
    ]
