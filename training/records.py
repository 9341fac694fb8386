"""What processes tell each other about games: jobs, decisions, results."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from training.opponents import GamePlan, Weights


@dataclass(frozen=True)
class Decisions:
    """Decisions of the learner in the order of games and, within a game, of time; D of them."""

    planes: NDArray[np.uint8]  # [D, S, rows, cols] as the network saw them
    constants: NDArray[np.uint8]  # [D, G]
    masks: NDArray[np.bool_]  # [D, N + 1]
    actions: NDArray[np.int64]  # [D] network actions, under the game's symmetry
    log_probs: NDArray[np.float32]  # [D]
    values: NDArray[np.float32]  # [D, P] as judged then, seats counted from the mover
    movers: NDArray[np.int64]  # [D] seat that decided
    games: NDArray[np.int64]  # [D] row in `Results`
    policies: NDArray[np.float32]  # [D, N + 1] that searches came to, zeros where one was short; [D, 0] without any
    surprises: NDArray[np.float32]  # [D] how far those are from the network's, KL divergence


@dataclass(frozen=True)
class Results:
    """How G games ended, seats absolute."""

    returns: NDArray[np.float64]  # [G, P]
    owners: NDArray[np.int64]  # [G, N] final owner per cell, -1 nobody
    areas: NDArray[np.float64]  # [G, P] shares of the board's cells
    survived: NDArray[np.bool_]  # [G, P]
    win_shares: NDArray[np.float64]  # [G, P] 1 / number of winners for each winner
    learner: NDArray[np.bool_]  # [G, P] seats that the learner held
    turns: NDArray[np.int64]  # [G]
    symmetries: NDArray[np.int64]  # [G]


@dataclass(frozen=True)
class Rollout:
    """Everything that one process played for one update."""

    decisions: Decisions
    results: Results
    opponents: list[tuple[str, ...]]  # per game, the players that do not learn
    reasons: list[str]  # per game, why it ended
    env_steps: int  # actions of all seats, forced ones included
    env_seconds: float  # in the rules, in scripted agents and in booking
    inference_seconds: float  # in networks


@dataclass(frozen=True)
class Job:
    """What one process plays for one update; a message between processes."""

    variant: int  # of the run's setups
    plans: list[GamePlan]
    weights: Weights  # of the learner
    past: dict[str, Weights]  # of the past selves in `plans`, by name
    seed: tuple[int, ...]  # entropy of this job's generator


Record = TypeVar("Record", Decisions, Results)


def concatenate(parts: list[Record]) -> Record:
    """Returns one record with the rows of all `parts`."""
    kind = type(parts[0])
    return kind(**{f.name: np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(kind)})


def merge(rollouts: list[Rollout]) -> Rollout:
    """Returns one rollout with the games of all, in the order given."""
    decisions, num_games = [], 0
    for rollout in rollouts:
        columns = {f.name: getattr(rollout.decisions, f.name) for f in fields(Decisions)}
        decisions.append(Decisions(**{**columns, "games": columns["games"] + num_games}))
        num_games += len(rollout.reasons)
    return Rollout(
        decisions=concatenate(decisions),
        results=concatenate([rollout.results for rollout in rollouts]),
        opponents=[players for rollout in rollouts for players in rollout.opponents],
        reasons=[reason for rollout in rollouts for reason in rollout.reasons],
        env_steps=sum(rollout.env_steps for rollout in rollouts),
        # Processes play at the same time, so the slowest tells how long it took.
        env_seconds=max(rollout.env_seconds for rollout in rollouts),
        inference_seconds=max(rollout.inference_seconds for rollout in rollouts),
    )


def sort_by_game(parts: list[Decisions]) -> Decisions:
    """Returns the decisions sorted by game; within a game they keep their order in time."""
    merged = concatenate(parts)
    order = np.argsort(merged.games, kind="stable")
    return Decisions(**{f.name: getattr(merged, f.name)[order] for f in fields(Decisions)})
