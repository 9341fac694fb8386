"""Results made up for tests of what is computed from results."""

from itertools import count

from training.evaluation.arena import GameResult

_numbers = count()


def result(seating, ranks, *, winners=None, areas=None, key=None):
    """A game in which the seats came out in `ranks`; the best rank wins unless `winners` says otherwise.

    Games without a `key` are all different; those with equal keys are copies.
    """
    best = min(ranks)
    return GameResult(
        seating=tuple(seating),
        winners=tuple(seat for seat, rank in enumerate(ranks) if rank == best) if winners is None else winners,
        ranks=tuple(float(rank) for rank in ranks),
        areas=tuple(areas) if areas is not None else tuple(10 - int(rank) for rank in ranks),
        illegal_seat=None,
        fingerprint=f"game {next(_numbers)}" if key is None else key,
        seconds=(0.5,) * len(seating),
        turns=(5,) * len(seating),
    )


def duel_block(first, second, outcomes):
    """A block of two-seat games; "1" won by `first`, "2" by `second`, "=" drawn; seats alternate."""
    ranks = {"1": (1, 2), "2": (2, 1), "=": (1.5, 1.5)}
    games = []
    for index, letter in enumerate(outcomes):
        seating, ordered = (first, second), ranks[letter]
        if index % 2:
            seating, ordered = seating[::-1], ordered[::-1]
        games.append(result(seating, ordered))
    return games
