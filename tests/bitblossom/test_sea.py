"""The sea by union-find, and by single refinements, against the literal replay (R3.3) on random histories."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from bitblossom_env.bitblossom.game import BitBlossomGame
from bitblossom_env.bitblossom.sea import mark_refined_sea
from bitblossom_env.bitblossom.state import FRESH, NOW_SEA, STONES
from bitblossom_env.core.bitboard import copy
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.jit import jit_is_off
from bitblossom_env.core.rollout import play_random_turn
from tests.reference.pieces import ORTHOGONAL, PRE_GAME_TURN, Cell, step
from tests.reference.sea import Stones, is_rim, replay

NUM_HISTORIES = 150 if jit_is_off() else 300  # positions a test case, with two to four players' histories each
SIDES = ((3, 6), (3, 6), (7, 12), (7, 12), (3, 32))  # the last one, and the last game, only compiled: they take long
GAMES = (((5, 8), 2, 4), ((7, 7), 3, 6), ((12, 9), 4, 12), ((20, 32), 2, 60))  # board, players, placements a turn
RULES = {"opening_rule": "none", "max_turns": None}
# What a sample must hold
TIED, NO_SEA, LARGE, MANY, RIM, OVER = "tied seas", "no sea left", "600 cells", "20 stamps", "rim owned", "game over"
KINDS = {TIED, NO_SEA, MANY, RIM} | (set() if jit_is_off() else {LARGE})


@dataclass
class History:
    """A board being filled: who owns each stamp, and what stands where."""

    rng: random.Random
    rows: int
    cols: int
    num_seats: int
    owners: list[int]  # seat of each stamp
    stones: dict[Cell, tuple[int, int]] = field(default_factory=dict)  # cell -> seat, stamp
    bases: list[Cell] = field(default_factory=list)

    @property
    def cells(self) -> list[Cell]:
        return [(r, c) for r in range(self.rows) for c in range(self.cols)]

    def has(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.cols

    def put(self, cell: Cell, stamp: int) -> None:
        if self.has(cell) and cell not in self.bases:
            self.stones[cell] = self.owners[stamp], stamp

    def put_all(self, cells: Iterable[Cell], seat: int | None = None) -> None:
        """Stones of one stamp, or of several, all of one player."""
        stamp = self.some_stamp(seat)
        is_mixed = self.rng.random() < 0.4
        for cell in cells:
            self.put(cell, self.some_stamp(self.owners[stamp]) if is_mixed else stamp)

    def some_stamp(self, seat: int | None = None) -> int:
        return self.rng.choice([stamp for stamp, owner in enumerate(self.owners) if seat in (None, owner)])

    def position(self, to_move: int) -> dict[str, Any]:
        """The position before the first action of the next turn."""
        pieces = [[*cell, seat, PRE_GAME_TURN, True, False] for seat, cell in enumerate(self.bases)]
        pieces += [[*cell, seat, stamp, False, False] for cell, (seat, stamp) in self.stones.items()]
        return {
            "rows": self.rows,
            "cols": self.cols,
            "players": self.num_seats,
            "turn": len(self.owners),
            "to_move": to_move,
            "turns_taken": [self.owners.count(seat) for seat in range(self.num_seats)],
            "passes": 0,
            "retractions": 0,
            "pieces": pieces,
            "rules": RULES,
        }


def add_noise(history: History) -> None:
    density = history.rng.choice((0.1, 0.3, 0.5, 0.8, 1.0))
    for cell in history.cells:
        if history.rng.random() < density:
            history.put(cell, history.some_stamp())


def add_walls(history: History) -> None:
    """Straight and diagonal lines through the whole board, with a gap now and then."""
    for _ in range(history.rng.randint(1, 5)):
        row, column = history.rng.choice(history.cells)
        down, right = history.rng.choice(((0, 1), (1, 0), (1, 1), (1, -1)))
        reach = range(-32, 33) if history.rng.random() < 0.6 else range(-32, 1)
        line = [(row + down * k, column + right * k) for k in reach]
        history.put_all([cell for cell in line if history.rng.random() < 0.97])


def add_mirror_image(history: History) -> None:
    """The same stones on the other side, with the same stamps: seas tie."""
    for (r, c), (_, stamp) in list(history.stones.items()):
        history.put((r, history.cols - 1 - c), stamp)


def add_rim(history: History) -> None:
    """One player owns the whole rim, or all of it but one cell."""
    rim = [cell for cell in history.cells if is_rim(cell, history.rows, history.cols)]
    history.put_all(history.rng.sample(rim, len(rim) - history.rng.randint(0, 1)))


PAINTERS: tuple[Callable[[History], None], ...] = (add_noise, add_walls, add_walls, add_mirror_image, add_rim)


def random_history(rng: random.Random) -> History:
    """Few or many stamps, drawn among 2..4 players; boards 3..32 a side."""
    sides = rng.choice(SIDES[:4] if jit_is_off() else SIDES)
    num_seats = rng.randint(2, 4)
    num_stamps = rng.choice((num_seats, 6, 12, 60))
    owners = [*range(num_seats), *(rng.randrange(num_seats) for _ in range(num_stamps - num_seats))]
    rng.shuffle(owners)
    history = History(rng, rng.randint(*sides), rng.randint(*sides), num_seats, owners)
    history.bases = rng.sample(history.cells, num_seats)
    for paint in rng.choices(PAINTERS, k=rng.randint(1, 4)):
        paint(history)
    return history


def stones_of(position: dict[str, Any], seat: int) -> Stones:
    return frozenset(((r, c), stamp) for r, c, owner, stamp, _, _ in position["pieces"] if owner == seat)


def territory_by_replay(position: dict[str, Any], seat: int) -> set[Cell]:
    rows, cols, stones = position["rows"], position["cols"], stones_of(position, seat)
    cells = {(r, c) for r in range(rows) for c in range(cols)}
    return cells - replay(rows, cols, stones).sea - {cell for cell, _ in stones}


def check_territories(game: BitBlossomGame) -> None:
    """Every player's territory is that of the literal replay of the pieces now on the board."""
    position, planes = game.to_position(), game.observe(0)
    for seat in range(game.num_seats):
        marked = planes[game.setup.plane_names.index(f"territory/{seat}")]
        found = {(int(r), int(c)) for r, c in np.argwhere(marked)}
        assert found == territory_by_replay(position, seat), f"seat {seat}: {position}"


def kinds_of(history: History) -> Counter[str]:
    position = history.position(0)
    rim = {cell for cell in history.cells if is_rim(cell, history.rows, history.cols)}
    seen = Counter({LARGE: len(history.cells) >= 600})
    for seat in range(history.num_seats):
        stones = stones_of(position, seat)
        result = replay(history.rows, history.cols, stones)
        seen[TIED] += bool(result.tied_stamps)
        seen[NO_SEA] += not result.sea
        seen[MANY] += len({stamp for _, stamp in stones}) >= 20
        seen[RIM] += rim <= {cell for cell, _ in stones}
    return seen


@pytest.mark.parametrize("seed", range(3))
def test_sea_of_a_position_is_that_of_the_literal_replay(seed):
    rng, seen = random.Random(seed), Counter()
    for _ in range(NUM_HISTORIES):
        history = random_history(rng)
        check_territories(BitBlossomGame.from_position(history.position(rng.randrange(history.num_seats))))
        seen += kinds_of(history)
    assert set(seen) >= KINDS, "the sample is too tame"


def rows_of(cells: Iterable[Cell], num_rows: int) -> np.ndarray:
    """A set of cells as row masks."""
    words = [0] * num_rows
    for r, c in cells:
        words[r] |= 1 << c
    return np.array(words, np.uint64)


def test_single_refinements_in_a_row_are_the_whole_replay():
    """After every stamp, not only after the last."""
    rng, sea = random.Random(3), STONES
    for _ in range(NUM_HISTORIES // 2):
        history = random_history(rng)
        rows, cols = history.rows, history.cols
        stones = stones_of(history.position(0), 0)
        masks = np.zeros((STONES + 1, rows), np.uint64)
        masks[sea] = rows_of(history.cells, rows)
        for stamp in sorted({stamp for _, stamp in stones}):
            masks[FRESH] = rows_of([cell for cell, placed in stones if placed == stamp], rows)
            mark_refined_sea(masks, cols, sea, FRESH, NOW_SEA)
            copy(masks, NOW_SEA, sea)
            so_far = frozenset((cell, placed) for cell, placed in stones if placed <= stamp)
            assert masks[sea].tolist() == rows_of(replay(rows, cols, so_far).sea, rows).tolist(), history.position(0)


def besiege(history: History, mover: int) -> tuple[Cell, Cell] | None:
    """Leaves one enemy stone with a ring of the mover's but for one place; returns victim and place."""
    rng = history.rng
    victims = []
    for cell, (seat, _) in history.stones.items():
        ring = [step(cell, direction) for direction in ORTHOGONAL]
        if seat != mover and all(history.has(place) and place not in history.bases for place in ring):
            victims.append((cell, rng.sample(ring, 4)))
    if not victims:
        return None
    victim, (gap, *others) = rng.choice(victims)
    history.stones.pop(gap, None)
    history.put_all(others, mover)
    return victim, gap


def test_seas_after_a_capture_are_those_of_the_literal_replay():
    """A lost stone makes the loser's whole replay new; the mover's sea is refined, everybody else's stays."""
    rng, num_captures, num_changed = random.Random(4), 0, 0
    while num_captures < NUM_HISTORIES // 2:
        history = random_history(rng)
        mover = rng.randrange(history.num_seats)
        siege = besiege(history, mover)
        game = BitBlossomGame.from_position(history.position(mover))
        if siege is None or game.is_over or game.eliminated()[mover]:
            continue
        (victim, (row, column)), before = siege, game.to_position()
        game.apply(row * history.cols + column)
        game.apply(game.setup.end_turn)
        after = game.to_position()
        assert [*victim] not in [piece[:2] for piece in after["pieces"]]
        check_territories(game)
        num_captures += 1
        loser = history.stones[victim][0]
        lost = territory_by_replay(before, loser) - territory_by_replay(after, loser)
        num_changed += bool(lost - {cell for cell, _ in stones_of(after, loser)})
    assert num_changed * 20 > num_captures, "hardly any capture released territory"


@pytest.mark.parametrize(("board_size", "num_players", "placements"), GAMES[:3] if jit_is_off() else GAMES)
def test_seas_in_played_games_are_those_of_the_literal_replay(board_size, num_players, placements):
    """Refinements and whole replays in turn, as captures happen to fall."""
    arguments = {"num_players": num_players, "board_size": board_size, "placements_per_turn": placements}
    num_lost = 0
    for seed in range(1 if jit_is_off() else 4):
        rng = np.random.default_rng(seed)
        game = make_setup("bitblossom", arguments).new_game(rng)
        for _ in range(30):
            if game.is_over:
                break
            before = game.to_position()["pieces"]
            play_random_turn(game, rng)
            after = game.to_position()["pieces"]
            num_lost += sum(piece not in after for piece in before)
            check_territories(game)
    assert num_lost, "nothing was captured"
