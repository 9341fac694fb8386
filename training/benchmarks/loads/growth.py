"""The cost of a step as the board grows: in random play, on a serpentine, and with a history to be replayed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from training.benchmarks.loads.batch import BatchPlay
from training.benchmarks.loads.repeated import RepeatedSteps, game_of
from training.benchmarks.loads.replay import checked_game, end_of_turn
from training.benchmarks.positions import replay, serpentine

PLAY, REPLAY = "random play, observed", "turn ended, walls replayed"
LEVEL, UPRIGHT = "stone set and retracted, serpentine", "stone set and retracted, upright serpentine"
NUM_ENVS = 256
NUM_PAIRS = 4  # stones set and retracted in a row


class Growth:
    """Times several kinds of steps on boards of several sizes."""

    def __init__(self, sides: Sequence[int]) -> None:
        self._plays = {side: random_play(side) for side in sides}
        self._cases = {
            LEVEL: {side: place_and_retract(side, is_upright=False) for side in sides},
            UPRIGHT: {side: place_and_retract(side, is_upright=True) for side in sides},
            REPLAY: {side: wall_replay(side) for side in sides},
        }
        self.facts: dict[str, Any] = {"sides": list(sides)}

    def measure(self, seconds: float) -> dict[str, Any]:
        """Returns nanoseconds a step by kind and side, about `seconds` for all of them together."""
        each = seconds / ((1 + len(self._cases)) * len(self._plays))
        found: dict[str, dict[str, float]] = {PLAY: {}}
        for side, play in self._plays.items():
            sample = play.measure(each)
            found[PLAY][str(side)] = 1e9 * (sample["seconds"] - sample["choosing"]) / sample["steps"]
        for kind, cases in self._cases.items():
            found[kind] = {str(side): 1e9 * case.seconds_per_step(each) for side, case in cases.items()}
        return found


def random_play(side: int) -> BatchPlay:
    """Returns games in play that began with more and more random turns, up to where half the board may be full."""
    play = BatchPlay(NUM_ENVS, is_mixed=False, board_size=side, num_players=2)
    rows = np.arange(NUM_ENVS)
    for row in rows:
        play.env.reset(options={"reset_mask": rows == row, "random_turns": int(row) * side * side // 6 // NUM_ENVS})
    return play


def place_and_retract(side: int, is_upright: bool) -> RepeatedSteps:
    """Returns steps that close the corridor of a serpentine in its middle and open it again."""
    position, (row, column) = serpentine(side, is_upright)
    game = game_of(position)
    setup = game.setup
    cell = row * side + column
    return RepeatedSteps(game, [setup.placements[cell], setup.retractions[cell]] * NUM_PAIRS)


def wall_replay(side: int) -> RepeatedSteps:
    """Returns the end of a turn that replays closed walls on a quarter of the board, whose stones came one a turn."""
    num_walls = side // 4
    return end_of_turn(checked_game(replay(side, num_walls * side, is_closed=True, num_walls=num_walls)))


def prepare(sides: Sequence[int]) -> Growth:
    """Returns all cases for boards of `sides` rows and columns, each at least 8."""
    return Growth(sides)
