"""The report: every number of it recomputed by hand from a few made-up games."""

import dataclasses
import json

import numpy as np
import pytest

import bitblossom_env  # noqa: F401 - registers the games
from bitblossom_env.core.game import make_setup
from tests.training.results import duel_block, result
from training.evaluation.report import drop_idle, make_report
from training.evaluation.sequential import SequentialTest
from training.evaluation.tables import make_console, print_report
from training.files import json_bytes

KEYS = [
    "name",
    "games",
    "wins",
    "draws",
    "win_share",
    "win_share_ci",
    "mean_rank",
    "mean_area",
    "rating",
    "rating_ci",
    "seat_shares",
    "illegal_actions",
    "seconds_per_turn",
]


@pytest.fixture(scope="module")
def duel_setup():
    return make_setup("bitblossom", {"num_players": 2, "board_size": 5})


def test_numbers_of_a_duel(duel_setup):
    # Seats alternate: agent 0 wins in seat 0, loses in seat 1, draws in seat 0, wins in seat 1.
    blocks = [duel_block(0, 1, "12"), duel_block(0, 1, "=1")]
    first, second = make_report(duel_setup, ["greedy", "random"], blocks, 0).agents
    assert (first.games, first.wins, first.draws) == (4, 2, 1)
    assert (second.games, second.wins, second.draws) == (4, 1, 1)
    assert (first.win_share, second.win_share) == (0.625, 0.375)
    assert first.mean_rank == pytest.approx((1 + 2 + 1.5 + 1) / 4)
    assert first.mean_area == pytest.approx((9 + 8 + 9 + 9) / 4)
    assert first.seat_shares == (0.75, 0.5)
    assert first.seconds_per_turn == pytest.approx(0.1)
    assert first.win_share_ci[0] <= 0.625 <= first.win_share_ci[1]
    assert first.win_share_ci == pytest.approx((1 - second.win_share_ci[1], 1 - second.win_share_ci[0]))
    assert (second.rating, second.rating_ci) == (0.0, (0.0, 0.0))
    assert first.rating > 0


def test_the_matrix_counts_seat_pairs(duel_setup):
    report = make_report(duel_setup, ["a", "b"], [duel_block(0, 1, "12"), duel_block(0, 1, "=1")], 0)
    assert report.matrix == ((0.0, 2.5), (1.5, 0.0))


def test_ratings_without_the_anchor_have_mean_zero(duel_setup):
    report = make_report(duel_setup, ["a", "b"], [duel_block(0, 1, "11")] * 3, 0)
    assert sum(row.rating for row in report.agents) == pytest.approx(0, abs=0.02)


def test_a_win_shared_by_several_seats_of_one_agent(duel_setup):
    blocks = [[result((0, 1, 1), (3, 1.5, 1.5)), result((1, 0, 1), (1, 2.5, 2.5)), result((1, 1, 0), (2, 2, 2))]]
    first, second = make_report(duel_setup, ["a", "b"], blocks, 0).agents
    assert (second.games, second.wins, second.draws) == (6, 1, 4)
    assert second.win_share == pytest.approx((0.5 + 0.5 + 1 + 2 / 3) / 6, abs=1e-6)
    assert first.seat_shares == (0.0, 0.0, pytest.approx(1 / 3, abs=1e-6))


def test_a_forfeit_is_counted_and_has_no_area(duel_setup):
    forfeits = [
        dataclasses.replace(game, illegal_seat=game.seating.index(1), areas=None) for game in duel_block(0, 1, "11")
    ]
    first, second = make_report(duel_setup, ["a", "b"], [forfeits], 0).agents
    assert (first.illegal_actions, second.illegal_actions) == (0, 2)
    assert first.mean_area is second.mean_area is None
    assert b'"mean_area": null' in json_bytes(make_report(duel_setup, ["a", "b"], [forfeits], 0).content())


def test_distinct_games_are_counted_by_start_and_actions(duel_setup):
    block = [result((0, 1), (1, 2), key=key) for key in ("x", "y", "x")]
    assert make_report(duel_setup, ["a", "b"], [block, block], 0).distinct_games == 2


def test_keys_of_the_json_file_stand_in_the_promised_order(duel_setup):
    report = json.loads(json_bytes(make_report(duel_setup, ["a", "b"], [duel_block(0, 1, "12")], 0).content()))
    assert list(report) == ["version", "rules", "agents", "matrix", "distinct_games"]
    assert [list(row) for row in report["agents"]] == [KEYS, KEYS]
    assert report["rules"]["game"] == "bitblossom"
    arguments = {key: value for key, value in report["rules"].items() if key != "game"}
    assert make_setup("bitblossom", arguments) == duel_setup


def test_agents_that_never_played_are_left_out(duel_setup):
    names, results = drop_idle(["a", "b", "c"], [duel_block(2, 0, "12")])
    assert names == ["a", "c"]
    assert [game.seating for game in results[0]] == [(1, 0), (0, 1)]
    assert len(make_report(duel_setup, names, results, 0).agents) == 2


def test_tables_show_every_agent_and_the_matrix(duel_setup, capsys):
    blocks = [duel_block(0, 1, "12"), duel_block(1, 2, "11"), duel_block(2, 0, "=2")]
    print_report(make_console(), make_report(duel_setup, ["alpha", "beta", "gamma"], blocks, 0))
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    for number, name in enumerate(("alpha", "beta", "gamma"), start=1):
        assert sum(words[:1] == [name] for words in lines) == 2
        assert sum(words[:2] == [f"{number}.", name] for words in lines) == 1
    assert ["agent", "seat", "0", "seat", "1"] in lines
    assert ["2.", "beta", "1", "0", "2"] in lines


def test_brackets_in_a_name_are_no_markup(duel_setup, capsys):
    names = ["[red]a[/red]", "runs/[b]", "[/]"]
    blocks = [duel_block(0, 1, "12"), duel_block(1, 2, "11"), duel_block(2, 0, "11"), duel_block(0, 1, "11")]
    print_report(make_console(), make_report(duel_setup, names, blocks * 20, 0))
    text = capsys.readouterr().out
    assert all(text.count(name) >= 3 for name in names)


def test_warnings_and_the_verdict_of_a_test_are_printed(duel_setup, capsys):
    report = make_report(
        duel_setup, ["a", "b", "c"], [duel_block(*pair, "11") for pair in [(0, 1), (1, 2), (2, 0)] * 20], 0
    )
    decided = SequentialTest(0, 100).judge(np.full(50, 1.0))
    print_report(make_console(), report.with_verdict(decided))
    text = capsys.readouterr().out
    assert "Warning: (a, b, c) beat each other in a circle" in text
    assert (
        "Sequential test of 0 against 100 points after 13 blocks: the first agent is 100 points better or more" in text
    )
    assert report.with_verdict(decided).content()["sprt"]["decision"] == "H1 accepted"


def test_another_order_of_names_changes_nothing_but_the_order(duel_setup):
    blocks = [duel_block(0, 1, "12"), duel_block(1, 2, "11"), duel_block(2, 0, "=2")]
    report = make_report(duel_setup, ["a", "b", "c"], blocks, 0)
    turned = report.in_order(["c", "x", "b", "a"])
    assert [row.name for row in turned.agents] == ["c", "b", "a"]
    assert sorted(turned.agents, key=lambda row: row.name) == list(report.agents)
    assert turned.matrix == tuple(row[::-1] for row in report.matrix[::-1])
    assert turned.in_order(["a", "b", "c"]) == report
