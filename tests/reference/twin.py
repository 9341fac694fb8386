"""The slow literal twin of the rules: R2 (a turn) and R4.1 (its end) over plain sets and dictionaries.

It was written from the rule text alone. Nothing is kept that could be derived: doomed pieces, territory,
budget, statuses and legality are computed anew each time they are asked for.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.reference import events, planes, positions, scoring
from tests.reference.captures import Captures
from tests.reference.pieces import PRE_GAME_TURN, Board, Cell, Piece, chebyshev
from tests.reference.rules import (
    BUDGET,
    GAME_OVER,
    NO_ACTION,
    NO_PLACEMENT_LEFT,
    NO_RETRACTION_LEFT,
    NOT_FRESH,
    OCCUPIED,
    OPENING,
    ORPHANED_OVERLAY,
    TwinRules,
)
from tests.reference.scoring import TwinOutcome
from tests.reference.sea import sea_of, territory_of


class Twin:
    """One game; `board`, `to_move`, `turn`, `turns_taken`, `passes`, `retractions` are all there is."""

    def __init__(self, rows: int, cols: int, bases: list[Cell], *, rules: TwinRules, starting_player: int = 0) -> None:
        self.board = Board(rows, cols)
        for seat, cell in enumerate(bases):
            self.board.lower[cell] = Piece(cell, seat, PRE_GAME_TURN, is_base=True)
        self.num_seats = len(bases)
        self.rules = rules
        self.to_move = starting_player
        self.turn = 0
        self.turns_taken = [0] * len(bases)
        self.passes = 0
        self.retractions = 0
        self.outcome: TwinOutcome | None = None
        self.events: Counter[str] = Counter()  # what has happened in this game, named in `events.py`

    @classmethod
    def from_position(cls, position: dict[str, Any]) -> Twin:
        return positions.read_position(cls, position)

    def to_position(self) -> dict[str, Any]:
        return positions.write_position(self)

    def clone(self) -> Twin:
        twin = Twin.__new__(Twin)
        twin.__dict__.update(self.__dict__)
        twin.board = self.board.copy()
        twin.turns_taken = list(self.turns_taken)
        twin.events = Counter(self.events)
        return twin

    @property
    def pieces(self) -> list[Piece]:
        return self.board.pieces()

    @property
    def is_over(self) -> bool:
        return self.outcome is not None

    @property
    def num_cells(self) -> int:
        return self.board.rows * self.board.cols

    # What is derived from the provisional board

    def captures(self) -> Captures:
        return Captures(self.board, self.to_move, self.turn)

    def doomed_by(self) -> dict[str, set[Cell]]:
        """R3: the victims of each test before home bases are dropped; a capture switched off has none."""
        captures = self.captures()
        cut = captures.by_cut()
        return {
            "ring_orthogonal": captures.by_ring_orthogonal() if self.rules.ring_orthogonal else set(),
            "ring_diagonal": captures.by_ring_diagonal() if self.rules.ring_diagonal else set(),
            "joint": cut["joint"] if self.rules.cuts else set(),
            "pierce": cut["pierce"] if self.rules.cuts else set(),
            "territory": captures.by_territory() if self.rules.territory else set(),
        }

    def doomed(self) -> set[Cell]:
        """R3: the union of the three tests, minus home bases."""
        return self._without_bases(set().union(*self.doomed_by().values()))

    def bonus(self) -> int:
        """R2.1: distinct non-base enemy pieces now doomed by cuts, whatever else dooms them too."""
        if not self.rules.cuts:
            return 0
        cut = self.captures().by_cut()
        bonus = len(self._without_bases(cut["joint"] | cut["pierce"]))
        return bonus if self.rules.bonus_cap is None else min(bonus, self.rules.bonus_cap)

    def remaining(self) -> int:
        """R2.1."""
        return self.rules.budget(self.turn) + self.bonus() - len(self.board.stones_of_turn(self.turn))

    def sea(self, seat: int) -> frozenset[Cell]:
        return sea_of(self.board, seat).sea

    def territory(self, seat: int) -> set[Cell]:
        return territory_of(self.board, seat)

    def standing(self) -> set[Cell]:
        """R3.3: the mover's territory by the replay of stamps below the current turn."""
        return territory_of(self.board.before_turn(self.turn), self.to_move)

    def areas(self) -> list[int]:
        return scoring.areas(self.board, self.num_seats)

    def eliminated(self) -> list[bool]:
        """R4.2: within a turn a player's status is the one at the end of the previous turn."""
        return scoring.eliminated(self.board.before_turn(self.turn), self.num_seats)

    def returns(self) -> list[float]:
        return scoring.returns(self.outcome, self.rules, self.num_seats)

    def planes(self, seat: int) -> dict[str, list[list[int]]]:
        return planes.planes_of(self, seat)

    def _without_bases(self, cells: set[Cell]) -> set[Cell]:
        return {cell for cell in cells if not self.board.lower[cell].is_base}

    # Legality

    def legal_actions(self) -> set[int]:
        return {action for action, refused in self.all_refusals().items() if not refused}

    def all_refusals(self) -> dict[int, list[str]]:
        now = self.doomed(), self.remaining()
        return {action: self.refusals(action, now) for action in range(2 * self.num_cells + 1)}

    def refusals(self, action: int, now: tuple[set[Cell], int] | None = None) -> list[str]:
        """Why an action is illegal; empty where it is legal. `now`: what is doomed, and the budget, if known."""
        if not 0 <= action <= 2 * self.num_cells:
            return [NO_ACTION]
        if self.is_over:
            return [GAME_OVER]
        if action == 2 * self.num_cells:
            return []  # R2.5: ending the turn is always legal
        if action < self.num_cells:
            doomed, remaining = now or (self.doomed(), self.remaining())
            return self._refusals_of_placing(self.cell_of(action), doomed, remaining)
        return self._refusals_of_retracting(self.cell_of(action))

    def cell_of(self, action: int) -> Cell:
        """The cell of a place action, or of a retract action, which are counted on from the former."""
        r, c = divmod(action % self.num_cells, self.board.cols)
        return (r, c)

    def _refusals_of_placing(self, cell: Cell, doomed: set[Cell], remaining: int) -> list[str]:
        if remaining <= 0:
            return [NO_PLACEMENT_LEFT]
        if self._is_closed_in_opening(cell):
            return [OPENING]
        if cell in self.board.overlays or (self.board.piece_at(cell) and cell not in doomed):
            return [OCCUPIED]
        tried = self.clone()
        tried._place(cell)
        return tried.broken_invariants()

    def _refusals_of_retracting(self, cell: Cell) -> list[str]:
        topmost = self.board.overlays.get(cell) or self.board.piece_at(cell)
        if topmost is None or topmost.seat != self.to_move or topmost.stamp != self.turn or topmost.is_base:
            return [NOT_FRESH]
        cap = self.rules.max_retractions_per_turn
        if cap is not None and self.retractions >= cap:
            return [NO_RETRACTION_LEFT]
        tried = self.clone()
        tried._retract(cell)
        return tried.broken_invariants()

    def _is_closed_in_opening(self, cell: Cell) -> bool:
        """R2.7: one of the 8 neighbours of another player's home base, in a player's own first turn."""
        if self.rules.opening_rule == "none" or self.turns_taken[self.to_move] > 0:
            return False
        others = [seat for seat in range(self.num_seats) if seat != self.to_move]
        return any(chebyshev(cell, self.board.base_of(seat)) == 1 for seat in others)

    def broken_invariants(self) -> list[str]:
        """R2.4: the budget is not overdrawn, and every overlay lies on a piece that is still doomed."""
        broken = [] if self.remaining() >= 0 else [BUDGET]
        if self.board.overlays and not set(self.board.overlays) <= self.doomed():
            broken.append(ORPHANED_OVERLAY)
        return broken

    # Actions

    def apply(self, action: int) -> None:
        """Plays one action; raises ValueError and changes nothing if it is illegal."""
        refused = self.refusals(action)
        if refused:
            raise ValueError(f"action={action!r} is illegal: {'; '.join(refused)}")
        if action == 2 * self.num_cells:
            before = self.clone()
            self._end_turn()
            self.events += events.of_turn_end(before, self)
            return
        cell = self.cell_of(action)
        is_overlay = bool(self.board.overlays.get(cell) or self.board.piece_at(cell))
        if action < self.num_cells:
            self._place(cell)
            self.events[events.OVERLAY] += is_overlay
        else:
            self.events[events.OVERLAY_RETRACTED] += cell in self.board.overlays
            self._retract(cell)

    def _place(self, cell: Cell) -> None:
        """R2.2: on an empty cell, or as an overlay on the piece that is there."""
        layer = self.board.overlays if self.board.piece_at(cell) else self.board.lower
        layer[cell] = Piece(cell, self.to_move, self.turn)

    def _retract(self, cell: Cell) -> None:
        """R2.3: takes the topmost piece of the cell."""
        layer = self.board.overlays if cell in self.board.overlays else self.board.lower
        del layer[cell]
        self.retractions += 1

    def _end_turn(self) -> None:
        """R4.1, in its order."""
        has_stones = bool(self.board.stones_of_turn(self.turn))
        for cell in self.doomed():
            del self.board.lower[cell]
        self.board.lower.update(self.board.overlays)
        self.board.overlays = {}
        self.passes = 0 if has_stones else self.passes + 1  # R2.5
        self.turns_taken[self.to_move] += 1
        self.retractions = 0
        self.turn += 1
        self.outcome = scoring.judge(self)
        if self.outcome is None:
            self.to_move = self._next_seat()

    def _next_seat(self) -> int:
        """R4.1: the next player not eliminated."""
        out = self.eliminated()
        in_order = [(self.to_move + k) % self.num_seats for k in range(1, self.num_seats + 1)]
        return next(seat for seat in in_order if not out[seat])
