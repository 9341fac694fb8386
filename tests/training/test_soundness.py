"""Warnings: circles and missing links are found, chance alone is not called a circle."""

from itertools import combinations

import numpy as np
import pytest

import bitblossom_env  # noqa: F401 - registers the games
from bitblossom_env.core.game import make_setup
from tests.training.results import duel_block, result
from training.evaluation.report import make_report
from training.evaluation.soundness import find_warnings
from training.evaluation.tally import tally_blocks

NAMES = ["a", "b", "c", "d"]


def report_on(blocks, names=NAMES):
    return make_report(make_setup("bitblossom", {"num_players": 2, "board_size": 5}), names, blocks, 0)


def test_a_circle_has_near_equal_ratings_and_a_warning():
    blocks = [duel_block(*pair, "11") for pair in ((0, 1), (1, 2), (2, 0)) for _ in range(20)]
    report = report_on(blocks, NAMES[:3])
    assert max(abs(row.rating) for row in report.agents) < 1
    assert report.warnings == ("(a, b, c) beat each other in a circle: ratings cannot tell who wins, see the matrix",)
    assert report.content()["warnings"] == report.warnings


def test_a_circle_among_others_is_named_alone():
    circle = [duel_block(*pair, "11") for pair in ((0, 1), (1, 3), (3, 0)) for _ in range(20)]
    below = [duel_block(winner, 2, "11") for winner in (0, 1, 3) for _ in range(20)]
    (warning,) = report_on(circle + below).warnings
    assert warning.startswith("(a, b, d) beat each other")


def test_a_circle_by_chance_is_none():
    blocks = [duel_block(*pair, letters) for pair in ((0, 1), (1, 2), (2, 0)) for letters in ("11", "12", "21", "22")]
    blocks += [duel_block(*pair, "1=") for pair in ((0, 1), (1, 2), (2, 0))]
    report = report_on(blocks, NAMES[:3])
    assert np.argwhere(np.array(report.matrix) > np.array(report.matrix).T).tolist() == [[0, 1], [1, 2], [2, 0]]
    assert not report.warnings
    assert "warnings" not in report.content()


def test_a_ladder_is_no_circle():
    blocks = [duel_block(i, j, "11") for i in range(4) for j in range(i + 1, 4) for _ in range(10)]
    assert not report_on(blocks).warnings


def test_agents_that_no_games_link_are_named_and_rated():
    blocks = [duel_block(*pair, letters) for pair, letters in [((0, 2), "12"), ((1, 3), "11")] * 5]
    report = report_on(blocks)
    assert report.warnings == (
        "no games link (a, c) and (b, d): ratings compare agents within each of these groups only",
    )
    assert all(np.isfinite([row.rating, *row.rating_ci]).all() for row in report.agents)


def test_an_unbeaten_agent_stays_finite():
    report = report_on([duel_block(0, 1, "11") for _ in range(50)], NAMES[:2])
    unbeaten = report.agents[0]
    assert np.isfinite([unbeaten.rating, *unbeaten.rating_ci]).all()
    assert unbeaten.rating > 300
    assert unbeaten.win_share_ci[0] == pytest.approx(0.9287, abs=1e-3)  # Wilson: 50 of 50


def test_copies_of_few_games_count_once_and_are_told():
    block = duel_block(0, 1, "11")
    report = report_on([block] * 50 + [duel_block(0, 1, "12")], NAMES[:2])
    assert report.warnings == (
        "only 2 of 51 blocks are different, and copies tell nothing new: let starts differ more, with --random_turns",
    )
    assert report.agents[0].games == 102
    assert report.agents[0].win_share_ci[0] <= 0.5


def test_a_block_that_repeats_one_game_is_a_copy():
    first = [result((0, 1), (1, 2), key="x"), result((1, 0), (2, 1), key="y")]
    second = [result((0, 1), (1, 2), key="z"), result((1, 0), (2, 1), key="y")]
    other_table = [result((0, 2), (1, 2), key="x"), result((2, 0), (2, 1), key="y")]
    tally = tally_blocks([first, second, other_table], 3)
    assert tally.copies.tolist() == [2, 1]
    assert tally.num_blocks == 3


def test_equal_agents_are_said_to_go_in_circles_once_in_twenty_tables_at_most():
    """With 24 equal agents, 276 pairs, some leads are always beyond the doubt of a single pair."""
    rng = np.random.default_rng(0)
    pairs = list(combinations(range(24), 2))
    circles = 0
    for _ in range(20):
        blocks = [duel_block(*pair, rng.choice(["1", "2"], 2)) for pair in pairs for _ in range(10)]
        circles += any(
            "circle" in line for line in find_warnings([f"{n}" for n in range(24)], tally_blocks(blocks, 24))
        )
    assert circles <= 2


def test_a_weak_circle_shows_with_enough_games():
    rng = np.random.default_rng(1)
    blocks = [
        duel_block(*pair, rng.choice(["1", "2"], 2, p=[0.6, 0.4]))
        for pair in ((0, 1), (1, 2), (2, 0))
        for _ in range(300)
    ]
    (warning,) = report_on(blocks, NAMES[:3]).warnings
    assert warning.startswith("(a, b, c) beat each other")
