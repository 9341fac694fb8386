"""Names of the rare things that tests provoke, and how a game of the twin is searched for them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tests.reference.pieces import Cell, Piece
from tests.reference.rules import BUDGET, ORPHANED_OVERLAY
from tests.reference.sea import is_cut_vertex, sea_of

if TYPE_CHECKING:
    from tests.reference.twin import Twin

OVERLAY = "overlay"
OVERLAY_RETRACTED = "overlay retracted"
TIED_SEA = "tied seas"
DIVISION_CHANGED = "division changed by an overlay"
ELIMINATION = "elimination"
REVIVAL = "revival"
SELF_ELIMINATION = "elimination by one's own capture"
UNDOOMED = "un-dooming away from any cut vertex"
CAPTURES = {
    "ring_orthogonal": "ring orthogonal",
    "ring_diagonal": "ring diagonal",
    "joint": "joint cut",
    "pierce": "pierce cut",
    "territory": "territory capture",
}
REFUSED = {
    (True, BUDGET): "retraction refused for the budget",
    (True, ORPHANED_OVERLAY): "retraction refused for an orphaned overlay",
    (False, ORPHANED_OVERLAY): "placing refused for an orphaned overlay",
}
ENDS = {
    reason: f"end: {reason}" for reason in ("last_survivor", "all_eliminated", "full_board", "all_passed", "turn_limit")
}
ALL_EVENTS = (
    *CAPTURES.values(),
    OVERLAY,
    OVERLAY_RETRACTED,
    *REFUSED.values(),
    UNDOOMED,
    TIED_SEA,
    DIVISION_CHANGED,
    ELIMINATION,
    REVIVAL,
    SELF_ELIMINATION,
    *ENDS.values(),
)


def of_turn_end(before: Twin, after: Twin) -> Counter[str]:
    """What the end of one turn brought about."""
    counts: Counter[str] = Counter()
    for test, victims in before.doomed_by().items():
        counts[CAPTURES[test]] += sum(1 for cell in victims if not before.board.lower[cell].is_base)
    mover = before.to_move
    was_out, is_out = before.eliminated(), after.eliminated()
    for seat in range(before.num_seats):
        counts[ELIMINATION] += is_out[seat] and not was_out[seat]
        counts[REVIVAL] += was_out[seat] and not is_out[seat]
    counts[SELF_ELIMINATION] += is_out[mover]  # only the mover captures, so nobody else put its base there
    judged, standing = sea_of(before.board, mover), sea_of(after.board, mover)
    counts[TIED_SEA] += before.turn in judged.tied_stamps | standing.tied_stamps
    counts[DIVISION_CHANGED] += bool((judged.sea ^ standing.sea) - set(before.board.overlays))
    if after.outcome is not None:
        counts[ENDS[after.outcome.reason]] += 1
    return counts


def of_refusals(twin: Twin, refusals: dict[int, list[str]]) -> Counter[str]:
    """Actions that only the turn invariants (R2.4) forbid in the present position."""
    counts: Counter[str] = Counter()
    for action, reasons in refusals.items():
        for reason in reasons:
            name = REFUSED.get((action >= twin.num_cells, reason))
            counts.update([name] if name else [])
    return counts


def undooming_placements(twin: Twin) -> list[Cell]:
    """Cells, no cut vertices of the mover's present sea, where a stone un-dooms what territory dooms."""
    doomed = twin.doomed_by()["territory"]
    if twin.is_over or not doomed or twin.remaining() <= 0:
        return []
    sea = twin.sea(twin.to_move)
    found = []
    for cell in twin.board.cells():
        if twin.board.piece_at(cell) or is_cut_vertex(sea, cell):
            continue
        tried = twin.clone()
        tried.board.lower[cell] = Piece(cell, twin.to_move, twin.turn)
        if doomed - tried.doomed_by()["territory"]:
            found.append(cell)
    return found
