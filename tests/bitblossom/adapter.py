"""Plays drawn positions on the engine or on the twin, by cell names, through one face."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import bitblossom_env  # noqa: F401  (registers the games)
from bitblossom_env.core.diagram import cell_name, parse_cell, parse_diagram
from bitblossom_env.core.game import make_setup
from tests.lockstep import arguments_of
from tests.reference.twin import Twin

Position = dict[str, Any]
Planes = dict[str, list[list[int]]]
END = "end"


@dataclass(frozen=True)
class End:
    """How a game ended, in the same plain types on both sides."""

    reason: str
    winners: tuple[int, ...]
    areas: tuple[int, ...]
    ranks: tuple[float, ...]
    owner: list[list[int]]
    truncated: bool


class Side(Protocol):
    """What the engine and the twin are asked for."""

    def legal(self) -> set[int]: ...
    def apply(self, action: int) -> None:
        """Plays an action; raises a ValueError if it is illegal."""

    def planes(self, seat: int) -> Planes: ...
    def position(self) -> Position: ...
    def end(self) -> End | None: ...
    def returns(self) -> list[float]: ...


class TwinSide:
    def __init__(self, position: Position) -> None:
        self.twin = Twin.from_position(position)

    def legal(self) -> set[int]:
        return self.twin.legal_actions()

    def apply(self, action: int) -> None:
        self.twin.apply(action)

    def planes(self, seat: int) -> Planes:
        return self.twin.planes(seat)

    def position(self) -> Position:
        return self.twin.to_position()

    def end(self) -> End | None:
        outcome = self.twin.outcome
        if outcome is None:
            return None
        return End(**vars(outcome) | {"owner": [list(row) for row in outcome.owner]})

    def returns(self) -> list[float]:
        return self.twin.returns()


class EngineSide:
    def __init__(self, position: Position) -> None:
        setup = make_setup("bitblossom", arguments_of(position))
        self.names = setup.plane_names
        self.game = setup.game_from_position(position)

    def legal(self) -> set[int]:
        return {action for action, allowed in enumerate(self.game.legal_mask().tolist()) if allowed}

    def apply(self, action: int) -> None:
        self.game.apply(action)

    def planes(self, seat: int) -> Planes:
        return dict(zip(self.names, self.game.observe(seat).tolist(), strict=True))

    def position(self) -> Position:
        return self.game.to_position()

    def end(self) -> End | None:
        outcome = self.game.outcome
        if outcome is None:
            return None
        return End(**vars(outcome) | {"reason": outcome.reason.value, "owner": outcome.owner.tolist()})

    def returns(self) -> list[float]:
        return self.game.returns().tolist()


SIDES: dict[str, type[Side]] = {"twin": TwinSide, "engine": EngineSide}


class Drawn:
    """A drawn position being played."""

    def __init__(self, side: type[Side], text: str, **fields: Any) -> None:
        position = parse_diagram(text, **fields)
        self.rows, self.cols, self.num_seats = position["rows"], position["cols"], position["players"]
        self.side = side(position)

    def play(self, actions: str) -> Drawn:
        """Plays actions in turn: `c4` places, `-c4` retracts, `end` ends the turn."""
        for name in actions.split():
            self.side.apply(self.action(name))
        return self

    def action(self, name: str) -> int:
        num_cells = self.rows * self.cols
        if name == END:
            return 2 * num_cells
        r, c = parse_cell(name.removeprefix("-"))
        return (num_cells if name.startswith("-") else 0) + r * self.cols + c

    def accepts(self, name: str) -> bool:
        return self.action(name) in self.side.legal()

    def placeable(self) -> set[str]:
        """Cells where a stone may be placed."""
        num_cells = self.rows * self.cols
        return {self._name(action) for action in self.side.legal() if action < num_cells}

    def retractable(self) -> set[str]:
        num_cells = self.rows * self.cols
        return {self._name(action - num_cells) for action in self.side.legal() if num_cells <= action < 2 * num_cells}

    def marked(self, plane: str, seat: int = 0) -> set[str]:
        """Cells that are not zero in a plane seen by `seat`."""
        rows = self.side.planes(seat)[plane]
        return {cell_name(r, c) for r, row in enumerate(rows) for c, value in enumerate(row) if value}

    def number(self, plane: str, seat: int = 0) -> int:
        """The value of a constant plane seen by `seat`."""
        values = {value for row in self.side.planes(seat)[plane] for value in row}
        assert len(values) == 1, f"plane {plane} is not constant"
        return values.pop()

    def doomed(self) -> set[str]:
        return set().union(*(self.marked(f"doomed/{k}") for k in range(self.num_seats)))

    def territory(self, seat: int) -> set[str]:
        return self.marked("territory/0", seat)

    def standing(self) -> set[str]:
        return self.marked("standing")

    def stones(self, seat: int) -> set[str]:
        """Cells where a piece of the seat is seen, bases included."""
        return self.marked("stones/0", seat)

    def remaining(self) -> int:
        return self.number("remaining")

    def areas(self) -> list[int]:
        """The area of each seat, read back from a plane that is exact on boards of at most 255 cells."""
        num_cells = self.rows * self.cols
        exact = {255 * area // num_cells: area for area in range(num_cells + 1)}
        return [exact[self.number(f"area/{seat}")] for seat in range(self.num_seats)]

    def eliminated(self) -> list[int]:
        """Seats that are eliminated."""
        return [seat for seat in range(self.num_seats) if self.number(f"eliminated/{seat}")]

    def to_move(self) -> int:
        return self.side.position()["to_move"]

    def turn(self) -> int:
        return self.side.position()["turn"]

    def passes(self) -> int:
        return self.side.position()["passes"]

    def end(self) -> End | None:
        return self.side.end()

    def _name(self, index: int) -> str:
        return cell_name(*divmod(index, self.cols))


def cells(text: str) -> set[str]:
    """A set of cell names written as words; `a1-c2` is the rectangle from a1 to c2."""
    names: set[str] = set()
    for word in text.split():
        corners = [parse_cell(corner) for corner in word.split("-")]
        (top, left), (bottom, right) = corners[0], corners[-1]
        names |= {cell_name(r, c) for r in range(top, bottom + 1) for c in range(left, right + 1)}
    return names
