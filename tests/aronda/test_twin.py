"""The slow twin of Aronda against games of an independent implementation, and what follows from the rules."""

import random

import pytest

from tests.aronda.games import SEATS, captures_text, recorded_games, stuck_mover, topology
from tests.reference.aronda import ArondaTwin
from tests.reference.aronda_board import FIELDS, NEIGHBOURS, THRESHOLDS

WANTED = {  # ends that random games must show, by rules
    "{}": {"full_board", "blockade"},
    "{'stop_at_majority': True}": {"majority"},
    "{'blockade': False}": {"full_board"},
}
REASONS = {"full": "full_board", "blockade": "blockade"}


def state_text(twin):
    """The state as the records write it: two characters a field."""

    def text(field):
        if field in twin.owners:
            return SEATS[twin.owners[field]] + "."
        return f"{twin.stones(field, 0)}{twin.stones(field, 1)}"

    return "".join(map(text, FIELDS))


def test_the_board_is_that_of_the_table():
    board = topology()
    assert board["fields"] == FIELDS
    assert board["threshold"] == THRESHOLDS
    assert {field: set(near) for field, near in board["adjacent"].items()} == NEIGHBOURS


def next_mover(twin):
    """Who would place the next stone if the game went on; the records tell that at its end as well."""
    return 1 - twin.to_move if twin.is_over and twin.stones_left == 1 else twin.to_move


@pytest.mark.parametrize("game", recorded_games(), ids=lambda game: str(game["seed"]))
def test_recorded_games_are_played_alike(game):
    twin = ArondaTwin()
    for stone in game["stones"]:
        assert SEATS[twin.to_move] == stone["p"]
        waves = twin.place(stone["f"])
        assert state_text(twin) == stone["s"]
        assert captures_text(waves) == stone.get("cap", [])
        assert twin.places(next_mover(twin)) == stone["nl"]
    end = game["end"]
    assert twin.reason == REASONS[end["why"]]
    assert twin.winners == (SEATS.index(end["winner"]),)
    assert [twin.fields_of(0), twin.fields_of(1)] == end["fields"]
    assert (twin.stones_left == 2) == end["mid_turn"]


def test_a_mover_without_a_field_loses_the_second_stone():
    game, twin = stuck_mover(), ArondaTwin()
    for seat, field in game["stones"]:
        assert SEATS[twin.to_move] == seat
        twin.place(field)
    assert state_text(twin) == game["state"]
    assert (twin.places(0), twin.places(1)) == (game["legal"]["B"], game["legal"]["W"])
    assert (SEATS[twin.to_move], twin.stones_left) == ("B", 2)  # it was White's turn, with one stone left


def check_position(twin):
    """What holds after every stone."""
    for field in FIELDS:
        if field in twin.owners:
            assert twin.stones(field, 0) == twin.stones(field, 1) == 0
        else:
            for seat in (0, 1):
                assert twin.stones(field, seat) < THRESHOLDS[field]
                assert twin.owned_around(field, seat) < THRESHOLDS[field]
    assert all(field not in twin.owners for field in twin.last_turn)
    assert twin.is_over or twin.legal()


@pytest.mark.parametrize("rules", [{}, {"stop_at_majority": True}, {"blockade": False}], ids=str)
def test_random_games_end_as_the_rules_say(rules):
    reasons = set()
    for seed in range(60):
        rng, twin = random.Random(seed), ArondaTwin(**rules)
        while not twin.is_over:
            owners = dict(twin.owners)
            twin.place(rng.choice(twin.legal()))
            assert owners.items() <= twin.owners.items()
            check_position(twin)
        reasons.add(twin.reason)
        assert twin.winners
        if twin.reason == "full_board":
            assert len(twin.winners) == 1
        if twin.reason == "blockade":
            assert all(f"o{k}" in twin.owners for k in range(1, 9))
        if twin.reason == "majority":
            assert twin.fields_of(twin.winners[0]) >= 13
    assert reasons >= WANTED[str(rules)]
