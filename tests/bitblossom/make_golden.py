"""Golden games: `python -m tests.bitblossom.make_golden` plays them and writes `tests/golden/*.txt` anew.

One readable record per game and parameter set. A game is played by a provoking policy on the engine and on the slow
twin in lockstep, so a record is only written where both agree. The test replays the action names of a record and
compares every line.

    turn 3, seat 1, areas 6 5, eliminated none, passes 0
      c4    23 legal, mask 9f0c1b2a, seen 77aa0c11     before the action: legal actions, checksum of the mask,
      end   22 legal, mask 0c11a9b2, seen 1b2a77aa     checksum of what all seats see; the board is drawn as it was
      takes territory 2                                when the turn ended, and so is what the turn took

Regenerate only when the rules, an observation or a reward changed on purpose: then the environment gets a new version
and the changelog a line. To record one more parameter set, add a `Start` to STARTS.
"""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bitblossom_env.core.diagram import position_diagram
from bitblossom_env.core.game import Game, IllegalActionError, ReportsCaptures, make_setup, outcome_of
from tests.aronda import lockstep as aronda_lockstep
from tests.lockstep import Lockstep
from tests.policies import Policy, choose_building, choose_greedily, choose_undoing
from tests.reference import aronda_board
from training.files import write_bytes

FOLDER = Path(__file__).resolve().parents[1] / "golden"
MAX_ACTIONS = 400
OWNER_LETTERS = "ABCDEFGH."  # index -1: nobody's
CAPTURES_OFF = {"ring_orthogonal": False, "ring_diagonal": False, "cuts": False}


@dataclass(frozen=True)
class Start:
    """What a recorded game starts from; the head of its record."""

    game: str
    arguments: dict[str, Any]  # of the environment
    seed: int  # of what the setup draws, and of the policy
    starting_player: int


# Name of the record -> start and policy. Seeds chosen so that the games hold what `test_golden.py` asks for.
STARTS: dict[str, tuple[Start, Any]] = {
    "two_players": (Start("bitblossom", {"num_players": 2, "board_size": [5, 5]}, 197, 0), choose_greedily),
    "oblong_random_bases": (
        Start(
            "bitblossom",
            {
                "num_players": 3,
                "board_size": [4, 9],
                "home_bases": "random",
                "reward": "rank",
                "max_turns": 24,
            },
            57,
            2,
        ),
        choose_undoing,
    ),
    "no_retraction": (
        Start(
            "bitblossom",
            {
                "num_players": 4,
                "board_size": [7, 7],
                "max_retractions_per_turn": 0,
                "opening_rule": "none",
                "reward": "area",
                "max_turns": 24,
            },
            17,
            1,
        ),
        choose_greedily,
    ),
    "territory_only": (
        Start("bitblossom", {"num_players": 2, "board_size": [6, 6], "max_turns": 28} | CAPTURES_OFF, 51, 0),
        choose_building,
    ),
    "bonus_chains": (
        Start(
            "bitblossom",
            {
                "num_players": 2,
                "board_size": [4, 5],
                "home_bases": [[0, 0], [3, 4]],
                "first_turn_placements": 5,
                "placements_per_turn": 4,
                "max_turns": 24,
            },
            376,
            0,
        ),
        choose_undoing,
    ),
    "eight_players": (
        Start("bitblossom", {"num_players": 8, "board_size": [9, 9], "max_turns": 26}, 7, 5),
        choose_greedily,
    ),
    "aronda": (Start("aronda", {}, 4, 1), aronda_lockstep.choose_field),
    "aronda_majority": (
        Start("aronda", {"stop_at_majority": True, "blockade": False, "reward": "area"}, 2, 0),
        aronda_lockstep.choose_field,
    ),
}


def record_path(name: str) -> Path:
    """Where the record of that name lies."""
    return FOLDER / f"{name}.txt"


def transcript(start: Start, actions: Sequence[str]) -> list[str]:
    """The lines of the record in which `actions`, by name, are played from `start` on the engine."""
    setup = make_setup(start.game, start.arguments)
    game = setup.new_game(np.random.default_rng(start.seed), start.starting_player)
    numbers = {game.describe_action(action): action for action in range(setup.num_actions)}
    lines = [*_head_lines(start), ""]
    is_new_turn = True
    for name in actions:
        if is_new_turn:
            lines.append(_turn_line(game))
        seen = _action_line(game, name)
        turn, closing = game.turn, _closing_lines(game)
        try:
            game.apply(numbers.get(name, -1))
        except IllegalActionError as error:
            return [*lines, f"  {name} refused: {error}"]
        lines.append(seen)
        is_new_turn = game.turn != turn
        if is_new_turn:
            lines += [*closing, ""]
    return lines + _end_lines(game)


def read_record(text: str) -> tuple[Start, list[str]]:
    """Start and action names of a record, for `transcript`."""
    head, _, turns = text.partition("\n\n")
    values = dict(line.split(": ", 1) for line in head.splitlines())
    start = Start(values["game"], json.loads(values["arguments"]), int(values["seed"]), int(values["starting player"]))
    return start, [line.split()[0] for line in turns.splitlines() if " legal, mask " in line]


def play(start: Start, policy: Any) -> list[str]:
    """Plays a game on the engine and the twin, comparing both before every action; returns the action names."""
    if start.game == "aronda":
        return aronda_lockstep.play(start.arguments, start.starting_player, random.Random(start.seed), policy)
    return _play_bitblossom(start, policy)


def _play_bitblossom(start: Start, policy: Policy) -> list[str]:
    lockstep = Lockstep.from_start(_twin_arguments(start.arguments), start.seed, start.starting_player)
    rng = random.Random(start.seed)
    names: list[str] = []
    while not lockstep.twin.is_over:
        if len(names) == MAX_ACTIONS:
            raise ValueError(f"a recorded game may have {MAX_ACTIONS} actions: give it a smaller max_turns")
        legal = lockstep.twin.legal_actions()
        lockstep.check(list(range(lockstep.twin.num_seats)), legal)
        action = policy(lockstep.twin, sorted(legal), rng)
        names.append(lockstep.game.describe_action(action))
        lockstep.apply(action)
    lockstep.check(list(range(lockstep.twin.num_seats)), set())
    return names


def _twin_arguments(arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments with cells as tuples, which the twin compares with its own."""
    bases = arguments.get("home_bases", "default")
    cells = bases if isinstance(bases, str) else [tuple(cell) for cell in bases]
    return arguments | {"board_size": tuple(arguments["board_size"]), "home_bases": cells}


def _head_lines(start: Start) -> list[str]:
    return [
        f"game: {start.game}",
        f"arguments: {json.dumps(start.arguments)}",
        f"seed: {start.seed}",
        f"starting player: {start.starting_player}",
    ]


def _bitblossom_facts(game: Any) -> dict[str, str]:
    out = [str(seat) for seat, is_out in enumerate(game.eliminated()) if is_out]
    return {
        "areas": " ".join(map(str, game.areas())),
        "eliminated": " ".join(out) or "none",
        "passes": str(game.to_position()["passes"]),
    }


def _aronda_facts(game: Any) -> dict[str, str]:
    owners = [text for text in game.to_position()["fields"].values() if text in ("0", "1")]
    return {"fields": f"{owners.count('0')} {owners.count('1')}"}


def _ring_diagram(position: dict[str, Any]) -> str:
    """A line a ring: the owner of a field, the stones of both seats in it, or a dot; a star where the last turn was."""
    texts = {
        name: position["fields"].get(name, ".") + ("*" if name in position["last_turn"] else "")
        for name in aronda_board.FIELDS
    }
    rings = (["c1"], *([f"{ring}{k}" for k in range(1, 9)] for ring in aronda_board.RINGS))
    return "\n".join(" ".join(f"{texts[name]:<5}" for name in ring).rstrip() for ring in rings)


# What a record tells of each game beyond the common interface: facts of a turn, and the drawn board.
FACTS: dict[str, Callable[[Any], dict[str, str]]] = {"bitblossom": _bitblossom_facts, "aronda": _aronda_facts}
DRAWINGS: dict[str, Callable[[dict[str, Any]], str]] = {
    "bitblossom": position_diagram,
    "aronda": _ring_diagram,
}


def _turn_line(game: Game) -> str:
    facts = FACTS[game.setup.game_name](game)
    return ", ".join([f"turn {game.turn}", f"seat {game.to_move}", *(f"{name} {facts[name]}" for name in facts)])


def _action_line(game: Game, name: str) -> str:
    mask = game.legal_mask()
    seen = b"".join(game.observe(seat).tobytes() for seat in range(game.num_seats))
    return f"  {name:4} {mask.sum():3} legal, mask {zlib.crc32(mask.tobytes()):08x}, seen {zlib.crc32(seen):08x}"


def _closing_lines(game: Game) -> list[str]:
    """The board as it is now, and what ending the turn would take."""
    taken = game.captures_by_rule() if isinstance(game, ReportsCaptures) else {}
    words = ", ".join(f"{rule} {count}" for rule, count in taken.items() if count)
    return [f"  takes {words or 'nothing'}", *_drawing_lines(game)]


def _drawing_lines(game: Game) -> list[str]:
    drawing = DRAWINGS[game.setup.game_name](game.to_position())
    return [f"    {line}" for line in drawing.splitlines()]


def _end_lines(game: Game) -> list[str]:
    if not game.is_over:
        return [f"the game goes on, {_turn_line(game)}"]
    outcome = outcome_of(game)
    rows = ["".join(OWNER_LETTERS[seat] for seat in row) for row in np.atleast_2d(outcome.owner).tolist()]
    return [
        f"end: {outcome.reason.value}, {'truncated' if outcome.truncated else 'terminated'}, {_turn_line(game)}",
        f"  winners {_numbers(outcome.winners)}, areas {_numbers(outcome.areas)}, ranks {_numbers(outcome.ranks)}",
        f"  rewards {_numbers(game.returns().tolist())}",
        *_drawing_lines(game),
        "  owners",
        *(f"    {row}" for row in rows),
    ]


def _numbers(values: Sequence[float]) -> str:
    return " ".join(f"{value:.6g}" for value in values)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, (start, policy) in STARTS.items():
        lines = transcript(start, play(start, policy))
        write_bytes(record_path(name), ("\n".join(lines) + "\n").encode())
        print(f"{record_path(name).name}: {len(lines)} lines")


if __name__ == "__main__":
    main()
