"""R2 and R4.1: placing, retracting, ending a turn."""

from __future__ import annotations

from ..core.bitboard import ONE, ZERO, Masks, cell_bit, clear, copy, is_empty, row_of, unite
from ..core.bits import lowest_bit
from ..core.jit import kernel
from .legality import is_placeable, is_retractable, mark_legal
from .sea_replay import Work
from .standing import (
    age_recencies,
    fill_eliminated,
    fill_recencies,
    find_end,
    mark_enemies,
    renew_own_sea,
    replay_sea,
)
from .state import (
    DOOMED,
    ELIMINATED,
    END_REASON,
    ENEMIES,
    FRESH,
    LAST_TURN,
    NO_PIECE,
    NUM_CELLS,
    NUM_COLUMNS,
    NUM_SEATS,
    OVERLAYS,
    PASSES,
    RECENCY,
    RETRACTIONS,
    RUNNING,
    STAMP,
    STONES,
    TO_MOVE,
    TURN,
    TURNS_TAKEN,
    Counters,
    Stamps,
)
from .territory import add_stone_to_now_sea, mark_now_sea, sea_field


@kernel
def is_legal(masks: Masks, counters: Counters, action: int) -> bool:
    """Returns whether an action is legal for the seat to move; False for numbers that are no action."""
    num_cells = counters[NUM_CELLS]
    if counters[END_REASON] != RUNNING or action < 0 or action > 2 * num_cells:
        return False
    if action == 2 * num_cells:  # R2.5
        return True
    is_placement = action < num_cells
    cell = action if is_placement else action - num_cells
    row = row_of(cell, counters[NUM_COLUMNS])
    column = cell - row * counters[NUM_COLUMNS]
    return is_placeable(masks, row, column) if is_placement else is_retractable(masks, row, column)


@kernel
def apply_action(masks: Masks, stamps: Stamps, counters: Counters, action: int, work: Work) -> None:
    """Plays one legal action and renews everything that follows from the board."""
    num_cells = counters[NUM_CELLS]
    if action == 2 * num_cells:
        end_turn(masks, stamps, counters, work)
    else:
        cell = action if action < num_cells else action - num_cells
        row = row_of(cell, counters[NUM_COLUMNS])
        column = cell - row * counters[NUM_COLUMNS]
        if action < num_cells:
            place(masks, stamps, counters, row, column)
        else:
            retract(masks, stamps, counters, row, column)
    mark_legal(masks, counters)


@kernel
def place(masks: Masks, stamps: Stamps, counters: Counters, row: int, column: int) -> None:
    """R2.2: puts a fresh stone on an empty cell, or an overlay on a doomed piece."""
    bit = cell_bit(column)
    if masks[ENEMIES, row] & bit != ZERO:
        masks[OVERLAYS, row] |= bit
        return
    masks[STONES + counters[TO_MOVE], row] |= bit
    masks[FRESH, row] |= bit
    cell = row * counters[NUM_COLUMNS] + column
    stamps[STAMP, cell] = counters[TURN]
    stamps[RECENCY, cell] = 0
    add_stone_to_now_sea(masks, counters, row, bit)


@kernel
def retract(masks: Masks, stamps: Stamps, counters: Counters, row: int, column: int) -> None:
    """R2.3: takes the topmost piece of a cell, an overlay if there is one."""
    bit = cell_bit(column)
    counters[RETRACTIONS] += 1
    if masks[OVERLAYS, row] & bit != ZERO:
        masks[OVERLAYS, row] ^= bit
        return
    masks[STONES + counters[TO_MOVE], row] ^= bit
    masks[FRESH, row] ^= bit
    stamps[STAMP, row * counters[NUM_COLUMNS] + column] = NO_PIECE
    if masks[sea_field(counters, counters[TO_MOVE]), row] & bit != ZERO:
        mark_now_sea(masks, counters)


@kernel
def end_turn(masks: Masks, stamps: Stamps, counters: Counters, work: Work) -> None:
    """R2.5 and R4.1: commits the turn, then hands it to the next player or ends the game."""
    mover = counters[TO_MOVE]
    if is_empty(masks, FRESH) and is_empty(masks, OVERLAYS):  # a pass, also after retractions
        counters[PASSES] += 1
    else:
        counters[PASSES] = 0
    counters[TURNS_TAKEN + mover] += 1
    commit_turn(masks, stamps, counters, work)
    counters[TURN] += 1
    counters[RETRACTIONS] = 0
    counters[END_REASON] = find_end(masks, counters)
    if counters[END_REASON] == RUNNING:
        counters[TO_MOVE] = _next_seat(counters)
        mark_enemies(masks, counters)
    mark_now_sea(masks, counters)


@kernel
def commit_turn(masks: Masks, stamps: Stamps, counters: Counters, work: Work) -> None:
    """R4.1 up to the statuses: the board, the seas and who is eliminated as they are after the turn; same mover."""
    losers = _remove_doomed(masks, stamps, counters)
    unite(masks, OVERLAYS, FRESH)
    copy(masks, FRESH, LAST_TURN)
    is_pass = 1 if is_empty(masks, LAST_TURN) else 0
    _promote_overlays(masks, stamps, counters)
    if losers == 0:
        age_recencies(stamps, counters[TURN], 1 - is_pass)
    else:
        fill_recencies(stamps, counters[TURN], work)
    renew_own_sea(masks, counters)
    for seat in range(counters[NUM_SEATS]):
        if (losers >> seat) & 1:
            replay_sea(masks, stamps, counters, seat, work)
    fill_eliminated(masks, counters)
    clear(masks, FRESH)
    clear(masks, OVERLAYS)
    clear(masks, DOOMED)
    mark_enemies(masks, counters)


@kernel
def _remove_doomed(masks: Masks, stamps: Stamps, counters: Counters) -> int:
    """Takes the doomed pieces off the board; returns a number whose bit k says that seat k lost a piece."""
    losers = 0
    for r in range(masks.shape[1]):
        doomed = masks[DOOMED, r]
        if doomed == ZERO:
            continue
        for seat in range(counters[NUM_SEATS]):
            if masks[STONES + seat, r] & doomed != ZERO:
                losers |= 1 << seat
                masks[STONES + seat, r] &= ~doomed
        while doomed != ZERO:
            stamps[STAMP, r * counters[NUM_COLUMNS] + lowest_bit(doomed)] = NO_PIECE
            doomed &= doomed - ONE
    return losers


@kernel
def _promote_overlays(masks: Masks, stamps: Stamps, counters: Counters) -> None:
    """Makes overlays ordinary stones with this turn's stamp."""
    for r in range(masks.shape[1]):
        overlays = masks[OVERLAYS, r]
        masks[STONES + counters[TO_MOVE], r] |= overlays
        while overlays != ZERO:
            stamps[STAMP, r * counters[NUM_COLUMNS] + lowest_bit(overlays)] = counters[TURN]
            overlays &= overlays - ONE


@kernel
def _next_seat(counters: Counters) -> int:
    """Returns the next seat in turn order that is not eliminated."""
    seat = counters[TO_MOVE]
    for _ in range(counters[NUM_SEATS]):
        seat = (seat + 1) % counters[NUM_SEATS]
        if counters[ELIMINATED + seat] == 0:
            break
    return seat
