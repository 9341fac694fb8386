"""Figures as SVG files that depend on nothing but what they show."""

from __future__ import annotations

import warnings
from io import BytesIO

from matplotlib import rc_context
from matplotlib.figure import Figure


def svg_bytes(figure: Figure, name: str) -> bytes:
    """Returns `figure` as SVG with text as text; equal figures under equal names are equal byte for byte.

    `name` goes into the identifiers inside, so that a page can hold several figures.
    """
    content = BytesIO()
    with rc_context({"svg.hashsalt": name, "svg.fonttype": "none"}), warnings.catch_warnings():
        # Whoever shows the file brings the fonts: a letter that is missing here is not missing there.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font", category=UserWarning)
        figure.savefig(content, format="svg", metadata={"Date": None})
    return content.getvalue()
