"""How near every base is to being walled in, and what one more stone would change about it.

Dimension letters: P seats, S squares around a base, N cells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.trials import ILLEGAL
from agents.walls import Room, find_wall, new_room
from bitblossom_env.bitblossom.state import (
    BASES,
    ELIMINATED,
    NOW_SEA,
    NUM_COLUMNS,
    NUM_SEATS,
    PLACEABLE,
    PLACEMENTS,
    STONES,
    TO_MOVE,
    Counters,
    Masks,
)
from bitblossom_env.bitblossom.territory import sea_field
from bitblossom_env.core.bitboard import ZERO, cell_bit
from bitblossom_env.core.bits import lowest_bit
from bitblossom_env.core.jit import kernel

MAX_SQUARES = 5  # greater ones hold most of a small board, and their walls are never the cheapest on a great one
DECAY = 3.0  # a wall that needs one stone more counts for so many times less
AGAINST_MOVER, BY_MOVER = 0, 1  # who besieges whom

Needs = NDArray[np.int64]  # int64 [2, P, S], stones that a wall needs, limit + 1 if more, UNBUILT if nobody builds it
Walls = NDArray[np.uint64]  # uint64 [2, P, S, rows]
UNBUILT = -1


Free = NDArray[np.uint64]  # uint64 [P + 1, rows]: where each seat may build in its sea; last: to write in
Survey = tuple[Needs, Walls, Free, Room, int]  # what `fill_survey` fills in; last: stones beyond which none is seen
Weights = NDArray[np.float64]  # float64 [4], in cells, see below

# --- weights -------------------------------------------------------------------------------------------------------
PRESSURE = 0  # of all walls around the own base together; a wall of one stone is 1 / DECAY of it
IN_REACH = 1  # for each stone by which the cheapest wall around the own base is within an enemy's budget of a turn
NEARLY = 2  # where it needs one stone more than that
ATTACK = 3  # of all walls around the enemy base that is nearest to falling


def new_survey(num_seats: int, board_shape: tuple[int, ...], limit: int) -> Survey:
    """Returns an empty survey for a board; walls of more than `limit` stones are out of sight."""
    rows, cols = board_shape
    num_squares = max(1, min(MAX_SQUARES, min(rows, cols) // 2 - 1))
    return (
        np.zeros((2, num_seats, num_squares), np.int64),
        np.zeros((2, num_seats, num_squares, rows), np.uint64),
        np.zeros((num_seats + 1, rows), np.uint64),
        new_room(rows * cols),
        limit,
    )


@kernel
def base_cell(masks: Masks, counters: Counters, seat: int) -> int:
    """Returns the cell of a seat's home base."""
    for r in range(masks.shape[1]):
        base = masks[BASES, r] & masks[STONES + seat, r]
        if base != ZERO:
            return int(r * counters[NUM_COLUMNS] + lowest_bit(base))
    return -1


@kernel
def mark_free(masks: Masks, counters: Counters, free: Free) -> None:
    """Fills in where each seat may build in its sea."""
    for seat in range(counters[NUM_SEATS]):
        is_mover = seat == counters[TO_MOVE]
        sea = NOW_SEA if is_mover else sea_field(counters, seat)
        for r in range(masks.shape[1]):
            free[seat, r] = masks[sea, r]
            for other in range(counters[NUM_SEATS]):
                free[seat, r] &= ~masks[STONES + other, r]
            if is_mover:
                free[seat, r] &= masks[PLACEABLE, r]


@kernel
def fill_survey(masks: Masks, counters: Counters, survey: Survey) -> None:
    """Fills in the walls of each enemy that can still move against the mover's base, and the mover's against theirs."""
    needs, walls, free, room, limit = survey
    mark_free(masks, counters, free)
    mover = counters[TO_MOVE]
    num_columns = counters[NUM_COLUMNS]
    own_base = base_cell(masks, counters, mover)
    for seat in range(counters[NUM_SEATS]):
        is_enemy = seat != mover and counters[ELIMINATED + seat] == 0
        base = base_cell(masks, counters, seat)
        sea = sea_field(counters, seat)
        for index in range(needs.shape[2]):
            needs[AGAINST_MOVER, seat, index] = UNBUILT
            needs[BY_MOVER, seat, index] = UNBUILT
            if not is_enemy:
                continue
            wall = walls[AGAINST_MOVER, seat, index]
            siege = (own_base, index + 1, limit)
            needs[AGAINST_MOVER, seat, index] = find_wall(masks[sea], free[seat], siege, num_columns, room, wall)
            wall = walls[BY_MOVER, seat, index]
            siege = (base, index + 1, limit)
            needs[BY_MOVER, seat, index] = find_wall(masks[NOW_SEA], free[mover], siege, num_columns, room, wall)


@kernel
def weigh(fewest: int, pressure: float, budget: int, weights: Weights) -> float:
    """Returns how bad a siege is whose cheapest wall needs `fewest` stones."""
    bad = weights[PRESSURE] * pressure
    if fewest <= budget:
        bad += weights[IN_REACH] * (budget + 1 - fewest)
    elif fewest == budget + 1:
        bad += weights[NEARLY]
    return float(bad)


@kernel
def danger_after(masks: Masks, counters: Counters, survey: Survey, cell: int, weights: Weights) -> float:
    """Returns how bad all sieges of the mover's base are once it has a stone on `cell`, -1 for none.

    Only walls that need that cell are searched anew: another wall of the same size stays what it is.
    """
    needs, walls, free, room, limit = survey
    num_columns = counters[NUM_COLUMNS]
    mover = counters[TO_MOVE]
    row = cell // num_columns if cell >= 0 else 0
    bit = cell_bit(cell % num_columns) if cell >= 0 else ZERO
    own_base = base_cell(masks, counters, mover)
    spare = free.shape[0] - 1
    bad = 0.0
    for seat in range(counters[NUM_SEATS]):
        if needs[AGAINST_MOVER, seat, 0] == UNBUILT:
            continue
        for r in range(masks.shape[1]):
            free[spare, r] = free[seat, r]
        free[spare, row] &= ~bit
        fewest, pressure = limit + 1, 0.0
        for index in range(needs.shape[2]):
            need = needs[AGAINST_MOVER, seat, index]
            if walls[AGAINST_MOVER, seat, index, row] & bit != ZERO:
                siege = (own_base, index + 1, limit)
                sea = sea_field(counters, seat)
                # The wall itself is kept for other cells; `walls` of the mover against itself is never used.
                need = find_wall(masks[sea], free[spare], siege, num_columns, room, walls[AGAINST_MOVER, mover, index])
            fewest = min(fewest, need)
            pressure += DECAY**-need
        bad += weigh(fewest, pressure, counters[PLACEMENTS], weights)
    return bad


@kernel
def pressure_after(counters: Counters, survey: Survey, target: int, cell: int) -> float:
    """Returns the pressure of the mover on the base of `target` once it has a stone on `cell`, -1 for none."""
    needs, walls, _, _, _ = survey
    num_columns = counters[NUM_COLUMNS]
    pressure = 0.0
    for index in range(needs.shape[2]):
        need = needs[BY_MOVER, target, index]
        if cell >= 0 and walls[BY_MOVER, target, index, cell // num_columns] & cell_bit(cell % num_columns) != ZERO:
            need -= 1
        pressure += DECAY**-need
    return pressure


@kernel
def choose_target(counters: Counters, survey: Survey) -> int:
    """Returns the enemy whose base is nearest to being walled in by the mover, -1 if there is none."""
    best, target = -1.0, -1
    for seat in range(counters[NUM_SEATS]):
        if survey[0][BY_MOVER, seat, 0] != UNBUILT:
            pressure = pressure_after(counters, survey, seat, -1)
            if pressure > best:
                best, target = pressure, seat
    return target


@kernel
def fill_ratings(
    masks: Masks,
    counters: Counters,
    survey: Survey,
    weights: Weights,
    values: NDArray[np.int64],
    ratings: NDArray[np.float64],
) -> None:
    """Fills float64 [N + 1]: `values` int64 [N + 1] less the danger to the own base, plus the pressure on another.

    Both are as after a stone on the cell; the last entry is of ending the turn. ILLEGAL stays.
    """
    fill_survey(masks, counters, survey)
    target = choose_target(counters, survey)
    num_cells = values.shape[0] - 1
    for index in range(num_cells + 1):
        ratings[index] = values[index]
        if values[index] == ILLEGAL:
            continue
        cell = index if index < num_cells else -1
        ratings[index] -= danger_after(masks, counters, survey, cell, weights)
        if target >= 0:
            ratings[index] += weights[ATTACK] * pressure_after(counters, survey, target, cell)
