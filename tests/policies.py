"""Ways to choose the next action in a fuzzed game: uniformly, or after what is rare."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.reference.pieces import DIAGONAL, EIGHT, ORTHOGONAL, Cell, Piece, step
from tests.reference.twin import Twin

Policy = Callable[[Twin, list[int], random.Random], int]


def choose_uniformly(_twin: Twin, legal: list[int], rng: random.Random) -> int:
    """Any legal action, each as likely as the others."""
    return rng.choice(legal)


def choose_hastily(_twin: Twin, legal: list[int], rng: random.Random) -> int:
    """Ends half of the turns early, now and then with nothing placed."""
    return max(legal) if rng.random() < 0.5 else rng.choice(legal)


def choose_building(twin: Twin, legal: list[int], rng: random.Random) -> int:
    """Lines of fresh stones, closed rings, longer walls, overlays; some retractions."""
    weights = [_building_weight(twin, action) for action in legal]
    return rng.choices(legal, weights)[0]


def choose_greedily(twin: Twin, legal: list[int], rng: random.Random) -> int:
    """What building likes best, most of the time."""
    if rng.random() < 0.15:
        return rng.choice(legal)
    return max(rng.sample(legal, len(legal)), key=lambda action: _building_weight(twin, action))


def choose_undoing(twin: Twin, legal: list[int], rng: random.Random) -> int:
    """Builds, takes overlays wherever it can, then takes back the stones that armed them."""
    retractions = [action for action in legal if twin.num_cells <= action < 2 * twin.num_cells]
    overlays = [action for action in legal if action < twin.num_cells and twin.cell_of(action) in twin.board.lower]
    if overlays and rng.random() < 0.6:
        return rng.choice(overlays)
    if retractions and rng.random() < 0.3:
        return rng.choice(retractions)
    return choose_building(twin, legal, rng)


POLICIES: tuple[Policy, ...] = (
    choose_uniformly,
    choose_hastily,
    choose_building,
    choose_greedily,
    choose_greedily,
    choose_undoing,
)


def _building_weight(twin: Twin, action: int) -> float:
    if action == 2 * twin.num_cells:
        return 3.0 if twin.remaining() > 0 else 30.0
    if action > twin.num_cells:
        return 1.5
    cell = twin.cell_of(action)
    weight = 1.0 + 8.0 * _num_fresh_in_line(twin, cell)
    weight += 2.0 * sum(1 for direction in EIGHT if twin.captures().is_own(step(cell, direction)))
    weight += 40.0 * _num_rings_closed(twin, cell) + (8.0 if _may_divide(twin, cell) else 0.0)
    weight += 30.0 * _num_cut_more(twin, cell)
    return weight + (25.0 if cell in twin.board.lower else 0.0)


def _num_fresh_in_line(twin: Twin, cell: Cell) -> int:
    """Fresh stones one or two steps away along a direction: what links are made of."""
    captures = twin.captures()
    return sum(captures.is_fresh(step(cell, direction, times)) for direction in EIGHT for times in (1, 2))


def _num_cut_more(twin: Twin, cell: Cell) -> int:
    """Enemy pieces that a fresh stone on an empty cell would add to those doomed by cuts."""
    if cell in twin.board.lower or not _num_fresh_in_line(twin, cell):
        return 0
    tried = twin.clone()
    tried.board.lower[cell] = Piece(cell, twin.to_move, twin.turn)
    before, after = twin.captures().by_cut(), tried.captures().by_cut()
    return sum(len(after[kind] - before[kind]) for kind in after)


def _num_rings_closed(twin: Twin, cell: Cell) -> int:
    """Enemy pieces of whose ring this cell is the last one; the edge closes an orthogonal one (territory)."""
    captures = twin.captures()
    num_closed = 0
    for pattern in (ORTHOGONAL, DIAGONAL):
        for centre in [step(cell, direction) for direction in pattern]:
            others = [step(centre, towards) for towards in pattern if step(centre, towards) != cell]
            num_closed += bool(captures.enemy_at(centre)) and all(_is_closed(twin, other) for other in others)
    return num_closed


def _may_divide(twin: Twin, cell: Cell) -> bool:
    """Whether own pieces and the edge around the cell leave the open cells beside it in several pieces."""
    clockwise = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
    closed = [_is_closed(twin, step(cell, direction)) for direction in clockwise]
    return sum(closed[k - 1] and not closed[k] for k in range(8)) > 1


def _is_closed(twin: Twin, cell: Cell) -> bool:
    """Whether the cell is off the board or holds a piece of the mover."""
    is_on_board = 0 <= cell[0] < twin.board.rows and 0 <= cell[1] < twin.board.cols
    return not is_on_board or twin.captures().is_own(cell)
