"""Warnings: circles and missing links are found, chance alone is not called a circle."""

import numpy as np
import pytest

import bitblossom_env  # noqa: F401 - registers the games
from bitblossom_env.core.game import make_setup
from tests.training.results import duel_block
from training.evaluation.report import make_report

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
    blocks = [duel_block(0, 2, "12"), duel_block(1, 3, "11")] * 5
    report = report_on(blocks)
    assert report.warnings == (
        "no games link (a, c) and (b, d): ratings compare agents within each of these groups only",
    )
    assert all(np.isfinite([row.rating, *row.rating_ci]).all() for row in report.agents)


def test_an_unbeaten_agent_stays_finite():
    report = report_on([duel_block(0, 1, "11")] * 50, NAMES[:2])
    unbeaten = report.agents[0]
    assert np.isfinite([unbeaten.rating, *unbeaten.rating_ci]).all()
    assert unbeaten.rating > 300
    assert unbeaten.win_share_ci[0] == pytest.approx(0.9287, abs=1e-3)  # Wilson: 50 of 50
