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


def test_the_command_prints_and_writes_one_line_per_setup(tmp_path, capsys):
    path = tmp_path / "look.md"
    assert main(["first-look", "--games", "3", "--agent", "random", "--markdown", str(path)]) == 0
    text = path.read_text()
    assert capsys.readouterr().out == text
    tables = [part for part in text.split("\n\n") if part.startswith("|")]
    assert len(tables) == 3
    for table in tables:
        rows = [line.split("|")[1:-1] for line in table.splitlines()]
        assert len(rows) == 2 + 6
        assert len({len(row) for row in rows}) == 1
        assert [(row[0].strip(), row[1].strip()) for row in rows[2:]] == [
            (players, board) for players in "234" for board in ("7x7", "9x9")
        ]
