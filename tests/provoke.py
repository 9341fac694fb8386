"""Draws games that make rare things happen, for the fuzzer and the lockstep tests."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.painters import (
    PAINTERS,
    Canvas,
    paint_fateful_capture,
    paint_mutual_fall,
    paint_symmetric_walls,
    paint_tipping_wall,
)
from tests.policies import POLICIES, Policy, choose_greedily, choose_undoing
from tests.reference.pieces import PRE_GAME_TURN, Board, Cell, Piece, chebyshev, default_bases
from tests.reference.scoring import eliminated

Arguments = dict[str, Any]  # keyword arguments of the environment
BOARD_SIDES = (3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
SIDE_WEIGHTS = (8, 12, 14, 12, 9, 5, 3, 1, 1, 1)  # rare things are found sooner on small boards


def random_arguments(rng: random.Random, sides: tuple[int, int] = (3, 12)) -> Arguments:
    """Returns arguments of an environment whose home bases fit its board."""
    allowed = [side for side in BOARD_SIDES if sides[0] <= side <= sides[1]]
    weights = [SIDE_WEIGHTS[BOARD_SIDES.index(side)] for side in allowed]
    rows = rng.choices(allowed, weights)[0]
    cols = rows if rng.random() < 0.4 else rng.choices(allowed, weights)[0]
    num_players = min(rng.choice((2, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8)), ((rows + 1) // 2) * ((cols + 1) // 2))
    return {"num_players": num_players, "board_size": (rows, cols)} | _random_rules(rng, rows * cols)


def _random_rules(rng: random.Random, num_cells: int) -> Arguments:
    """Mostly the defaults, each field varied now and then."""
    varied = {
        "placements_per_turn": (3, 3, 3, 3, 1, 2, 4, 5),
        "first_turn_placements": (None, None, 1, 2, 5),
        "max_retractions_per_turn": (3, 3, None, 0, 1, 8),
        "bonus_cap": (None, None, None, 0, 1, 2),
        "opening_rule": ("base-neighbourhood", "none"),
        "max_turns": ("auto", "auto", None, 1, 5, 12, num_cells),
        "end_on_all_pass": (True, True, True, False),
        "ring_orthogonal": (True,) * 9 + (False,),
        "ring_diagonal": (True,) * 9 + (False,),
        "cuts": (True,) * 9 + (False,),
        "territory": (True,) * 9 + (False,),
        "reward": ("win", "rank", "area"),
    }
    return {name: rng.choice(choices) for name, choices in varied.items()}


def random_bases(rng: random.Random, rows: int, cols: int, num_players: int) -> list[Cell]:
    """Draws base cells at Chebyshev distance >= 2 from each other, from a grid where they get stuck."""
    for _ in range(20):
        left = [(r, c) for r in range(rows) for c in range(cols)]
        bases: list[Cell] = []
        while left and len(bases) < num_players:
            bases.append(rng.choice(left))
            left = [cell for cell in left if chebyshev(cell, bases[-1]) >= 2]
        if len(bases) == num_players:
            return bases
    grid = [(r, c) for r in range(0, rows, 2) for c in range(0, cols, 2)]
    return rng.sample(grid, num_players)


def random_start(rng: random.Random, arguments: Arguments) -> Arguments:
    """Returns the arguments with home bases for a new game: default or random where they fit, or explicit."""
    rows, cols = arguments["board_size"]
    num_players = arguments["num_players"]
    choices: list[Any] = [random_bases(rng, rows, cols, num_players)]
    if default_bases(rows, cols, num_players):
        choices.append("default")
    if num_players <= ((rows + 2) // 3) * ((cols + 2) // 3):
        choices.append("random")  # a grid of every third cell shows that they fit
    return arguments | {"home_bases": rng.choice(choices)}


def _new_canvas(rng: random.Random, arguments: Arguments, min_turn: int) -> Canvas:
    rows, cols = arguments["board_size"]
    num_players = arguments["num_players"]
    board = Board(rows, cols)
    for seat, cell in enumerate(random_bases(rng, rows, cols, num_players)):
        board.lower[cell] = Piece(cell, seat, PRE_GAME_TURN, is_base=True)
    # not beyond the limit called "auto"
    turns = [turn for turn in (0, 1, 3, 6, 10, 20, 40) if min_turn <= turn <= 2 * rows * cols]
    canvas = Canvas(rng, board, num_players, turn=rng.choice(turns))
    canvas.stamps = {seat: [] for seat in range(num_players)}
    seat = rng.randrange(num_players)
    for stamp in range(canvas.turn):
        canvas.stamps[seat].append(stamp)
        seat = (seat + (1 if rng.random() < 0.9 else 2)) % num_players
    return canvas


def random_position(
    rng: random.Random, arguments: Arguments, painters: Sequence[Callable[[Canvas], None]], min_turn: int = 0
) -> dict[str, Any]:
    """Paints a position before the first action of a turn, stamps and counters consistent with each other."""
    canvas = _new_canvas(rng, arguments, min_turn)
    for paint in painters if canvas.painters() else ():
        paint(canvas)
    passes = min(canvas.turn, rng.choice((0, 0, 0, 0, 1, 2)))
    board = canvas.board.before_turn(canvas.turn - passes)  # who passed has left no stones
    out = eliminated(board, canvas.num_players)
    movers = [seat for seat in range(canvas.num_players) if all(out) or not out[seat]]
    rules = {name: arguments[name] for name in arguments if name not in ("num_players", "board_size")}
    if isinstance(rules["max_turns"], int):
        rules["max_turns"] += canvas.turn
    return {
        "rows": board.rows,
        "cols": board.cols,
        "players": canvas.num_players,
        "turn": canvas.turn,
        "to_move": canvas.to_move if canvas.to_move in movers else rng.choice(movers),
        "turns_taken": [len(canvas.stamps[seat]) for seat in range(canvas.num_players)],
        "passes": passes,
        "retractions": 0,
        "pieces": [
            [*cell, piece.seat, piece.stamp, piece.is_base, False] for cell, piece in sorted(board.lower.items())
        ],
        "rules": rules,
    }


# What is painted alone on a small board, and who plays there
STAGED: tuple[tuple[Callable[[Canvas], None], Policy], ...] = (
    (paint_fateful_capture, choose_greedily),
    (paint_mutual_fall, choose_greedily),
    (paint_mutual_fall, choose_greedily),
    (paint_symmetric_walls, choose_greedily),
    (paint_tipping_wall, choose_greedily),
    (paint_tipping_wall, choose_undoing),
)


@dataclass(frozen=True)
class Scene:
    """One game to be fuzzed: from a painted position, or new; how it is played and for how long."""

    arguments: Arguments
    position: dict[str, Any] | None
    policy: Policy
    max_actions: int


def random_scene(rng: random.Random) -> Scene:
    """Draws what the next fuzzed game is."""
    return rng.choices((_new_game, _short_game, _painted_game, _staged_game), (5, 15, 40, 40))[0](rng)


def _new_game(rng: random.Random) -> Scene:
    arguments = random_arguments(rng)
    return Scene(random_start(rng, arguments), None, rng.choice(POLICIES), rng.choice((10, 40, 80)))


def _short_game(rng: random.Random) -> Scene:
    """A small board, played to its end."""
    arguments = random_arguments(rng, sides=(3, 5))
    return Scene(random_start(rng, arguments), None, rng.choice(POLICIES), 150)


def _painted_game(rng: random.Random) -> Scene:
    arguments = random_arguments(rng)
    painters = rng.choices(PAINTERS, k=rng.randint(1, 3))
    position = random_position(rng, arguments, painters)
    return Scene(arguments, position, rng.choice(POLICIES), rng.choice((8, 20, 40)))


def _staged_game(rng: random.Random) -> Scene:
    """One or two stones away from something rare."""
    arguments = random_arguments(rng, sides=(4, 7))
    arguments["num_players"] = min(rng.choice((2, 2, 3)), arguments["num_players"])
    painter, policy = rng.choice(STAGED)
    return Scene(arguments, random_position(rng, arguments, [painter], min_turn=6), policy, 10)
