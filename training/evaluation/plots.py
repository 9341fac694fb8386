"""The report as plots: who is better, who beats whom, how a run grew.

Dimension letter: N agents. Names are drawn as they are: no letter of theirs starts a formula.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter

from training.evaluation.outputs import payoff_matrix
from training.evaluation.report import ANCHOR, AgentRow, Report
from training.figures import svg_bytes
from training.files import write_bytes

Curves = dict[str, list[tuple[int, AgentRow]]]  # per run: environment steps and the checkpoint's row, ascending

LABEL_LENGTH = 40  # letters of a name that a plot shows, unless it takes more to tell it from the others
CHECKPOINT = re.compile(r"checkpoint:(?P<folder>[^?]*)/(?P<steps>[0-9]+)(?P<options>\?.*)?", re.DOTALL)
FONT_SIZE = 9  # points, of names
LETTER, LINE = 0.078, 0.17  # inches: mean width and height of a letter of a name
ROW, CELL = 0.28, 0.42  # inches: a line of the ladder, a side of a cell of the matrix
NAME: dict[str, Any] = {"parse_math": False, "fontsize": FONT_SIZE}  # how a name is written
COLOURS, MARKERS = 10, "osD^v"  # of curves: matplotlib's cycle of colours, then the next marker


def write_plots(folder: Path, report: Report) -> list[Path]:
    """Writes the plots of `report` into `folder`, which it makes, and returns their paths.

    A plot of an earlier report that this one has no use for goes; other files stay.
    """
    plots = {
        "rating-ladder.svg": rating_ladder(report),
        "win-matrix.svg": win_matrix(report),
        "growth.svg": growth_curve(report),
    }
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, content in plots.items():
        if content is None:
            (folder / name).unlink(missing_ok=True)
            continue
        write_bytes(folder / name, content)
        paths.append(folder / name)
    return paths


def rating_ladder(report: Report) -> bytes:
    """Returns an SVG with the agents from the highest rating down, each with its 95 % interval."""
    rows = [report.agents[agent] for agent in by_rating(report)]
    labels = short_names([row.name for row in rows])
    places = range(len(rows))
    figure = Figure((5.5 + LETTER * longest(labels), 1.0 + ROW * len(rows)), layout="constrained")
    axes = figure.subplots()
    axes.axvline(0.0, color="grey", linewidth=1, gid="anchor")
    lows, highs = zip(*(row.rating_ci for row in rows), strict=True)
    axes.hlines(places, lows, highs, linewidth=2, gid="intervals")
    axes.plot([row.rating for row in rows], places, "o", gid="ratings")
    for place, row in enumerate(rows):
        label = f"{points(row.rating)}  ({points(row.rating_ci[0])}..{points(row.rating_ci[1])})"
        axes.text(1.015, place, label, transform=axes.get_yaxis_transform(), va="center", fontsize=FONT_SIZE)
    axes.set_yticks(places, labels, **NAME)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel(rating_label(report), parse_math=False)
    axes.set_title("Ratings with 95 % intervals", fontsize="medium")
    axes.grid(visible=True, alpha=0.3)
    return svg_bytes(figure, "rating-ladder")


def win_matrix(report: Report) -> bytes:
    """Returns an SVG that shows in how many of 100 pairs of seats the row came before the column.

    The agents stand in order of rating. Grey cells are of agents that never met.
    """
    order = by_rating(report)
    payoff = payoff_matrix(report)[np.ix_(order, order)]  # float64 [N, N]
    names = short_names([report.agents[agent].name for agent in order])
    labels = [f"{place}. {name}" for place, name in enumerate(names, start=1)]
    places = range(len(order))
    side = CELL * len(order)
    figure = Figure((max(5.0, 0.6 + LETTER * longest(labels) + side), 0.9 + side), layout="compressed")
    axes = figure.subplots()
    axes.set_facecolor("lightgrey")
    axes.pcolormesh(np.ma.masked_invalid(payoff), cmap="RdBu", vmin=0, vmax=1, edgecolors="white", gid="cells")
    for (row, column), share in np.ndenumerate(payoff):
        colour = "dimgrey" if row == column else "white" if share <= 0.15 or share >= 0.85 else "black"
        number = axes.text(column + 0.5, row + 0.5, percent(share), color=colour, fontsize=8)
        number.set(ha="center", va="center_baseline")
        number.set_in_layout(False)  # it fits its cell and need not be measured
    axes.set_yticks([place + 0.5 for place in places], labels, **NAME)
    axes.set_xticks([place + 0.5 for place in places], [str(place + 1) for place in places], fontsize=FONT_SIZE)
    axes.tick_params(length=0, top=False, labeltop=True, labelbottom=False)
    axes.set(aspect="equal", ylim=(len(order), 0))
    blank = "; grey: never met" if np.isnan(payoff).any() else ""
    figure.suptitle(f"How often the row came before the column, in %{blank}", fontsize=FONT_SIZE)
    return svg_bytes(figure, "win-matrix")


def growth_curve(report: Report) -> bytes | None:
    """Returns an SVG with the rating of each run's checkpoints over its environment steps, None without such a run.

    A run counts from two checkpoints on. Its agents are named `checkpoint:FOLDER/STEPS[?OPTIONS]` and make one line
    for each folder and options; agents of other names are horizontal lines.
    """
    curves, others = find_curves(report)
    if not any(len({steps for steps, _ in curve}) > 1 for curve in curves.values()):
        return None
    runs = short_names(list(curves))
    labels = short_names([row.name for row in others])
    up = max(3.2, LINE * len(others))
    size = (max(5.5 + LETTER * longest(labels), 1.5 + LETTER * longest(runs)), 1.1 + up + 1.3 * LINE * len(runs))
    figure = Figure(size, layout="constrained")
    axes = figure.subplots()
    for index, curve in enumerate(curves.values()):
        draw_curve(axes, curve, index)
    draw_references(axes, [row.rating for row in others], labels, LINE / up)
    axes.set(xlabel="environment steps")
    axes.set_ylabel(rating_label(report), parse_math=False)
    axes.set_title("Growth of the rating, with 95 % intervals", fontsize="medium")
    axes.xaxis.set_major_formatter(EngFormatter())
    axes.grid(visible=True, alpha=0.3)
    # The names come last: a legend leaves out what begins with an underscore.
    legend = figure.legend(
        axes.lines[: len(runs)], [str(place) for place in range(len(runs))], loc="outside lower left"
    )
    for text, run in zip(legend.get_texts(), runs, strict=True):
        text.set(text=run, **NAME)
    return svg_bytes(figure, "growth")


def find_curves(report: Report) -> tuple[Curves, list[AgentRow]]:
    """Returns the runs by folder and options, in the order of the report, and the agents outside them."""
    curves: Curves = {}
    others = []
    for row in report.agents:
        match = CHECKPOINT.fullmatch(row.name)
        if match is None:
            others.append(row)
            continue
        run = match["folder"].removesuffix("/checkpoints") + (match["options"] or "")
        curves.setdefault(run, []).append((int(match["steps"]), row))
    for curve in curves.values():
        curve.sort(key=lambda point: point[0])
    return curves, sorted(others, key=lambda row: row.rating)


def draw_curve(axes: Axes, curve: Sequence[tuple[int, AgentRow]], index: int) -> None:
    """Draws the line of one run and the band of its intervals; a lone checkpoint has a bar for a band."""
    steps = [step for step, _ in curve]
    lows, highs = zip(*(row.rating_ci for _, row in curve), strict=True)
    colour, marker = f"C{index % COLOURS}", MARKERS[index // COLOURS % len(MARKERS)]
    ratings = [row.rating for _, row in curve]
    axes.plot(steps, ratings, color=colour, marker=marker, markersize=4, gid=f"curve-{index}")
    if len(curve) > 1:
        axes.fill_between(steps, lows, highs, color=colour, alpha=0.2, linewidth=0, gid=f"band-{index}")
    else:
        axes.vlines(steps, lows, highs, color=colour, alpha=0.4, gid=f"band-{index}")


def draw_references(axes: Axes, ratings: Sequence[float], labels: Sequence[str], line: float) -> None:
    """Draws horizontal lines at the ascending `ratings`, named at the right; `line` is a label's part of the height."""
    for rating in ratings:
        axes.axhline(rating, color="grey", linestyle="--", linewidth=1)
    low, high = axes.get_ylim()
    axes.set_ylim(low, high)  # the names must not move it
    places = spread([(rating - low) / (high - low) for rating in ratings], line)
    for label, rating, place in zip(labels, ratings, places, strict=True):
        axes.annotate(
            label,
            xy=(1.0, rating),
            xycoords=axes.get_yaxis_transform(),
            xytext=(1.04, place),
            textcoords="axes fraction",
            va="center",
            arrowprops={"arrowstyle": "-", "color": "grey", "shrinkA": 2, "shrinkB": 0, "relpos": (0.0, 0.5)},
            annotation_clip=False,
            **NAME,
        )


def spread(places: Sequence[float], gap: float) -> list[float]:
    """Returns ascending `places` in 0..1 moved to lie `gap` apart within it: by least squares, as far as they fit."""
    pools: list[tuple[float, int]] = []  # mean of `place - index * gap` and number of places, of those that touch
    for index, place in enumerate(places):
        mean, size = place - index * gap, 1
        while pools and pools[-1][0] > mean:
            before, members = pools.pop()
            mean = (mean * size + before * members) / (size + members)
            size += members
        pools.append((mean, size))
    room = max(0.0, 1.0 - (len(places) - 1) * gap)
    means = [min(max(mean, 0.0), room) for mean, size in pools for _ in range(size)]
    return [mean + index * gap for index, mean in enumerate(means)]


def by_rating(report: Report) -> list[int]:
    """Returns the agents by number, highest rating first, equal ones in the order of the report."""
    return sorted(range(len(report.agents)), key=lambda agent: -report.agents[agent].rating)


def rating_label(report: Report) -> str:
    """Returns the label of a rating axis, which names the agent that the others are measured from, if there is one."""
    is_anchored = any(row.name == ANCHOR for row in report.agents)
    return f"rating in Elo points, {ANCHOR} = 0" if is_anchored else "rating in Elo points"


def points(rating: float) -> str:
    """Returns a rating as a whole number, without a sign for zero."""
    return str(round(rating))


def percent(share: float) -> str:
    """Returns a share in whole percent, nothing for NaN; only what is exactly 0 or 1 reads so."""
    if np.isnan(share):
        return ""
    if 0.0 < share <= 0.005:
        return "<1"
    return ">99" if 0.995 <= share < 1.0 else f"{100 * share:.0f}"


def longest(labels: Sequence[str]) -> int:
    """Returns the length of the longest of `labels`, 0 without any."""
    return max(map(len, labels), default=0)


def short_names(names: Sequence[str]) -> list[str]:
    """Returns a label for each of `names`, short enough to draw; different names keep different labels."""
    texts = [name if name.isprintable() else repr(name) for name in names]  # no line breaks, nothing XML forbids
    limits = [LABEL_LENGTH] * len(texts)
    while True:
        labels = [shorten(text, limit) for text, limit in zip(texts, limits, strict=True)]
        counts = Counter(labels)
        growing = [
            index for index, label in enumerate(labels) if counts[label] > 1 and limits[index] < len(texts[index])
        ]
        if not growing:
            return labels
        for index in growing:
            limits[index] += 4


def shorten(text: str, limit: int) -> str:
    """Returns `text` in at most `limit` letters: its kind (up to the colon) and its end, from a `/` on if one fits."""
    if len(text) <= limit:
        return text
    kind = text[: text.find(":") + 1]
    head = kind if 0 < len(kind) <= limit // 2 else text[: limit // 3]
    tail = text[len(head) - limit + 1 :]
    cut = tail.find("/")
    return f"{head}…{tail[cut:] if 0 <= cut <= len(tail) // 2 else tail}"
