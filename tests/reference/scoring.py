"""R4.2, R4.3, R4.4: elimination, area, the end of the game, and what each seat gets for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tests.reference.pieces import Board, Cell
from tests.reference.rules import TwinRules
from tests.reference.sea import territory_of


@dataclass(frozen=True)
class TwinOutcome:
    """How a game ended, as R4.3 and R4.4 judge the board after its last turn."""

    reason: str
    winners: tuple[int, ...]
    areas: tuple[int, ...]
    ranks: tuple[float, ...]
    owner: tuple[tuple[int, ...], ...]  # rows x cols, -1 nobody
    truncated: bool


class AfterTurn(Protocol):
    """What R4.3 looks at: the game after a turn has ended."""

    board: Board
    num_seats: int
    turn: int
    passes: int
    rules: TwinRules


def owners(board: Board, num_seats: int) -> dict[Cell, int]:
    """R4.4: the seat each cell counts for, -1 nobody."""
    territories = [territory_of(board, seat) for seat in range(num_seats)]
    owner = {}
    for cell in board.cells():
        piece = board.piece_at(cell)
        claimants = [seat for seat in range(num_seats) if cell in territories[seat]]
        if piece is not None:
            owner[cell] = piece.seat
        else:
            owner[cell] = claimants[0] if len(claimants) == 1 else -1
    return owner


def areas(board: Board, num_seats: int) -> list[int]:
    owner = owners(board, num_seats)
    return [sum(1 for cell in owner if owner[cell] == seat) for seat in range(num_seats)]


def eliminated(board: Board, num_seats: int) -> list[bool]:
    """R4.2: the home base lies in some other player's territory, eliminated or not."""
    territories = [territory_of(board, seat) for seat in range(num_seats)]
    return [
        any(board.base_of(seat) in territories[other] for other in range(num_seats) if other != seat)
        for seat in range(num_seats)
    ]


def end_reason(game: AfterTurn) -> str | None:
    """R4.3: the first test that holds after a turn, None while the game goes on."""
    survivors = eliminated(game.board, game.num_seats).count(False)
    if survivors == 1:
        return "last_survivor"
    if survivors == 0:
        return "all_eliminated"
    if all(game.board.piece_at(cell) for cell in game.board.cells()):
        return "full_board"
    if game.rules.end_on_all_pass and game.passes >= survivors:
        return "all_passed"
    if game.rules.max_turns is not None and game.turn >= game.rules.max_turns:
        return "turn_limit"
    return None


def judge(game: AfterTurn) -> TwinOutcome | None:
    """R4.3: the outcome after a turn, None while the game goes on."""
    reason = end_reason(game)
    if reason is None:
        return None
    board = game.board
    area = areas(board, game.num_seats)
    out = eliminated(board, game.num_seats)
    contenders = [seat for seat in range(game.num_seats) if all(out) or not out[seat]]
    best = max(area[seat] for seat in contenders)
    owner = owners(board, game.num_seats)
    return TwinOutcome(
        reason=reason,
        winners=tuple(seat for seat in contenders if area[seat] == best),
        areas=tuple(area),
        ranks=tuple(ranks(area, out)),
        owner=tuple(tuple(owner[r, c] for c in range(board.cols)) for r in range(board.rows)),
        truncated=reason == "turn_limit",
    )


def ranks(area: list[int], out: list[bool]) -> list[float]:
    """1 is best; survivors before eliminated, each group by area; equal seats share their places' mean."""
    score = [(not out[seat], area[seat]) for seat in range(len(area))]
    placed = []
    for own in score:
        better = sum(1 for other in score if other > own)
        equal = sum(1 for other in score if other == own)
        placed.append(sum(better + place for place in range(1, equal + 1)) / equal)
    return placed


def returns(outcome: TwinOutcome | None, rules: TwinRules, num_seats: int) -> list[float]:
    """The reward of each seat at the end, zero-sum; zeros before."""
    if outcome is None:
        return [0.0] * num_seats
    if rules.reward == "win":
        return _win_returns(outcome, num_seats)
    if rules.reward == "rank":
        return [1 - 2 * (rank - 1) / (num_seats - 1) for rank in outcome.ranks]
    num_cells = len(outcome.owner) * len(outcome.owner[0])
    shares = [area / num_cells for area in outcome.areas]
    return [share - (sum(shares) - share) / (num_seats - 1) for share in shares]


def _win_returns(outcome: TwinOutcome, num_seats: int) -> list[float]:
    """Winners share +1, the others share -1 equally; a tie of all is 0."""
    num_winners = len(outcome.winners)
    if num_winners == num_seats:
        return [0.0] * num_seats
    return [1 / num_winners if seat in outcome.winners else -1 / (num_seats - num_winners) for seat in range(num_seats)]
