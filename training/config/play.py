"""Settings of how games are played: where, how many, and against whom."""

from __future__ import annotations

from dataclasses import dataclass, field

from training.config.checks import require

BACKENDS = ("serial", "process", "ray")


@dataclass(frozen=True)
class RolloutConfig:
    """How games are played for one update.

    Attributes:
        games_per_update: whole games between two updates; whole, so that every decision knows how its game ended.
        slots: games that a process plays side by side; one network call serves them all, 32..64 is fastest.
        workers: that play side by side, on one machine as many as cores; the trainer itself is one of the processes.
        random_start_share: share of games that begin with random turns, so that openings differ.
        max_random_turns: most random turns of such a start; their number is drawn from 1..this.
    """

    games_per_update: int = 64
    slots: int = 32
    workers: int = 2
    random_start_share: float = 0.3
    max_random_turns: int = 4

    def __post_init__(self) -> None:
        """Refuses sizes that no rollout can have."""
        for name in ("games_per_update", "slots", "workers", "max_random_turns"):
            require(getattr(self, name) >= 1, f"rollout.{name}", getattr(self, name), "an integer of at least 1")
        enough = self.games_per_update >= self.workers
        require(enough, "rollout.games_per_update", self.games_per_update, "at least one game per worker")
        share = self.random_start_share
        require(0 <= share <= 1, "rollout.random_start_share", share, "a number 0..1")


@dataclass(frozen=True)
class BackendConfig:
    """Where the workers live.

    Attributes:
        kind: `process`, in processes of this machine; `ray`, as actors on the machines of a Ray cluster (extra `ray`);
            `serial`, one after the other in the trainer's own process.
        address: of the cluster, for `ray` alone: `auto` finds the one that this machine belongs to; None starts Ray
            on this machine.
    """

    kind: str = "process"
    address: str | None = None

    def __post_init__(self) -> None:
        """Refuses what is no backend."""
        require(self.kind in BACKENDS, "backend.kind", self.kind, ", ".join(BACKENDS))
        is_used = self.address is None or self.kind == "ray"
        require(is_used, "backend.address", self.address, "null, unless backend.kind is ray")


@dataclass(frozen=True)
class OpponentConfig:
    """Whom the learner meets. In a mixed game it sits in one seat, drawn evenly; the others are drawn one by one.

    Attributes:
        self_play_share: share of games in which the newest network sits everywhere; all seats learn from them.
        past_weight: weight of frozen past selves among opponents; without them a run forgets what it beat.
        scripted_weights: weight of each agent spec among opponents; fixed anchors that never drift along.
        pool_size: past selves kept; when full a random one gives way, so that old ones survive for long.
        snapshot_every: updates between two past selves.
        past_per_update: different past selves met in one update; each adds network calls on small batches.
    """

    self_play_share: float = 0.5
    past_weight: float = 0.5
    scripted_weights: dict[str, float] = field(default_factory=lambda: {"greedy": 0.4, "random": 0.1})
    pool_size: int = 20
    snapshot_every: int = 10
    past_per_update: int = 1

    def __post_init__(self) -> None:
        """Refuses weights that draw nobody."""
        require(0 <= self.self_play_share <= 1, "opponents.self_play_share", self.self_play_share, "a number 0..1")
        weights = (self.past_weight, *self.scripted_weights.values())
        require(min(weights) >= 0, "opponents weights", weights, "numbers of at least 0")
        drawable = sum(weights) > 0 or self.self_play_share == 1
        require(drawable, "opponents weights", weights, "one above 0, unless self_play_share is 1")
        for name in ("pool_size", "snapshot_every", "past_per_update"):
            require(getattr(self, name) >= 1, f"opponents.{name}", getattr(self, name), "an integer of at least 1")
