"""The first look at the game: tables that add up, and counts that agree with the positions."""

import numpy as np
import pytest

import bitblossom_env  # noqa: F401 - registers the games
from agents import make
from bitblossom_env.core.game import ReportsCaptures, make_setup
from training.cli import main
from training.evaluation.arena import play_game
from training.evaluation.first_look import Sample, Tracker, measure
from training.evaluation.schedule import agent_rng


def tracked_game(num_players, index):
    """A random game from the first move on, its tracker, and how many pieces left the board at ends of turns."""
    setup = make_setup("bitblossom", {"num_players": num_players, "board_size": 7})
    tracker = Tracker()
    tracker.open()
    removed = 0

    def watch(game, action):
        nonlocal removed
        tracker.watch(game, action)
        if action == setup.end_turn:
            after = game.clone()
            after.apply(action)
            removed += len(game.to_position()["pieces"]) - len(after.to_position()["pieces"])

    rngs = [agent_rng(0, index, 0, seat) for seat in range(num_players)]
    game = play_game(setup.new_game(np.random.default_rng(0)), [make("random")] * num_players, rngs, watch).game
    tracker.close(game)
    return game, tracker, removed


@pytest.mark.parametrize("num_players", [2, 3])
def test_counts_agree_with_the_positions(num_players):
    total_removed = total_eliminated = 0
    for index in range(20):
        game, tracker, removed = tracked_game(num_players, index)
        assert isinstance(game, ReportsCaptures)
        assert max(tracker.captures.values()) <= removed <= sum(tracker.captures.values())
        assert tracker.eliminations - tracker.revivals == sum(game.eliminated())
        total_removed += removed
        total_eliminated += tracker.eliminations
    assert total_removed > 20
    assert total_eliminated > 5


def test_a_look_adds_up_and_repeats():
    setup = make_setup("bitblossom", {"num_players": 3, "board_size": 5})
    look = measure(setup, make("random"), Sample(num_games=30, seed=1, random_turns=1))
    assert sum(look.seat_shares) == pytest.approx(1)
    assert sum(look.reasons.values()) == pytest.approx(1)
    for share, (low, high) in zip(look.seat_shares, look.seat_intervals, strict=True):
        assert low <= share <= high
    assert look.turns_range[0] <= look.mean_turns <= look.turns_range[1]
    assert measure(setup, make("random"), Sample(num_games=30, seed=1, random_turns=1)) == look
    assert measure(setup, make("random"), Sample(num_games=30, seed=2, random_turns=1)) != look


def tables_of(text):
    """The tables of a page, each as rows of cells."""
    tables = [part.splitlines() for part in text.split("\n\n") if part.startswith("|")]
    return [[[cell.strip() for cell in line.split("|")[1:-1]] for line in table] for table in tables]


def test_the_command_prints_and_writes_one_line_per_setup(tmp_path, capsys):
    path = tmp_path / "look.md"
    asked = ["--players", "2", "3", "--board", "5", "7", "--games", "3", "--agent", "random"]
    assert main(["first-look", *asked, "--markdown", str(path)]) == 0
    text = path.read_text()
    assert capsys.readouterr().out == text
    command = "`bitblossom first-look --game bitblossom --players 2 3 --board 5 7 --games 3 --seed 0 --agent random "
    assert command in text
    tables = tables_of(text)
    assert len(tables) == 3
    for rows in tables:
        assert len({len(row) for row in rows}) == 1
        assert [row[:3] for row in rows[2:]] == [
            ["random", players, board] for players in "23" for board in ("5x5", "7x7")
        ]


def test_another_game_is_looked_at_with_several_agents(capsys):
    assert main(["first-look", "--game", "aronda", "--games", "4", "--agent", "random", "greedy"]) == 0
    seats, ends = tables_of(capsys.readouterr().out)  # it does not tell of captures
    assert [row[:3] for row in seats[2:]] == [["random", "2", "25 fields"], ["greedy", "2", "25 fields"]]
    assert float(ends[2][3]) > 10


def test_a_setting_that_the_game_lacks_is_refused_in_one_line(capsys):
    assert main(["first-look", "--game", "aronda", "--board", "7"]) == 2
    assert "board_size is no argument of Aronda; allowed: blockade" in capsys.readouterr().err
