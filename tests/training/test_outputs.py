"""The files of a report: what is written comes back, whatever the names are."""

import csv
import zipfile
from dataclasses import fields
from io import BytesIO, StringIO

import numpy as np
import pytest

from tests.training.reports import agent_row, report_of
from training.evaluation.outputs import cells_of, column_names, csv_bytes, payoff_bytes, payoff_matrix
from training.evaluation.report import AgentRow
from training.evaluation.resampling import Interval

HEADER = [
    *("name", "games", "wins", "draws", "win_share", "win_share_ci_low", "win_share_ci_high", "mean_rank"),
    *("mean_area", "rating", "rating_ci_low", "rating_ci_high", "seat_0_share", "seat_1_share", "illegal_actions"),
    "seconds_per_turn",
]
ODD_NAMES = ['a,"b"', "two\nlines", "old\rend", "both\r\n", "'", " spaces ", "Blüte 花", "=1+1", "$x_1$", "", "a;b\tc"]


def read_csv(content):
    return list(csv.reader(StringIO(content.decode("utf-8"), newline="")))


def read_npz(content):
    with np.load(BytesIO(content), allow_pickle=False) as file:
        return dict(file)


def test_the_table_has_a_column_for_every_field():
    header, *lines = read_csv(csv_bytes(report_of([agent_row("a"), agent_row("b")])))
    assert [column for column in header if column in HEADER] == HEADER
    named = [field.name for field in fields(AgentRow) if field.name != "seat_shares"]
    assert all(name in header or f"{name}_low" in header for name in named)
    assert [len(line) for line in lines] == [len(header)] * 2


def test_numbers_come_back_exactly():
    row = agent_row("a", 1 / 3, (-0.1, 2e300), seconds_per_turn=1e-7, seat_shares=(0.1, 0.2, 0.7))
    header, line = read_csv(csv_bytes(report_of([row])))
    cells = dict(zip(header, line, strict=True))
    assert (cells["name"], int(cells["games"]), int(cells["illegal_actions"])) == ("a", 40, 0)
    assert float(cells["rating"]) == 1 / 3
    assert (float(cells["rating_ci_low"]), float(cells["rating_ci_high"])) == (-0.1, 2e300)
    assert (float(cells["win_share_ci_low"]), float(cells["win_share_ci_high"])) == (0.375, 0.625)
    assert float(cells["seconds_per_turn"]) == 1e-7
    assert [float(cells[f"seat_{seat}_share"]) for seat in range(3)] == [0.1, 0.2, 0.7]


def test_what_is_missing_is_empty():
    header, line = read_csv(csv_bytes(report_of([agent_row("a", mean_area=None, seat_shares=(None, 1.0))])))
    cells = dict(zip(header, line, strict=True))
    assert (cells["mean_area"], cells["seat_0_share"], cells["seat_1_share"]) == ("", "", "1.0")


def test_an_interval_that_may_be_missing_keeps_two_columns():
    assert column_names("gap", Interval | None, 2) == ["gap_low", "gap_high"]
    assert cells_of(None, 2) == [None, None]
    assert cells_of((1.0, 2.0), 2) == [1.0, 2.0]


def test_odd_names_survive_the_table():
    lines = read_csv(csv_bytes(report_of([agent_row(name) for name in ODD_NAMES])))
    assert [line[0] for line in lines[1:]] == ODD_NAMES


def test_lines_of_the_table_end_alike():
    content = csv_bytes(report_of([agent_row("a"), agent_row("b")]))
    assert content.count(b"\n") == 3
    assert content.endswith(b"\n")
    assert b"\r" not in content


def test_the_table_of_a_path_that_is_no_utf8():
    content = csv_bytes(report_of([agent_row("runs/\udcff")]))
    assert read_csv(content)[1][0] == "runs/\\udcff"


def test_payoff_is_the_share_of_the_pairs():
    rows = [agent_row("a"), agent_row("b"), agent_row("c")]
    payoff = payoff_matrix(report_of(rows, [[0.0, 3.0, 0.0], [1.0, 0.0, 0.5], [0.0, 2.0, 0.0]]))
    np.testing.assert_array_equal(payoff, [[0.5, 0.75, np.nan], [0.25, 0.5, 0.2], [np.nan, 0.8, 0.5]])
    assert payoff.dtype == np.float64


def test_arrays_come_back_without_pickles():
    rows = [
        agent_row("a", 12.5, (1.0, 20.0), win_share=0.75),
        agent_row("Blüte, 花", -3.0, (-9.0, 4.0)),
        agent_row("c", 0.0, (0.0, 0.0), win_share=0.0),
    ]
    matrix = [[0.0, 3.0, 0.0], [1.0, 0.0, 0.5], [0.0, 2.0, 0.0]]
    report = report_of(rows, matrix)
    arrays = read_npz(payoff_bytes(report))
    assert set(arrays) == {
        "names", "wins", "pairs", "payoff", "ratings", "rating_low", "rating_high", "win_share",
    }  # fmt: skip
    assert arrays["names"].dtype.kind == "U"
    assert arrays["names"].tolist() == ["a", "Blüte, 花", "c"]
    assert arrays["wins"].tolist() == matrix
    assert arrays["pairs"].tolist() == [[0.0, 4.0, 0.0], [4.0, 0.0, 2.5], [0.0, 2.5, 0.0]]
    np.testing.assert_array_equal(arrays["payoff"], payoff_matrix(report))
    assert arrays["ratings"].tolist() == [12.5, -3.0, 0.0]
    assert arrays["rating_low"].tolist() == [1.0, -9.0, 0.0]
    assert arrays["rating_high"].tolist() == [20.0, 4.0, 0.0]
    assert arrays["win_share"].tolist() == [0.75, 0.5, 0.0]
    assert {array.dtype for name, array in arrays.items() if name != "names"} == {np.dtype(np.float64)}


def test_odd_names_survive_the_arrays():
    report = report_of([agent_row(name) for name in ODD_NAMES])
    assert read_npz(payoff_bytes(report))["names"].tolist() == ODD_NAMES


@pytest.mark.parametrize("write", [csv_bytes, payoff_bytes])
def test_equal_reports_give_equal_files(write):
    first, second = (report_of([agent_row("a", 1.5), agent_row("b")]) for _ in range(2))
    assert write(first) == write(second)
    assert write(first) != write(report_of([agent_row("a", 1.25), agent_row("b")]))


def test_no_clock_enters_the_arrays():
    with zipfile.ZipFile(BytesIO(payoff_bytes(report_of([agent_row("a"), agent_row("b")])))) as file:
        assert {entry.date_time for entry in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
