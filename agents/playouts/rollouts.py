"""Playing on from a position with a fast policy, up to a turn, and judging what has come out.

The policy: for each stone a few placements are drawn, and the one after which ending the turn would leave the greatest
lead is played; a turn ends when its budget is spent.
"""

from __future__ import annotations

from agents.playouts.keys import draw_cell
from agents.playouts.values import lead_after_ending
from agents.search.chance import Chance
from agents.trials import Board, copy_board
from bitblossom_env.bitblossom.doomed import mark_doomed
from bitblossom_env.bitblossom.legality import mark_legal
from bitblossom_env.bitblossom.sea_replay import Work
from bitblossom_env.bitblossom.state import (
    END_REASON,
    NUM_COLUMNS,
    PLACEABLE,
    REMAINING,
    RUNNING,
    TURN,
)
from bitblossom_env.bitblossom.turn import end_turn, place
from bitblossom_env.core.bitboard import count_cells, row_of
from bitblossom_env.core.jit import kernel


@kernel
def put_stone(board: Board, cell: int) -> None:
    """Places on a cell; legality is not renewed."""
    masks, stamps, counters = board
    row = row_of(cell, counters[NUM_COLUMNS])
    place(masks, stamps, counters, row, cell - row * counters[NUM_COLUMNS])


@kernel
def lead_with(board: Board, cell: int, trial: Board, work: Work) -> int:
    """Returns the mover's lead if it placed on a cell and then ended the turn, spared stones counted."""
    copy_board(board, trial)
    put_stone(trial, cell)
    mark_doomed(trial[0], trial[2])
    return lead_after_ending(trial, trial[2][REMAINING], work)


@kernel
def _choose_cell(board: Board, trial: Board, num_tries: int, work: Work, chance: Chance) -> int:
    """Returns the best of a few cells drawn from those where the mover may place, -1 if there is none."""
    num_cells = count_cells(board[0], PLACEABLE)
    if num_cells == 0:
        return -1
    chosen = draw_cell(board[0], board[2], PLACEABLE, num_cells, chance)
    if num_tries <= 1:
        return chosen
    best = lead_with(board, chosen, trial, work)
    for _ in range(1, num_tries):
        cell = draw_cell(board[0], board[2], PLACEABLE, num_cells, chance)
        lead = lead_with(board, cell, trial, work)
        if lead > best:
            chosen, best = cell, lead
    return chosen


@kernel
def play_on(board: Board, trial: Board, limits: tuple[int, int, int], work: Work, chance: Chance) -> None:
    """Plays until the turn `limits[0]` begins or the game is over.

    Before the turn `limits[1]` there are `limits[2]` tries for each stone, later one: any placement is as likely.
    """
    masks, stamps, counters = board
    last_turn, careful_turn, num_tries = limits
    while counters[END_REASON] == RUNNING and counters[TURN] < last_turn:
        cell = _choose_cell(board, trial, num_tries if counters[TURN] < careful_turn else 1, work, chance)
        if cell >= 0:
            put_stone(board, cell)
        else:
            end_turn(masks, stamps, counters, work)
        mark_legal(masks, counters)
