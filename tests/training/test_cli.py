"""The console script: what it refuses and how, what it writes, and that equal seeds give equal files."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bitblossom_env.core.record import read_records, replay
from training.cli import main
from training.commands.contest_settings import parse_board, unique_names

ROOT = Path(__file__).parents[2]


def run_script(*words, **options):
    command = [sys.executable, "-m", "training.cli", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120, **options)


def assert_refused(capsys, words, *parts):
    """The words end in exit code 2 and one line on standard error that holds all `parts`."""
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("bitblossom: ")
    for part in parts:
        assert part in captured.err


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["nonsense"], ["'nonsense'", "allowed: ", "evaluate"]),
        (["evaluate"], ["0 agent", "allowed: two or more"]),
        (["evaluate", "random"], ["1 agent", "allowed: two or more"]),
        (["evaluate", "random", "nobody"], ["'nobody'", "allowed: ", "greedy"]),
        (["evaluate", "random", "random:bad"], ["'bad'", "allowed: "]),
        (["evaluate", "random", "random", "--games", "0"], ["games=0", "allowed: "]),
        (["evaluate", "random", "random", "--games", "many"], ["games", "many"]),
        (["evaluate", "random", "random", "--seed", "-1"], ["seed=-1", "allowed: "]),
        (["evaluate", "random", "random", "--game", "chess"], ["'chess'", "allowed: ", "bitblossom"]),
        (["evaluate", "random", "random", "--board", "2"], ["board_size", "2", "allowed: "]),
        (["evaluate", "random", "random", "--board", "7x"], ["'7x'", "allowed: "]),
        (["evaluate", "random", "random", "--players", "9"], ["num_players=9", "allowed: "]),
        (["evaluate", "random", "random", "--rules.no_such", "1"], ["no_such", "allowed: "]),
        (["evaluate", "random", "random", "--rules.bonus_cap", "x"], ["bonus_cap", "allowed: "]),
        (["evaluate", "random", "random", "--random_turns", "3", "1"], ["random_turns=3 1", "allowed: "]),
        (["evaluate", "random", "random", "--unheard", "1"], ["--unheard"]),
        (["evaluate", "random", "random", "--game", "bitblossom", "--see", "1"], ["--see"]),
        (["evaluate", "random", "random", "--config", "/no/such.yaml"], ["/no/such.yaml"]),
        (["evaluate", "random", "checkpoint:/no/such"], ["/no/such"]),
        (["first-look", "--games", "0"], ["games=0", "allowed: "]),
        (["first-look", "--agent", "nobody"], ["'nobody'", "allowed: "]),
        (["train"], ["--out"]),
        (["train", "--out", "runs/none"], ["CONFIG", "allowed: "]),
        (["train", "/no/such.yaml", "--out", "runs/none"], ["/no/such.yaml"]),
    ],
)
def test_errors_are_one_line_with_exit_code_2(capsys, words, parts):
    assert_refused(capsys, words, *parts)


def test_errors_of_the_real_script_are_one_line_without_traceback():
    run = run_script("evaluate", "random", "nobody")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.count("\n") == 1
    debug = run_script("evaluate", "random", "nobody", "--debug")
    assert debug.returncode == 2
    assert "Traceback" in debug.stderr


def test_help_names_every_command_and_setting():
    overview = run_script("--help")
    assert overview.returncode == 0
    assert all(word in overview.stdout for word in ("train", "evaluate", "first-look", "--debug"))
    options = (
        "SPEC",
        "--game",
        "--board",
        "--players",
        "--games",
        "--seed",
        "--json",
        "--random_turns",
        "--rules",
    )
    evaluate = run_script("evaluate", "--help")
    assert evaluate.returncode == 0
    assert all(option in evaluate.stdout for option in options)
    first_look = run_script("first-look", "--help")
    assert all(option in first_look.stdout for option in ("--games", "--seed", "--agent", "--markdown"))


def test_no_command_is_an_error_that_shows_the_usage(capsys):
    assert main([]) == 2
    assert "usage: bitblossom" in capsys.readouterr().err


def test_starting_up_loads_no_network_library():
    code = (
        "import sys; from training.cli import main;"
        "code = main(['evaluate', 'random', 'random:any', '--board', '5', '--games', '2']);"
        "print(code, 'torch' in sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=120
    )
    assert run.stdout.splitlines()[-1] == "0 False"


def evaluate_to_text(path, *words):
    """The report as text, thinking times blanked out."""
    assert main(["evaluate", *words, "--games", "6", "--json", str(path)]) == 0
    text, num_times = re.subn(r'("seconds_per_turn": )[0-9.e-]+', r"\1null", path.read_text())
    assert num_times == len(json.loads(text)["agents"])
    return text


def evaluate_to_json(path, *words):
    return json.loads(evaluate_to_text(path, *words))


@pytest.mark.parametrize(("num_players", "board"), [("2", "5"), ("3", "5"), ("8", "9")])
def test_equal_seeds_give_equal_reports(tmp_path, num_players, board):
    words = ["random", "random", "random:any", "--players", num_players, "--board", board]
    first, second, other = (
        evaluate_to_text(tmp_path / f"{index}.json", *words, "--seed", seed)
        for index, seed in enumerate(("3", "3", "4"))
    )
    assert first == second
    assert first != other
    report = json.loads(first)
    assert [row["name"] for row in report["agents"]] == ["random", "random#2", "random:any"]
    assert all(len(row["seat_shares"]) == int(num_players) for row in report["agents"])


def test_every_rule_can_be_set(tmp_path):
    report = evaluate_to_json(
        tmp_path / "r.json", "random", "random", "--board", "5", "--rules.bonus_cap", "2", "--rules.cuts", "false",
        "--rules.max_turns", "20", "--rules.home_bases", "random",
    )  # fmt: skip
    rules = report["rules"]
    assert (rules["bonus_cap"], rules["cuts"], rules["max_turns"]) == (2, False, 20)
    assert rules["home_bases"] == "random"
    assert rules["board_size"] == [5, 5]


def test_records_replay_to_the_games_that_were_rated(tmp_path):
    path = tmp_path / "new" / "games.jsonl"
    words = ["random", "random:any", "--board", "5", "--players", "3", "--games", "6", "--records", str(path)]
    assert main(["evaluate", *words]) == 0
    records = list(read_records(path))
    assert len(records) == 6
    for record in records:
        assert replay(record).is_over
    seats = [record["agents"] for record in records]
    assert [names.count("random") for names in seats] == [1, 1, 1, 2, 2, 2]
    assert len({tuple(names) for names in seats}) == 6


def test_a_folder_in_place_of_a_file_is_refused_before_anything_is_played(tmp_path, capsys):
    assert_refused(capsys, ["evaluate", "random", "random", "--json", str(tmp_path)], str(tmp_path), "allowed: ")


def test_settings_come_from_a_file_and_the_command_line_wins(tmp_path):
    config = tmp_path / "evaluate.yaml"
    config.write_text("agents: [random, 'random:any']\nrules: {bonus_cap: 3, cuts: false}\nboard: 5x6\ngames: 2\n")
    path = tmp_path / "r.json"
    assert main(["evaluate", "--config", str(config), "--rules.bonus_cap", "1", "--json", str(path)]) == 0
    report = json.loads(path.read_text())
    assert [row["name"] for row in report["agents"]] == ["random", "random:any"]
    assert report["rules"]["board_size"] == [5, 6]
    assert (report["rules"]["bonus_cap"], report["rules"]["cuts"]) == (1, False)


def test_unknown_keys_of_a_file_are_refused(tmp_path, capsys):
    config = tmp_path / "evaluate.yaml"
    config.write_text("agents: [random, random]\nboards: 5\n")
    assert_refused(capsys, ["evaluate", "--config", str(config)], "boards")


TINY = """
budget: {total_env_steps: 300}
rules: {num_players: 2, board_size: 5}
network: {channels: 8, blocks: 1, hidden: 8}
rollout: {games_per_update: 4, slots: 4, workers: 1}
opponents: {scripted_weights: {random: 1.0}}
"""


def test_what_train_leaves_can_be_evaluated_and_trained_on(tmp_path):
    config, run, report = tmp_path / "tiny.yaml", tmp_path / "run", tmp_path / "r.json"
    config.write_text(TINY)
    assert main(["train", str(config), "--out", str(run), "--ppo.epochs", "1"]) == 0
    assert "epochs: 1" in (run / "config.yaml").read_text()
    assert main(["train", "--out", str(run), "--resume", "--budget.total_env_steps", "900"]) == 0
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    assert rows[-1]["env_steps"] >= 900
    words = ["evaluate", f"checkpoint:{run}", "random", "--board", "5", "--games", "4", "--json", str(report)]
    assert main(words) == 0
    assert json.loads(report.read_text())["agents"][0]["name"] == f"checkpoint:{run}"


@pytest.mark.parametrize(
    ("option", "value"), [("--ppo.epoch", "1"), ("--ppo.epochs", "0"), ("--nonsense", "1"), ("--seed", "x")]
)
def test_wrong_training_settings_are_refused(tmp_path, capsys, option, value):
    config = tmp_path / "tiny.yaml"
    config.write_text(TINY)
    words = ["train", str(config), "--out", str(tmp_path / "run"), option, value]
    assert_refused(capsys, words, option.removeprefix("--").removeprefix("ppo."))
    assert not (tmp_path / "run").exists()


# Where the suite itself runs in the background of a shell, Ctrl-C is switched off for it and all that it starts.
LISTENING = """
import signal, sys
from training.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main(sys.argv[1:]))
"""


def test_ctrl_c_reports_the_blocks_played_so_far(tmp_path):
    path = tmp_path / "r.json"
    command = [sys.executable, "-u", "-c", LISTENING, "evaluate", "random", "random", "--board", "7"]
    process = subprocess.Popen(
        [*command, "--games", "4000", "--json", str(path)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    first_progress = process.stderr.readline()
    assert "shards: " in first_progress
    os.kill(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert "cut short" in output
    games = json.loads(path.read_text())["agents"][0]["games"]
    assert 400 <= games < 4000
    assert games % 2 == 0


@pytest.mark.parametrize(("text", "size"), [("7", 7), (7, 7), ("7x9", (7, 9)), ("12X3", (12, 3))])
def test_board_sizes(text, size):
    assert parse_board(text) == size


@pytest.mark.parametrize("text", ["", "x", "7x", "7x8x9", "-7", "7.5", "seven"])
def test_what_is_no_board_size(text):
    with pytest.raises(ValueError, match="allowed: "):
        parse_board(text)


def test_equal_specs_get_names_of_their_own():
    assert unique_names(["a", "b", "a", "a"]) == ["a", "b", "a#2", "a#3"]
