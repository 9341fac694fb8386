"""The plots of a report, read back from the SVG: what is drawn, and where."""

from dataclasses import replace

import pytest
from matplotlib.figure import Figure

from tests.training.drawings import SVG, group, lines, markers, place_of, read, size, texts
from tests.training.reports import agent_row, report_of
from training.evaluation.plots import (
    LABEL_LENGTH,
    growth_curve,
    percent,
    rating_ladder,
    short_names,
    win_matrix,
    write_plots,
)
from training.figures import svg_bytes

LONG = "/home/someone/runs/of_the_year/first"
ODD_NAMES = [
    "_lead",
    "$x_1$ a_b",
    "<b>&\"'",
    "Blüte 花",
    "a\\frac{1}{2}",
    "two\nlines",
    "bell\x07",
    "runs/\udcff",
    "random",
]
DRAWN = [*ODD_NAMES[:5], "'two\\nlines'", "'bell\\x07'", "'runs/\\udcff'", "random"]


def ranked_report(count):
    """A report in which agent-0 is the weakest; the anchor of the ratings is not among them."""
    return report_of([agent_row(f"agent-{index}", 10.0 * index + 5.0) for index in range(count)])


@pytest.fixture(scope="module")
def grown():
    """A report that has all three plots."""
    names = ["checkpoint:runs/a/checkpoints/9000", "checkpoint:runs/a/checkpoints/30000", "greedy"]
    return report_of([agent_row(name, 300.0 - 100.0 * place) for place, name in enumerate(names)])


# The ladder


def test_the_ladder_goes_from_the_best_to_the_worst():
    rows = [agent_row("middle", 20.0), agent_row("worst", -300.0, (-400.0, -100.0)), agent_row("best", 250.0)]
    root = read(rating_ladder(report_of(rows)))
    heights = [place_of(root, name)[1] for name in ("best", "middle", "worst")]
    assert heights == sorted(heights)
    dots = markers(group(root, "ratings"))
    assert [y for _, y in dots] == sorted(y for _, y in dots)
    (best, _), (middle, _), (worst, _) = dots
    assert (best - middle) / (middle - worst) == pytest.approx(230 / 320, rel=1e-4)
    ((anchor, _), _) = lines(group(root, "anchor"))[0]
    assert (middle - anchor) / (best - anchor) == pytest.approx(20 / 250, rel=1e-4)


def test_the_ladder_draws_intervals_at_their_agents():
    rows = [agent_row("a", 100.0, (50.0, 300.0)), agent_row("b", 0.0, (-100.0, 20.0))]
    root = read(rating_ladder(report_of(rows)))
    ((anchor, _), _) = lines(group(root, "anchor"))[0]
    (first, first_y), (_, second_y) = markers(group(root, "ratings"))
    unit = (first - anchor) / 100
    (low, high), (other_low, other_high) = lines(group(root, "intervals"))
    assert [low[1], high[1], other_low[1], other_high[1]] == [first_y, first_y, second_y, second_y]
    ends = [(x - anchor) / unit for x in (low[0], high[0], other_low[0], other_high[0])]
    assert ends == pytest.approx([50, 300, -100, 20], abs=1e-3)


def test_the_ladder_takes_a_rating_outside_its_interval():
    root = read(rating_ladder(report_of([agent_row("a", 10.0, (20.0, 30.0)), agent_row("b", -0.3, (-0.4, 0.2))])))
    assert {"10  (20..30)", "0  (0..0)"} <= set(texts(root))


def test_the_ladder_names_its_anchor():
    anchored = [agent_row("a", 10.0), agent_row("random", 0.0, (0.0, 0.0))]
    assert "rating in Elo points, random = 0" in texts(read(rating_ladder(report_of(anchored))))
    assert "rating in Elo points" in texts(read(rating_ladder(report_of([agent_row("a", 1.0), agent_row("b", -1.0)]))))


# The matrix


@pytest.mark.parametrize("count", [2, 7])
def test_the_matrix_has_a_cell_for_every_two_agents(count):
    root = read(win_matrix(ranked_report(count)))
    assert len(lines(group(root, "cells"))) == count * count
    seen = texts(root)
    assert (seen.count("75"), seen.count("25")) == (count * (count - 1) // 2,) * 2
    assert seen.count("50") == count
    assert {f"{place + 1}. agent-{count - 1 - place}" for place in range(count)} <= set(seen)


def test_cells_stand_in_order_of_rating():
    rows = [agent_row("low", -10.0), agent_row("high", 10.0), agent_row("middle", 0.0)]
    root = read(win_matrix(report_of(rows, [[0, 1, 30], [99, 0, 60], [70, 40, 0]])))
    expected = [["50", "60", "99"], ["40", "50", "70"], ["1", "30", "50"]]
    numbers = [number for row in expected for number in row]
    names = [place_of(root, name)[1] for name in ("1. high", "2. middle", "3. low")]
    assert names == sorted(names)
    assert texts(root)[-1 - len(numbers) : -1] == numbers  # the title comes last
    for number, row, column in (("99", 0, "3"), ("60", 0, "2"), ("70", 1, "3"), ("30", 2, "2")):
        assert place_of(root, number)[0] == pytest.approx(place_of(root, column)[0], abs=1)
        assert place_of(root, number)[1] == pytest.approx(names[row], abs=1)


def test_agents_that_never_met_have_an_empty_cell():
    rows = [agent_row("a", 3.0), agent_row("b", 2.0), agent_row("c", 1.0)]
    root = read(win_matrix(report_of(rows, [[0, 4, 0], [0, 0, 1], [0, 2, 0]])))
    seen = texts(root)
    assert [seen.count(number) for number in ("100", "0", "33", "67", "50")] == [1, 1, 1, 1, 3]
    assert any("grey: never met" in text for text in seen)
    assert not any("grey" in text for text in texts(read(win_matrix(ranked_report(3)))))


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0"), (0.001, "<1"), (0.005, "<1"), (0.006, "1"), (0.5, "50"), (0.994, "99"), (0.995, ">99"),
        (0.9999, ">99"), (1.0, "100"), (float("nan"), ""),
    ],
)  # fmt: skip
def test_only_a_clean_sheet_reads_so(share, text):
    assert percent(share) == text


# All of them


@pytest.mark.parametrize("draw", [rating_ladder, win_matrix])
def test_odd_names_are_drawn_as_they_are(draw):
    seen = texts(read(draw(report_of([agent_row(name, float(-place)) for place, name in enumerate(ODD_NAMES)]))))
    shown = DRAWN if draw is rating_ladder else [f"{place}. {name}" for place, name in enumerate(DRAWN, start=1)]
    assert [text for text in seen if text in shown] == (shown if draw is win_matrix else DRAWN)


@pytest.mark.parametrize("draw", [rating_ladder, win_matrix, growth_curve])
def test_equal_reports_give_equal_plots(draw, grown):
    assert draw(grown) == draw(replace(grown, rules=dict(grown.rules)))
    better = replace(grown.agents[0], rating=301.0)
    other = [[count * 2 if count == 6 else count for count in row] for row in grown.matrix]
    assert draw(grown) != draw(report_of([better, *grown.agents[1:]], other))
    assert b"date>" not in draw(grown)


@pytest.mark.parametrize("draw", [rating_ladder, win_matrix])
def test_plots_grow_with_the_agents(draw):
    few, many = (read(draw(ranked_report(count))) for count in (2, 40))
    assert size(many)[1] - size(few)[1] > 38 * 18  # points: room for a line of text each
    for root in (few, many):
        width, height = size(root)
        places = [(float(text.get("x")), float(text.get("y"))) for text in root.iter(f"{SVG}text")]
        assert all(0 < x < width and 0 < y < height for x, y in places)


def test_files_are_written_where_asked(tmp_path, grown):
    folder = tmp_path / "new" / "plots"
    paths = write_plots(folder, grown)
    assert paths == [folder / name for name in ("rating-ladder.svg", "win-matrix.svg", "growth.svg")]
    assert [path.read_bytes() for path in paths] == [draw(grown) for draw in (rating_ladder, win_matrix, growth_curve)]
    assert sorted(folder.iterdir()) == sorted(paths)


def test_files_of_others_stay_and_no_plot_of_an_earlier_report(tmp_path):
    (tmp_path / "notes.svg").write_bytes(b"mine")
    (tmp_path / "growth.svg").write_bytes(b"of an earlier report that had checkpoints")
    assert [path.name for path in write_plots(tmp_path, ranked_report(2))] == ["rating-ladder.svg", "win-matrix.svg"]
    assert (tmp_path / "notes.svg").read_bytes() == b"mine"
    assert not (tmp_path / "growth.svg").exists()


def test_figures_of_one_page_have_identifiers_of_their_own():
    def clips(name):
        figure = Figure()
        figure.subplots().plot([0, 1])
        return {element.get("id") for element in read(svg_bytes(figure, name)).iter(f"{SVG}clipPath")}

    assert clips("a") == clips("a")
    assert clips("a").isdisjoint(clips("b"))


# Names


def test_long_names_lose_their_middle():
    name = f"checkpoint:{LONG}/checkpoints/120000"
    assert short_names([name, "random"]) == ["checkpoint:…/first/checkpoints/120000", "random"]
    assert short_names(["x" * LABEL_LENGTH]) == ["x" * LABEL_LENGTH]
    (label,) = short_names(["x" * 50 + "y" * 50])
    assert len(label) == LABEL_LENGTH
    assert label.startswith("xxx")
    assert label.endswith("yyy")


@pytest.mark.parametrize(
    "names",
    [
        [f"checkpoint:{LONG}{run}/a_folder_of_a_long_name/checkpoints/{steps}" for run in "ab" for steps in (10, 20)],
        ["x" * 60 + middle + "z" * 60 for middle in "abcdefgh"],
        ["checkpoint:…/" + "y" * 27, "checkpoint:abc/" + "y" * 27, "checkpoint:abcd/" + "y" * 27],
        [f"checkpoint:{LONG}/checkpoints/{steps}?temperature=0.25&views=1" for steps in range(1000, 1040)],
        [f"checkpoint:{LONG}/checkpoints/120000?temperature=0.{digits:03}&views=1" for digits in range(40)],
    ],
)
def test_no_two_names_become_equal(names):
    labels = short_names(names)
    assert len(set(labels)) == len(names)
    assert all(len(label) <= len(name) for label, name in zip(labels, names, strict=True))
    for label, name in zip(labels, names, strict=True):
        head, mark, tail = label.partition("…") if name != label else (name, "", "")
        assert name.startswith(head)
        assert name.endswith(tail)
        assert mark or label == name


def test_equal_names_keep_equal_labels():
    assert len(set(short_names(["x" * 90, "x" * 90]))) == 1


def test_names_are_no_longer_than_it_takes():
    labels = short_names([f"checkpoint:{'x' * 200}{run}{'z' * 40}" for run in "ab"])
    assert [len(label) for label in labels] == [LABEL_LENGTH + 16] * 2  # the letter that tells them apart, then 40
