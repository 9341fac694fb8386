"""`cutter`: carries out chains of cuts and rings that pay for themselves, see `cuts/chains.py`.

While the stones of this turn begin a chain that was best at the start of the turn, `cutter` goes on with it. Else it
begins the best chain from where it is, if one pays, equals by chance. Else it plays as `greedy` does, but never a stone
that releases a doomed piece.

Dimension letter: N cells.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from agents.base import Agent, announcement, check_bare
from agents.cuts.chains import best_chains, place_without_release
from agents.trials import ILLEGAL, as_bit_blossom, choose_best, copy_game, placement_values
from bitblossom_env.bitblossom.game import BitBlossomGame
from bitblossom_env.bitblossom.kernels import Arrays
from bitblossom_env.bitblossom.legality import mark_legal
from bitblossom_env.bitblossom.state import (
    DOOMED,
    FRESH,
    NO_PIECE,
    OVERLAYS,
    STAMP,
    STONES,
    TO_MOVE,
    TURN,
    Counters,
    Masks,
    Stamps,
)
from bitblossom_env.bitblossom.territory import mark_now_sea
from bitblossom_env.core.bitboard import clear, is_empty
from bitblossom_env.core.game import Game
from bitblossom_env.core.jit import kernel

MAX_KNOWN = 1024  # positions


@kernel
def take_back_turn(masks: Masks, stamps: Stamps, counters: Counters) -> None:
    """Turns a position without overlays into the one at the start of the turn, retractions left as they are."""
    for cell in range(stamps.shape[1]):
        if stamps[STAMP, cell] == counters[TURN]:
            stamps[STAMP, cell] = NO_PIECE
    for r in range(masks.shape[1]):
        masks[STONES + counters[TO_MOVE], r] &= ~masks[FRESH, r]
    clear(masks, FRESH)
    mark_now_sea(masks, counters)
    mark_legal(masks, counters)


@kernel
def forbid_releases(game: Arrays, trial: Arrays, doomed: NDArray[np.uint64], values: NDArray[np.int64]) -> None:
    """Sets int64 [N + 1] to ILLEGAL on the cells where a stone would release a doomed piece.

    `trial` is room to try a stone in, `doomed` [rows] room as well.
    """
    if is_empty(game[0][0], DOOMED):
        return
    for cell in range(values.shape[0] - 1):
        if values[cell] != ILLEGAL:
            copy_game(game, 0, trial, 0)
            if not place_without_release(trial[0][0], trial[1][0], trial[2][0], cell, doomed):
                values[cell] = ILLEGAL


def start_of_turn(game: BitBlossomGame) -> BitBlossomGame:
    """Returns a copy of a game without overlays as it was when the turn began."""
    state = game.get_state()
    take_back_turn(state.masks[0], state.stamps[0], state.counters[0])
    start = game.clone()
    start.set_state(state)
    return start


def choose_without_release(game: BitBlossomGame, rng: np.random.Generator) -> int:
    """Returns what `greedy` would choose if no stone were allowed that releases a doomed piece."""
    values = placement_values(game)
    state, trial = game.get_state(), game.get_state()
    forbid_releases(
        (state.masks, state.stamps, state.counters),
        (trial.masks, trial.stamps, trial.counters),
        np.zeros(state.masks.shape[2], np.uint64),
        values,
    )
    return choose_best(values[:-1], values[-1], game.setup.end_turn, rng)


@dataclass(frozen=True)
class CutterAgent:
    """Captures by chains that pay, else plays like `greedy`."""

    name: str = "cutter"
    # By `hash()` of the position: no search is made twice, and what it finds would be the same.
    _known: dict[int, list[list[int]]] = field(default_factory=dict, repr=False, compare=False)

    def act(self, game: Game, seat: int, rng: np.random.Generator) -> int:  # noqa: ARG002 - the position is the mover's
        """Returns a legal placement or the end of the turn."""
        board = as_bit_blossom(game, self.name)
        if board.remaining <= 0:
            return board.setup.end_turn
        chain = self._chosen_chain(board, rng)
        return chain[0] if chain else choose_without_release(board, rng)

    def explain(self, game: Game, seat: int, rng: np.random.Generator) -> str:
        """Returns what `act` would play, and the chain that it carries out."""
        board = as_bit_blossom(game, self.name)
        said = announcement(self.name, board.describe_action(self.act(game, seat, copy.deepcopy(rng))))
        if board.remaining <= 0:
            return f"{said}\nNo placement is left."
        chain = self._chosen_chain(board, copy.deepcopy(rng))
        if not chain:
            return f"{said}\nNo chain of captures pays: it plays as greedy would."
        end = board.clone()
        for cell in chain:
            end.apply(cell)
        taken = sorted(doomed_cells(end) - doomed_cells(board))
        stones, pieces = (" ".join(map(board.describe_action, cells)) for cells in (chain, taken))
        costs = f"{len(chain)} stones, {end.bonus - board.bonus} of them given back"
        return f"{said}\nThe chain {stones} takes {pieces or 'nothing more'}; {costs}."

    def _chosen_chain(self, game: BitBlossomGame, rng: np.random.Generator) -> list[int]:
        """Returns the cells still to be placed on of the chain to follow, equals drawn by `rng`; empty if none pays."""
        chains = self._chains_begun(game) or self._best_chains(game)
        return chains[int(rng.integers(len(chains)))] if chains else []

    def _chains_begun(self, game: BitBlossomGame) -> list[list[int]]:
        """Returns what is left of the chains, best at the start of the turn, that the stones of this turn begin."""
        state = game.get_state()
        placed = set(np.flatnonzero(state.stamps[0, STAMP] == game.turn).tolist())
        if not placed or state.masks[0, OVERLAYS].any():  # no chain has overlays
            return []
        count = len(placed)
        chains = self._best_chains(start_of_turn(game))
        return [cells[count:] for cells in chains if len(cells) > count and set(cells[:count]) == placed]

    def _best_chains(self, game: BitBlossomGame) -> list[list[int]]:
        position = game.hash()
        if position not in self._known:
            if len(self._known) == MAX_KNOWN:
                self._known.clear()
            self._known[position] = best_chains(game)
        return self._known[position]


def doomed_cells(game: BitBlossomGame) -> set[int]:
    """Returns the cells of the pieces that the end of the turn would remove."""
    cols = game.setup.config.cols
    rows = game.get_state().masks[0, DOOMED].tolist()
    return {r * cols + c for r, row in enumerate(rows) for c in range(cols) if row >> c & 1}


def make(argument: str, options: Mapping[str, str]) -> Agent:
    """Returns the agent; it has neither argument nor options."""
    check_bare("cutter", argument, options)
    return CutterAgent()
