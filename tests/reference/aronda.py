"""Aronda from the rules page alone: names, sets and dictionaries, slow and literal."""

from __future__ import annotations

import copy

from tests.reference.aronda_board import FIELDS, NEIGHBOURS, THRESHOLDS

Wave = list[tuple[str, str]]  # sign, field


class ArondaTwin:
    """One game; seats 0 and 1."""

    def __init__(self, blockade: bool = True, stop_at_majority: bool = False, starting_player: int = 0) -> None:
        self.has_blockade, self.stops_at_majority = blockade, stop_at_majority
        self.owners: dict[str, int] = {}
        self.counts: dict[tuple[str, int], int] = {}
        self.to_move, self.turn, self.stones_left = starting_player, 0, 1
        self.last_turn: set[str] = set()
        self.winners: tuple[int, ...] = ()
        self.reason: str | None = None
        self._begins = True

    def clone(self) -> ArondaTwin:
        """A game that goes on from here on its own."""
        other = copy.copy(self)
        other.owners, other.counts, other.last_turn = dict(self.owners), dict(self.counts), set(self.last_turn)
        return other

    @property
    def is_over(self) -> bool:
        return self.reason is not None

    def stones(self, field: str, seat: int) -> int:
        return self.counts.get((field, seat), 0)

    def fields_of(self, seat: int) -> int:
        return list(self.owners.values()).count(seat)

    def chain(self, seat: int) -> set[str]:
        """Fields of an uninterrupted chain leading to the outer ring."""
        mine = {f for f in FIELDS if self.owners.get(f) == seat or self.stones(f, seat) > 0}
        chain = {f for f in mine if f[0] == "o"}
        while True:
            more = {f for f in mine - chain if any(other in chain for other in NEIGHBOURS[f])}
            if not more:
                return chain
            chain |= more

    def places(self, seat: int) -> list[str]:
        """ "Any unowned field of the outer ring. An inner field must touch an uninterrupted chain.\""""
        chain = self.chain(seat)
        return [f for f in FIELDS if f not in self.owners and (f[0] == "o" or any(n in chain for n in NEIGHBOURS[f]))]

    def legal(self) -> list[str]:
        return [] if self.is_over else self.places(self.to_move)

    def place(self, field: str) -> list[Wave]:
        """Plays a stone; returns the captures, wave by wave."""
        if field not in self.legal():
            raise ValueError(field)
        if self._begins:
            self.last_turn, self._begins = set(), False  # "the next turn's first stone replaces the previous markers"
        seat = self.to_move
        self.counts[field, seat] = self.stones(field, seat) + 1
        self.last_turn.add(field)
        waves: list[Wave] = []
        if self.stones(field, seat) >= THRESHOLDS[field]:
            self.capture(field, seat)
            waves.append([("x", field)])
            while taken := [f for f in FIELDS if f not in self.owners and self.owned_around(f, seat) >= THRESHOLDS[f]]:
                for f in taken:
                    self.capture(f, seat)
                waves.append([("+", f) for f in taken])
        self.finish_stone(seat)
        return waves

    def owned_around(self, field: str, seat: int) -> int:
        return sum(self.owners.get(other) == seat for other in NEIGHBOURS[field])

    def capture(self, field: str, seat: int) -> None:
        self.owners[field] = seat
        self.last_turn.discard(field)
        for other in (0, 1):
            self.counts.pop((field, other), None)

    def finish_stone(self, seat: int) -> None:
        """The end, or whose turn it is."""
        if len(self.owners) == len(FIELDS):
            self.end("full_board")
        elif self.stops_at_majority and self.fields_of(seat) >= 13:
            self.end("majority", seat)
        elif self.has_blockade and not self.places(1 - seat):
            self.end("blockade", seat)
        elif not self.places(0) and not self.places(1):
            self.end("all_passed")
        else:
            self.stones_left -= 1
            while self.stones_left == 0 or not self.places(self.to_move):
                self.to_move, self.turn, self.stones_left = 1 - self.to_move, self.turn + 1, 2
                self._begins = True

    def end(self, reason: str, winner: int | None = None) -> None:
        most = max(self.fields_of(0), self.fields_of(1))
        self.winners = (winner,) if winner is not None else tuple(s for s in (0, 1) if self.fields_of(s) == most)
        self.reason = reason
