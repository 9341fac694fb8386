"""R3.3, the sticky sea: one refinement, by the stones of one turn; `sea_replay.py` has the whole replay."""

from __future__ import annotations

from ..core.bitboard import ZERO, Masks, clear, copy, touches_rim, unite
from ..core.components import take_first_component
from ..core.jit import kernel
from .state import WORK_A, WORK_B

UNDIVIDED = -1  # number of parts where no stone fell into the sea


@kernel
def mark_refined_sea(masks: Masks, num_columns: int, sea: int, stones: int, target: int) -> tuple[int, int]:
    """Writes into `target` the sea that is left of `sea` when `stones` are added as one stamp of the replay.

    Returns the number of its components, all equally great (UNDIVIDED if no stone is in the sea: next stamp), and the
    cells of the greatest rimmed component that is not among them.
    """
    touched = ZERO
    for r in range(masks.shape[1]):
        touched |= masks[sea, r] & masks[stones, r]
        masks[WORK_A, r] = masks[sea, r] & ~masks[stones, r]
    if touched == ZERO:
        copy(masks, sea, target)
        return UNDIVIDED, 0
    clear(masks, target)
    num_parts, greatest, runner_up = 0, 0, 0
    size = take_first_component(masks, WORK_A, WORK_B)
    while size > 0:
        if size > runner_up and touches_rim(masks, WORK_B, num_columns):
            if size > greatest:
                num_parts, greatest, runner_up = 0, size, greatest
                clear(masks, target)
            if size == greatest:  # ties all stay sea
                num_parts += 1
                unite(masks, WORK_B, target)
            else:
                runner_up = size
        size = take_first_component(masks, WORK_A, WORK_B)
    return num_parts, runner_up
