"""The numbers of actions and how people write them."""

from __future__ import annotations

from ..core.arguments import whole_number
from ..core.diagram import cell_name
from .config import Config


def action_name(config: Config, action: int) -> str:
    """Returns `c4` for a placement, `-c4` for a retraction, `end` for the end of the turn; `action` is 0..2N."""
    number = whole_number("action", action, 0, 2 * config.num_cells)
    if number == 2 * config.num_cells:
        return "end"
    name = cell_name(number % config.num_cells // config.cols, number % config.cols)
    return name if number < config.num_cells else f"-{name}"
