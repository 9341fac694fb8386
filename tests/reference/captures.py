"""R3.1, R3.2 and the union of R3: what would be captured if the turn ended now."""

from __future__ import annotations

from dataclasses import dataclass

from tests.reference.pieces import DIAGONAL, EIGHT, ORTHOGONAL, Board, Cell, Piece, step
from tests.reference.sea import territory_of


@dataclass(frozen=True)
class Captures:
    """One provisional board, seen by the active player's three tests."""

    board: Board
    mover: int
    turn: int

    def is_own(self, cell: Cell) -> bool:
        piece = self.board.piece_at(cell)
        return piece is not None and piece.seat == self.mover

    def is_fresh(self, cell: Cell) -> bool:
        """R1: owned by the active player, placed in the current turn, not a home base."""
        piece = self.board.piece_at(cell)
        if piece is None or piece.is_base:
            return False
        return piece.seat == self.mover and piece.stamp == self.turn

    def enemy_at(self, cell: Cell) -> Piece | None:
        """R3: a piece of any other seat, eliminated or not."""
        piece = self.board.piece_at(cell)
        return piece if piece is not None and piece.seat != self.mover else None

    def enemies(self) -> list[Cell]:
        return [cell for cell in self.board.lower if self.enemy_at(cell)]

    def by_ring(self, pattern: tuple[Cell, ...]) -> set[Cell]:
        """R3.1: all four neighbours of one pattern are the active player's, at least one of them fresh."""
        victims = set()
        for cell in self.enemies():
            ring = [step(cell, direction) for direction in pattern]
            if all(self.is_own(member) for member in ring) and any(self.is_fresh(member) for member in ring):
                victims.add(cell)
        return victims

    def link(self, source: Cell, direction: Cell) -> tuple[str, Cell] | None:
        """R3.2: the kind and the target of the link from a fresh stone along a direction, if there is one."""
        near, far = step(source, direction), step(source, direction, 2)
        if self.is_fresh(near):
            return "joint", near
        if self.enemy_at(near) and self.is_fresh(far):
            return "pierce", far
        return None

    def link_victims(self, source: Cell, direction: Cell, kind: str) -> set[Cell]:
        """R3.2: what one link of a cut captures."""
        if kind == "joint":
            return self._joint_victims(source, direction)
        victim_cell = step(source, direction)
        victim = self.enemy_at(victim_cell)
        assert victim is not None
        around = [self.board.piece_at(step(victim_cell, towards)) for towards in EIGHT]
        has_company = any(piece is not None and piece.seat == victim.seat for piece in around)
        return {victim_cell} if has_company else set()

    def _joint_victims(self, source: Cell, direction: Cell) -> set[Cell]:
        """R3.2: the other two corners of the unit square, if both hold pieces of one same enemy."""
        if direction in ORTHOGONAL:
            return set()
        corners = [step(source, (direction[0], 0)), step(source, (0, direction[1]))]
        first, second = (self.enemy_at(corner) for corner in corners)
        if first is not None and second is not None and first.seat == second.seat:
            return set(corners)
        return set()

    def by_cut(self) -> dict[str, set[Cell]]:
        """R3.2: the victims of every cut, by the kind of the link that captures them."""
        victims: dict[str, set[Cell]] = {"joint": set(), "pierce": set()}
        for source in [cell for cell in self.board.lower if self.is_fresh(cell)]:
            for direction in EIGHT:
                first = self.link(source, direction)
                second = self.link(first[1], direction) if first else None
                if not first or not second:
                    continue
                victims[first[0]] |= self.link_victims(source, direction, first[0])
                victims[second[0]] |= self.link_victims(first[1], direction, second[0])
        return victims

    def by_territory(self) -> set[Cell]:
        """R3.3: the cell is territory of the active player now, and was not at the start of the turn."""
        now = territory_of(self.board, self.mover)
        standing = territory_of(self.board.before_turn(self.turn), self.mover)
        return {cell for cell in self.enemies() if cell in now and cell not in standing}

    def by_ring_orthogonal(self) -> set[Cell]:
        return self.by_ring(ORTHOGONAL)

    def by_ring_diagonal(self) -> set[Cell]:
        return self.by_ring(DIAGONAL)
