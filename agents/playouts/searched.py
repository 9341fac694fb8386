"""Bit Blossom as a search sees it."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from agents.playouts import priors, rollouts, values
from agents.playouts.keys import key_of
from agents.playouts.priors import NUM_CAREFUL, NUM_TRIES, NUM_TURNS, SETTINGS, Desk
from agents.search.gumbel.descent import make_descend
from agents.search.mcts import MctsAgent
from agents.search.rules import Kernels, Priors, Room
from agents.search.search import Limits
from agents.search.tree import make_simulate
from agents.sieges.survey import new_survey
from agents.trials import BASE_VALUE, Board, as_bit_blossom, copy_board
from bitblossom_env.bitblossom.game import BitBlossomGame
from bitblossom_env.bitblossom.legality import mark_legal
from bitblossom_env.bitblossom.observation import fill_planes, write_set_exactly
from bitblossom_env.bitblossom.sea_replay import NUM_WORK
from bitblossom_env.bitblossom.state import (
    END_REASON,
    MAX_RETRACTIONS,
    NUM_CELLS,
    NUM_COLUMNS,
    NUM_SEATS,
    PLACEABLE,
    PLACEMENTS,
    RUNNING,
    TO_MOVE,
    TURN,
)
from bitblossom_env.bitblossom.turn import end_turn
from bitblossom_env.core.game import Game
from bitblossom_env.core.jit import kernel

FEAR = (0.0, float(BASE_VALUE), 0.0, 0.0)  # only walls that the next turn can finish are feared
BlossomRoom: TypeAlias = "Room[Board, Desk]"


@kernel
def mover_of(board: Board) -> int:
    """Returns the seat to move."""
    return int(board[2][TO_MOVE])


@kernel
def is_over(board: Board) -> bool:
    """Returns whether the game has ended."""
    return bool(board[2][END_REASON] != RUNNING)


@kernel
def fill_priors(room: BlossomRoom, out: Priors) -> None:
    """Fills the priors of the actions at the board of a room."""
    priors.fill_priors(room.board, room.desk, out)


@kernel
def play(room: BlossomRoom, action: int) -> None:
    """Places on a cell, or ends the turn, the last action."""
    masks, stamps, counters = room.board
    if action == room.desk.leads.shape[0] - 1:
        end_turn(masks, stamps, counters, room.desk.work)
    else:
        rollouts.put_stone(room.board, action)
    mark_legal(masks, counters)


@kernel
def _limits(room: BlossomRoom) -> tuple[int, int, int]:
    """Returns the limits of a rollout: whole rounds after the root's turn, and after the new node's."""
    settings = room.desk.settings
    now = room.board[2][TURN]
    turn = room.root[2][TURN] + int(settings[NUM_TURNS])
    if turn <= now:
        turn = now + room.board[2][NUM_SEATS]
    return int(turn), int(now + settings[NUM_CAREFUL]), int(settings[NUM_TRIES])


@kernel
def look(room: BlossomRoom, planes: NDArray[np.uint8], legal: NDArray[np.int8]) -> None:
    """Fills what the mover at the board of a room sees, and where it may place; it may always end its turn."""
    masks, stamps, counters = room.board
    fill_planes(masks, stamps, counters, counters[TO_MOVE], room.desk.work, planes)
    write_set_exactly(masks, PLACEABLE, counters[NUM_COLUMNS], 0, legal)
    legal[counters[NUM_CELLS]] = 1


@kernel
def fill_returns(room: BlossomRoom) -> None:
    """Fills what each seat has got at the board of a room, which is over."""
    values.fill_returns(room.board[0], room.board[2], room.desk.work, room.values)


@kernel
def play_out(room: BlossomRoom) -> None:
    """Plays on from the board of a room and fills its values."""
    desk = room.desk
    rollouts.play_on(room.board, desk.trial, _limits(room), desk.work, desk.chance)
    values.fill_values(room.board[0], room.board[2], desk.work, room.values)


class SearchedBitBlossom:
    """Placements on each cell, then the end of the turn; nothing is ever taken back."""

    kernels = Kernels(copy_board, key_of, mover_of, is_over, fill_priors, play, look, fill_returns, play_out)
    simulate = staticmethod(make_simulate("bitblossom", kernels))
    descend = staticmethod(make_descend("bitblossom", kernels))

    def check(self, game: Game, agent: str) -> None:
        """Raises `ValueError` in one line for another game."""
        as_bit_blossom(game, agent)

    def turn_start(self, game: Game) -> BitBlossomGame:
        """Returns the game as it was when the turn of the seat to move began."""
        board = _own(game)
        position = board.to_position()
        stones = [piece for piece in position["pieces"] if piece[3] < board.turn]
        return board.setup.game_from_position({**position, "pieces": stones, "retractions": 0})

    def only_action(self, game: Game) -> int | None:
        """Returns the end of the turn where nothing can be placed."""
        setup = _own(game).setup
        return None if game.legal_mask()[: setup.num_cells].any() else setup.end_turn

    def num_actions(self, game: Game) -> int:
        """Returns N + 1."""
        return _own(game).setup.num_cells + 1

    def game_action(self, game: Game, action: int) -> int:
        """Returns the cell, or the game's number of ending the turn."""
        setup = _own(game).setup
        return action if action < setup.num_cells else setup.end_turn

    def new_board(self, game: Game) -> Board:
        """Returns fresh arrays of the position."""
        state = _own(game).get_state()
        state.counters[0, MAX_RETRACTIONS] = 0  # nothing is spent on finding what could be taken back
        return state.masks[0], state.stamps[0], state.counters[0]

    def new_desk(self, game: Game, seed: int) -> Desk:
        """Returns room for the kernels."""
        board, setup = self.new_board(game), _own(game).setup
        return Desk(
            trial=board,
            leads=np.empty(setup.num_cells + 1),
            survey=new_survey(game.num_seats, setup.board_shape, int(board[2][PLACEMENTS])),
            weights=np.array(FEAR),
            shares=np.zeros(game.num_seats),
            terms=np.empty((2, setup.num_cells + 1)),
            work=np.zeros((NUM_WORK, setup.num_cells + 2), np.int32),
            chance=np.array([seed], np.uint64),
            settings=np.array(SETTINGS),
        )


def _own(game: Game) -> BitBlossomGame:
    return as_bit_blossom(game, "mcts")


def make_agent(name: str, limits: Limits) -> MctsAgent:
    """Returns the agent that searches this game."""
    return MctsAgent(name, limits, SearchedBitBlossom())
