"""Blocks as a results file holds them: agents by name, every value checked when it is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from training.evaluation.arena import GameResult

BlockKey = tuple[tuple[str, ...], int]  # names of the line-up, ascending, and the round

MOST = 2**31  # more cells, turns or seconds than any game has


@dataclass(frozen=True)
class StoredBlock:
    """A block whose seatings name agents instead of counting them."""

    seatings: tuple[tuple[str, ...], ...]
    results: tuple[GameResult, ...]  # whose own seatings are empty

    def results_for(self, places: Mapping[str, int]) -> list[GameResult]:
        """Returns the results with agents counted as in `places`."""
        return [
            replace(result, seating=tuple(places[name] for name in names))
            for names, result in zip(self.seatings, self.results, strict=True)
        ]


def read_block(entry: dict[str, Any], num_seats: int) -> tuple[BlockKey, StoredBlock]:
    """Returns a block of the file; raises `ValueError`, `TypeError` or `KeyError` where it makes no sense."""
    lineup = tuple(checked(name, str) for name in entry["lineup"])
    games = [read_game(game) for game in entry["games"]]
    seatings = tuple(seating for seating, _ in games)
    if not len(games) == len(lineup) == num_seats:
        raise ValueError(f"{len(lineup)} agents and {len(games)} games are not those of {num_seats} seats")
    if any(tuple(sorted(seating)) != lineup for seating in seatings):
        raise ValueError("its games are not those of its line-up")
    number = checked(entry["round"], int)
    if number < 0:
        raise ValueError(f"round={number} is none")
    return (lineup, number), StoredBlock(seatings, tuple(result for _, result in games))


def read_game(game: dict[str, Any]) -> tuple[tuple[str, ...], GameResult]:
    """Returns the names in the seats of a game, and its result."""
    seating = tuple(checked(name, str) for name in game["seating"])
    num_seats = len(seating)
    if sorted(game) != sorted(field.name for field in fields(GameResult)):
        raise ValueError("a game has other fields than this version knows")

    def per_seat(name: str, kind: Any) -> tuple[Any, ...]:
        values = tuple(checked(value, kind) for value in game[name])
        if len(values) != num_seats:
            raise ValueError(f"{name}={game[name]!r} does not have a value for each seat")
        if not all(0 <= value < MOST for value in values):
            raise ValueError(f"a value of {name} is out of range")
        return values

    ranks = per_seat("ranks", float | int)
    if not all(1 <= rank <= num_seats for rank in ranks):
        raise ValueError(f"ranks={game['ranks']!r} are none")
    winners = tuple(checked(seat, int) for seat in game["winners"])
    illegal_seat = checked(game["illegal_seat"], int | None)
    named = [*winners, *([] if illegal_seat is None else [illegal_seat])]
    if not winners or len(set(winners)) < len(winners) or not set(named) <= set(range(num_seats)):
        raise ValueError(f"winners={game['winners']!r}, illegal_seat={illegal_seat!r} are no seats")
    return seating, GameResult(
        seating=(),
        winners=winners,
        ranks=ranks,
        areas=None if game["areas"] is None else per_seat("areas", int),
        illegal_seat=illegal_seat,
        fingerprint=checked(game["fingerprint"], str),
        seconds=per_seat("seconds", float | int),
        turns=per_seat("turns", int),
    )


def refuse(constant: str) -> None:
    """Raises `ValueError` for NaN and infinity, which are no JSON."""
    raise ValueError(f"{constant} is no number")


def checked(value: Any, kind: Any) -> Any:
    """Returns `value` if it is of a type of `kind`; a truth value is no number."""
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError(f"{value!r} is of the wrong type")
    return value
