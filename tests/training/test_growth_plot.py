"""The growth curve of a report, read back from the SVG."""

from itertools import pairwise

import pytest

from tests.training.drawings import group, groups, markers, place_of, read, size, texts
from tests.training.reports import agent_row, report_of
from training.evaluation.plots import growth_curve, spread


def checkpoint(folder, steps, rating, options=""):
    return agent_row(f"checkpoint:{folder}/{steps}{options}", rating)


@pytest.fixture(scope="module")
def grown():
    """Two runs of several checkpoints, one with a single one, and three other agents."""
    return report_of(
        [
            checkpoint("runs/a/checkpoints", 30000, 300.0),
            agent_row("greedy", 120.0),
            checkpoint("runs/a/checkpoints", 9000, 100.0),
            checkpoint("runs/b/checkpoints", 9000, 50.0),
            checkpoint("runs/a/checkpoints", 100000, 400.0),
            checkpoint("runs/b/checkpoints", 20000, 350.0, "?views=1"),
            checkpoint("runs/b/checkpoints", 30000, 250.0),
            agent_row("random", 0.0, (0.0, 0.0)),
            agent_row("checkpoint:runs/a", 395.0),
        ]
    )


def test_checkpoints_of_a_run_make_a_line(grown):
    root = read(growth_curve(grown))
    assert groups(root, "curve-") == ["curve-0", "curve-1", "curve-2"]
    first, second, lone = (markers(group(root, f"curve-{index}")) for index in range(3))
    (a, b, c), (d, e), (f,) = first, second, lone
    assert a[0] < b[0] < c[0]
    assert (b[0] - a[0]) / (c[0] - a[0]) == pytest.approx(21 / 91, rel=1e-4)
    assert (a[1] - b[1]) / (a[1] - c[1]) == pytest.approx(200 / 300, rel=1e-4)
    assert (d[0], e[0]) == (a[0], b[0])
    assert (a[1] - f[1]) / (a[1] - c[1]) == pytest.approx(250 / 300, rel=1e-4)


def test_runs_are_named_by_folder_and_options(grown):
    seen = texts(read(growth_curve(grown)))
    assert seen[-3:] == ["runs/a", "runs/b", "runs/b?views=1"]
    assert groups(read(growth_curve(grown)), "band-") == ["band-0", "band-1", "band-2"]


def test_other_agents_are_lines_with_their_names(grown):
    content = growth_curve(grown)
    root = read(content)
    heights = [place_of(root, name)[1] for name in ("checkpoint:runs/a", "greedy", "random")]
    assert heights == sorted(heights)
    assert content.count(b"stroke-dasharray") == 3
    assert "rating in Elo points, random = 0" in texts(root)


def test_names_of_close_agents_do_not_overlap():
    rows = [checkpoint("a", 1, 0.0), checkpoint("a", 2, 900.0), *(agent_row(f"agent-{n}", n / 9) for n in range(30))]
    root = read(growth_curve(report_of(rows)))
    heights = [place_of(root, f"agent-{index}")[1] for index in range(30)]
    assert all(above - below >= 10 for above, below in pairwise(heights))
    assert 0 < min(heights) < max(heights) < size(root)[1]


@pytest.mark.parametrize(
    "names",
    [
        ["random", "greedy"],
        ["checkpoint:runs/a/100", "checkpoint:runs/b/200"],
        ["checkpoint:runs/a/100", "checkpoint:runs/a/200?views=1"],
        ["checkpoint:runs/a/100", "checkpoint:runs/a/latest"],
        ["checkpoint:100", "checkpoint:200"],
        ["other:runs/a/100", "other:runs/a/200"],
        ["checkpoint:runs/a/100", "checkpoint:runs/a/checkpoints/100"],
        ["checkpoint:runs/a?x=/100", "checkpoint:runs/a?x=/200"],
    ],
)
def test_no_run_no_growth(names):
    assert growth_curve(report_of([agent_row(name) for name in names])) is None


def test_odd_names_are_drawn_as_they_are():
    names = ["_lead", "$x_1$ a_b", "<b>&\"'", "Blüte 花", "a\\frac{1}{2}"]
    runs = [checkpoint(f"{name}/x", steps, 1.0) for name in names for steps in (10, 20)]
    seen = texts(read(growth_curve(report_of([*runs, agent_row("two\nlines"), *map(agent_row, names)]))))
    assert seen[-5:] == [f"{name}/x" for name in names]
    assert {"'two\\nlines'", *names} <= set(seen)


@pytest.mark.parametrize(
    ("places", "gap", "expected"),
    [
        ([], 0.1, []),
        ([0.2, 0.8], 0.1, [0.2, 0.8]),
        ([0.5, 0.5], 0.1, [0.45, 0.55]),
        ([0.0, 0.0, 0.0], 0.2, [0.0, 0.2, 0.4]),
        ([0.9, 1.0, 1.0], 0.2, [0.6, 0.8, 1.0]),
        ([0.3, 0.5, 0.5, 0.5], 0.1, [0.3, 0.4, 0.5, 0.6]),
    ],
)
def test_labels_move_as_little_as_they_must(places, gap, expected):
    assert spread(places, gap) == pytest.approx(expected)
