"""How near every base is to being walled in, and what one more stone would change about it.

Dimension letters: P seats, S squares around a base, N cells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.sieges.rivals import Shares
from agents.sieges.walls import Room, fill_walls, find_wall, new_room
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
from bitblossom_env.core.bitboard import ZERO, Word, cell_bit
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
Terms = NDArray[np.float64]  # float64 [2, N + 1], in cells: DANGER to the own base, PRESSURE_ON the target's
DANGER, PRESSURE_ON = 0, 1

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
        new_room(rows),
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
        if not is_enemy:
            for index in range(needs.shape[2]):
                needs[AGAINST_MOVER, seat, index] = UNBUILT
                needs[BY_MOVER, seat, index] = UNBUILT
            continue
        siege = (own_base, num_columns, limit)
        fill_walls(masks[sea], free[seat], siege, room, needs[AGAINST_MOVER, seat], walls[AGAINST_MOVER, seat])
        siege = (base, num_columns, limit)
        fill_walls(masks[NOW_SEA], free[mover], siege, room, needs[BY_MOVER, seat], walls[BY_MOVER, seat])


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
def choose_target(counters: Counters, survey: Survey, shares: Shares) -> int:
    """Returns the enemy on whose base the mover's pressure, times its share, is greatest; -1 if there is none."""
    best, target = -1.0, -1
    for seat in range(counters[NUM_SEATS]):
        if survey[0][BY_MOVER, seat, 0] != UNBUILT:
            pressure = shares[seat] * pressure_after(counters, survey, seat, -1)
            if pressure > best:
                best, target = pressure, seat
    return target


@kernel
def is_in_wall(survey: Survey, side: int, most: int, row: int, bit: Word) -> bool:
    """Returns whether a cell is part of a wall of at most so many stones: against the mover's base, or by the mover."""
    needs, walls, _, _, _ = survey
    for seat in range(walls.shape[1]):
        for index in range(walls.shape[2]):
            if 0 < needs[side, seat, index] <= most and walls[side, seat, index, row] & bit != ZERO:
                return True
    return False


@kernel
def fill_siege_terms(
    masks: Masks, counters: Counters, survey: Survey, weights: Weights, shares: Shares, terms: Terms
) -> int:
    """Fills in danger and pressure for a stone on each cell, last for ending the turn; returns the target, -1 if none.

    The survey must be of the position. What a stone of no wall changes about danger or pressure is nothing.
    """
    num_columns = counters[NUM_COLUMNS]
    target = choose_target(counters, survey, shares)
    num_cells = terms.shape[1] - 1
    danger = danger_after(masks, counters, survey, -1, weights)
    factor = weights[ATTACK] * shares[target] if target >= 0 else 0.0
    pressure = factor * pressure_after(counters, survey, target, -1) if target >= 0 else 0.0
    for cell in range(num_cells + 1):
        terms[DANGER, cell] = danger
        terms[PRESSURE_ON, cell] = pressure
    for cell in range(num_cells):
        row, bit = cell // num_columns, cell_bit(cell % num_columns)
        if masks[PLACEABLE, row] & bit == ZERO:
            continue
        if is_in_wall(survey, AGAINST_MOVER, survey[4], row, bit):
            terms[DANGER, cell] = danger_after(masks, counters, survey, cell, weights)
        if target >= 0:
            terms[PRESSURE_ON, cell] = factor * pressure_after(counters, survey, target, cell)
    return target
