"""What a position is worth to each seat, 0..1, and what ending the turn now is worth to the mover in cells.

Dimension letter: P seats.
"""

from __future__ import annotations

import math

from agents.search.rules import Values
from agents.trials import BASE_VALUE, Board, count_lead
from bitblossom_env.bitblossom.scoring import count_areas
from bitblossom_env.bitblossom.sea_replay import AREAS, Work
from bitblossom_env.bitblossom.standing import count_survivors
from bitblossom_env.bitblossom.state import (
    ELIMINATED,
    END_REASON,
    NUM_CELLS,
    NUM_SEATS,
    RUNNING,
    TO_MOVE,
    Counters,
    Masks,
)
from bitblossom_env.bitblossom.turn import commit_turn
from bitblossom_env.core.jit import kernel

WIN_WEIGHT, AREA_WEIGHT, ALIVE_WEIGHT = 0.8, 0.15, 0.05  # they add up to 1
LEAD_SCALE = 0.05  # share of the board that makes a seat e times as likely to win


@kernel
def _fill_win_shares(counters: Counters, work: Work, values: Values) -> None:
    """Fills who wins: exactly after the end (R4.3), by areas while the game runs; adds up to 1."""
    survivors = count_survivors(counters)
    best = 0
    for seat in range(counters[NUM_SEATS]):
        if survivors == 0 or counters[ELIMINATED + seat] == 0:
            best = max(best, work[AREAS, seat])
    total = 0.0
    for seat in range(counters[NUM_SEATS]):
        values[seat] = 0.0
        behind = work[AREAS, seat] - best
        if survivors > 0 and counters[ELIMINATED + seat] == 1:
            continue
        if counters[END_REASON] == RUNNING:
            values[seat] = math.exp(behind / (LEAD_SCALE * counters[NUM_CELLS]))
        elif behind == 0:
            values[seat] = 1.0
        total += values[seat]
    for seat in range(counters[NUM_SEATS]):
        values[seat] /= total


@kernel
def fill_values(masks: Masks, counters: Counters, work: Work, values: Values) -> None:
    """Fills what a position between two turns is worth to each seat; the values are 0..1 and add up to 1.

    Value = 0.8 x share of the win + 0.15 x share of all area + 0.05 x share of the survivors (0 for an eliminated seat;
    all alike where nobody survives). A finished game is won as the rules say, equal winners share. Of a running one
    each survivor's share of the win is in proportion to exp(area / (0.05 x cells of the board)).
    """
    count_areas(masks, counters, work)
    _fill_win_shares(counters, work, values)
    survivors = count_survivors(counters)
    total = 0
    for seat in range(counters[NUM_SEATS]):
        total += work[AREAS, seat]
    for seat in range(counters[NUM_SEATS]):
        share = work[AREAS, seat] / total
        alive = (1 - counters[ELIMINATED + seat]) / survivors if survivors > 0 else 1 / counters[NUM_SEATS]
        values[seat] = WIN_WEIGHT * values[seat] + AREA_WEIGHT * share + ALIVE_WEIGHT * alive


@kernel
def fill_returns(masks: Masks, counters: Counters, work: Work, values: Values) -> None:
    """Fills what each seat has got in a finished game: winners share +1, the others -1; 0 if all have won alike."""
    count_areas(masks, counters, work)
    _fill_win_shares(counters, work, values)
    num_losers = 0
    for seat in range(counters[NUM_SEATS]):
        num_losers += values[seat] == 0
    for seat in range(counters[NUM_SEATS]):
        if num_losers == 0:
            values[seat] = 0.0
        elif values[seat] == 0:
            values[seat] = -1.0 / num_losers


@kernel
def lead_after_ending(board: Board, spared: int, work: Work) -> int:
    """Commits the turn (the board is used up) and returns the mover's lead in cells over the greatest other area.

    `spared` stones still to be placed count as cells; enemies newly eliminated, and the own base lost, as BASE_VALUE.
    """
    masks, stamps, counters = board
    mover = counters[TO_MOVE]
    before = count_survivors(counters)
    commit_turn(masks, stamps, counters, work)
    lead = count_lead(masks, counters, mover, work)
    lost = counters[ELIMINATED + mover]
    gone = before - count_survivors(counters) - 2 * lost
    return int(lead + spared + BASE_VALUE * gone)
