"""What stands between turns: the order of stamps, the sea of every player, who is eliminated, how the game ends."""

from __future__ import annotations

from ..core.bitboard import ZERO, Masks, cell_bit, clear, copy, full_row, is_empty
from ..core.jit import kernel
from .sea_replay import STARTS, Work, mark_replayed_sea
from .state import (
    ALL_ELIMINATED,
    ALL_PASSED,
    BASES,
    ELIMINATED,
    END_ON_ALL_PASS,
    ENEMIES,
    FULL_BOARD,
    LAST_SURVIVOR,
    LAST_TURN,
    MAX_TURNS,
    NO_PIECE,
    NOW_PARTS,
    NOW_SEA,
    NUM_COLUMNS,
    NUM_SEATS,
    OVERLAYS,
    PASSES,
    RECENCY,
    RUNNING,
    SEA_PARTS,
    STAMP,
    STONES,
    TO_MOVE,
    TURN,
    TURN_LIMIT,
    UNLIMITED,
    Counters,
    Stamps,
)
from .territory import mark_now_sea, sea_field


@kernel
def mark_enemies(masks: Masks, counters: Counters) -> None:
    """Fills ENEMIES: the pieces of every seat but the mover, eliminated or not (R3)."""
    clear(masks, ENEMIES)
    for seat in range(counters[NUM_SEATS]):
        if seat != counters[TO_MOVE]:
            for r in range(masks.shape[1]):
                masks[ENEMIES, r] |= masks[STONES + seat, r]


@kernel
def age_recencies(stamps: Stamps, turn: int, has_new: int) -> None:
    """Renews RECENCY at the end of a turn that took nothing: if it has stones, every older stamp is one older."""
    if has_new == 1:
        for cell in range(stamps.shape[1]):
            is_older = stamps[STAMP, cell] != turn and stamps[STAMP, cell] != NO_PIECE
            stamps[RECENCY, cell] = stamps[RECENCY, cell] + 1 if is_older else 0


@kernel
def fill_recencies(stamps: Stamps, turn: int, work: Work) -> None:
    """Renews RECENCY at the end of turn `turn`: stamps that left the board no longer count, this turn's comes first."""
    num_cells = stamps.shape[1]
    for i in range(num_cells + 1):
        work[STARTS, i] = 0
    rank = 0
    for cell in range(num_cells):
        if stamps[STAMP, cell] == turn:
            rank = 1
        elif stamps[STAMP, cell] != NO_PIECE:
            work[STARTS, stamps[RECENCY, cell]] = 1
    for i in range(num_cells + 1):  # old recency -> new recency
        present = work[STARTS, i]
        work[STARTS, i] = rank
        rank += present
    for cell in range(num_cells):
        if stamps[STAMP, cell] == turn or stamps[STAMP, cell] == NO_PIECE:
            stamps[RECENCY, cell] = 0
        else:
            stamps[RECENCY, cell] = work[STARTS, stamps[RECENCY, cell]]


@kernel
def renew_own_sea(masks: Masks, counters: Counters) -> None:
    """Renews the mover's sea by the stones of its turn, overlays among them: those by a refinement (R4.1)."""
    mover = counters[TO_MOVE]
    sea = sea_field(counters, mover)
    if not is_empty(masks, OVERLAYS):
        mark_now_sea(masks, counters)
    copy(masks, NOW_SEA, sea)  # without overlays the provisional division is that of the turn
    counters[SEA_PARTS + mover] = counters[NOW_PARTS]


@kernel
def replay_sea(masks: Masks, stamps: Stamps, counters: Counters, seat: int, work: Work) -> None:
    """Renews a seat's sea by the whole replay of its pieces, as is needed when it has lost one (R3.3, R4.1)."""
    sea = sea_field(counters, seat)
    num_columns = counters[NUM_COLUMNS]
    counters[SEA_PARTS + seat] = mark_replayed_sea(masks, stamps, num_columns, STONES + seat, sea, work)


@kernel
def fill_eliminated(masks: Masks, counters: Counters) -> None:
    """Writes who is eliminated (R4.2)."""
    for seat in range(counters[NUM_SEATS]):
        counters[ELIMINATED + seat] = 1 if _is_base_walled_in(masks, counters, seat) else 0


@kernel
def _is_base_walled_in(masks: Masks, counters: Counters, seat: int) -> bool:
    """Returns whether a seat's home base lies in another player's territory, eliminated or not (R4.2)."""
    for other in range(counters[NUM_SEATS]):
        sea = sea_field(counters, other)
        for r in range(masks.shape[1]):
            base = masks[BASES, r] & masks[STONES + seat, r]
            if other != seat and base & ~masks[sea, r] != ZERO:
                return True
    return False


@kernel
def count_survivors(counters: Counters) -> int:
    """Returns the number of seats that are not eliminated."""
    survivors = 0
    for seat in range(counters[NUM_SEATS]):
        survivors += 1 - counters[ELIMINATED + seat]
    return survivors


@kernel
def is_board_full(masks: Masks, counters: Counters) -> bool:
    """Returns whether the board has no empty cell."""
    board = full_row(counters[NUM_COLUMNS])
    for r in range(masks.shape[1]):
        if masks[ENEMIES, r] | masks[STONES + counters[TO_MOVE], r] != board:
            return False
    return True


@kernel
def find_end(masks: Masks, counters: Counters) -> int:
    """Returns the code of the first test of R4.3 that holds between two turns, RUNNING if none does."""
    survivors = count_survivors(counters)
    if survivors == 1:
        return LAST_SURVIVOR
    if survivors == 0:
        return ALL_ELIMINATED
    if is_board_full(masks, counters):
        return FULL_BOARD
    if counters[END_ON_ALL_PASS] and counters[PASSES] >= survivors:
        return ALL_PASSED
    if counters[MAX_TURNS] != UNLIMITED and counters[TURN] >= counters[MAX_TURNS]:
        return TURN_LIMIT
    return RUNNING


@kernel
def mark_last_turn(masks: Masks, stamps: Stamps, counters: Counters) -> None:
    """Fills LAST_TURN from the stamps: stones, never bases, of the previous turn that are still there."""
    for r in range(masks.shape[1]):
        masks[LAST_TURN, r] = ZERO
        for c in range(counters[NUM_COLUMNS]):
            if stamps[STAMP, r * counters[NUM_COLUMNS] + c] == counters[TURN] - 1:
                masks[LAST_TURN, r] |= cell_bit(c)
        masks[LAST_TURN, r] &= ~masks[BASES, r]
