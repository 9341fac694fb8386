"""Engine against twin over random and provoked games: `python -m tests.fuzz --seconds 300 --seed 0`.

Prints how often each rare thing occurred; exits non-zero on a difference, or if something never occurred in a run of
300 seconds or more. A difference prints the game's number; `--first NUMBER --games 1` plays that game again.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from typing import Any

from bitblossom_env.core.game import make_setup
from tests import provoke
from tests.lockstep import DifferenceError, Lockstep
from tests.reference import events
from tests.reference.rules import BUDGET

FULL_RUN_SECONDS = 300  # a run this long has to see everything


def start_of(rng: random.Random, scene: provoke.Scene) -> Lockstep:
    """Starts a scene on both sides."""
    if scene.position is not None:
        return Lockstep.from_position(scene.position)
    starting_player = rng.randrange(scene.arguments["num_players"])
    return Lockstep.from_start(scene.arguments, rng.randrange(2**32), starting_player)


def check(lockstep: Lockstep, refusals: dict[int, list[str]], rng: random.Random) -> None:
    """Compares both sides; what is slow is compared now and then."""
    twin = lockstep.twin
    legal = {action for action, reasons in refusals.items() if not reasons}
    everybody = list(range(twin.num_seats))
    lockstep.check(everybody if rng.random() < 0.2 else [twin.to_move], legal)
    if rng.random() < 0.1:
        lockstep.check_round_trip()
    if rng.random() < 0.1:
        lockstep.check_clone(rng, legal)
    if rng.random() < 0.1:
        lockstep.check_refusal(rng, legal)


def count_tried(lockstep: Lockstep, refusals: dict[int, list[str]], rng: random.Random) -> Counter[str]:
    """Counts what is seen by trying actions in the present position."""
    twin = lockstep.twin
    counts = events.of_refusals(twin, refusals)
    overdrawn = [action for action, reasons in refusals.items() if action < twin.num_cells and BUDGET in reasons]
    if overdrawn:
        raise DifferenceError(f"placing {overdrawn} would overdraw the budget, which R2.4 says is impossible")
    if rng.random() < 0.5 and events.undooming_placements(twin):
        counts[events.UNDOOMED] += 1
    return counts


def play(number: int, seed: int) -> tuple[Counter[str], int]:
    """Plays one game in lockstep; returns what occurred in it and the number of actions."""
    rng = random.Random(f"{seed}:{number}")
    scene = provoke.random_scene(rng)
    lockstep = start_of(rng, scene)
    twin = lockstep.twin
    counts: Counter[str] = Counter()
    for num_actions in range(scene.max_actions + 1):
        refusals = twin.all_refusals()
        check(lockstep, refusals, rng)
        counts += count_tried(lockstep, refusals, rng)
        if twin.is_over or num_actions == scene.max_actions:
            return counts + twin.events, num_actions
        legal = [action for action, reasons in refusals.items() if not reasons]
        lockstep.apply(scene.policy(twin, legal, rng))
    raise AssertionError("a scene has at least one position")


def run(seconds: float, seed: int, first: int = 0, max_games: int | None = None) -> dict[str, Any]:
    """Plays games until the time is over; returns the counts, the games and the actions played."""
    counts: Counter[str] = Counter()
    deadline = time.monotonic() + seconds
    number, num_actions = first, 0
    while time.monotonic() < deadline and (max_games is None or number < first + max_games):
        try:
            occurred, played = play(number, seed)
        except DifferenceError as difference:
            raise DifferenceError(f"seed {seed}, game {number}\n{difference}") from None
        counts += occurred
        num_actions += played
        number += 1
    return {"counts": counts, "games": number - first, "actions": num_actions}


def main() -> int:
    parser = argparse.ArgumentParser(description="Plays the engine against the slow twin of the rules.")
    parser.add_argument("--seconds", type=float, default=300.0, help="how long to play (default 300)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the whole run (default 0)")
    parser.add_argument("--first", type=int, default=0, help="number of the first game (default 0)")
    parser.add_argument("--games", type=int, default=None, help="number of games at most (default no limit)")
    options = parser.parse_args()
    make_setup("bitblossom")  # compiles, where that is still to be done, before the clock starts
    try:
        report = run(options.seconds, options.seed, options.first, options.games)
    except DifferenceError as difference:
        print(f"DIFFERENCE\n{difference}")
        return 1
    for name in events.ALL_EVENTS:
        print(f"{name:45} {report['counts'][name]:8}")
    print(f"{report['games']} games, {report['actions']} actions compared, no difference")
    missing = [name for name in events.ALL_EVENTS if not report["counts"][name]]
    if missing and options.seconds >= FULL_RUN_SECONDS and options.games is None:
        print(f"never occurred: {', '.join(missing)}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
