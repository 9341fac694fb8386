"""Charts as small SVG files."""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure

from training.benchmarks.report import Chart
from training.figures import svg_bytes
from training.files import write_bytes

SIZE = (6.4, 3.6)  # inches


def draw(chart: Chart) -> bytes:
    """Returns a chart as SVG; equal charts are equal byte for byte."""
    figure = Figure(SIZE, layout="constrained")
    axes = figure.subplots()
    for label, points in chart.lines.items():
        style = ":" if label == chart.reference else "o-"
        axes.plot([x for x, _ in points], [y for _, y in points], style, label=label, markersize=3)
    axes.set(xlabel=chart.across, ylabel=chart.up, title=chart.title)
    if chart.is_logarithmic:
        axes.set(xscale="log", yscale="log")
    else:
        axes.set_ylim(bottom=0)
    axes.grid(visible=True, alpha=0.3)
    axes.legend(fontsize="small")
    return svg_bytes(figure, chart.name)


def write_charts(folder: Path, charts: list[Chart]) -> None:
    """Writes each chart into `folder` under its name."""
    folder.mkdir(parents=True, exist_ok=True)
    for chart in charts:
        write_bytes(folder / f"{chart.name}.svg", draw(chart))
