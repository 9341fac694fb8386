"""Every setting of a training run; `train.py` reads them, a YAML file writes them, an unknown key is an error."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from agents.neural.config import NetworkConfig

__all__ = [
    "BackendConfig",
    "BudgetConfig",
    "CheckpointConfig",
    "NetworkConfig",
    "OpponentConfig",
    "PpoConfig",
    "RolloutConfig",
    "VariantConfig",
]


def _require(holds: bool, name: str, value: object, allowed: str) -> None:
    if not holds:
        raise ValueError(f"{name}={value!r} is not allowed; allowed: {allowed}")


@dataclass(frozen=True)
class BudgetConfig:
    """When a run ends: by whichever limit comes first; at least one must be given.

    Attributes:
        total_env_steps: actions of all seats, forced ones included; None = no limit. A run limited by steps
            alone is repeated bit for bit by the same seed and workers.
        max_seconds: wall-clock seconds, those before a resume included; None = no limit. Schedules then follow
            the clock, so that a slow machine also ends with the last learning rate.
    """

    total_env_steps: int | None = None
    max_seconds: float | None = None

    def __post_init__(self) -> None:
        """Refuses a run without an end."""
        given = self.total_env_steps is not None or self.max_seconds is not None
        _require(given, "budget", None, "total_env_steps, max_seconds or both")
        for name in ("total_env_steps", "max_seconds"):
            value = getattr(self, name)
            _require(value is None or value > 0, f"budget.{name}", value, "a number above 0, or null")

    def progress(self, env_steps: int, seconds: float) -> float:
        """Returns the share of the budget that is used, 0..1."""
        by_steps = env_steps / self.total_env_steps if self.total_env_steps else 0.0
        by_clock = seconds / self.max_seconds if self.max_seconds else 0.0
        return min(1.0, max(by_steps, by_clock))


@dataclass(frozen=True)
class VariantConfig:
    """Games of one kind among those of a run; an update is played in one of them, drawn by weight.

    Attributes:
        rules: arguments that replace or join those of the run, for example `{board_size: 9, num_players: 3}`.
        weight: how often it is drawn, against those of the other variants in season.
        begins: share of the budget from which it is in season, 0..1.
        ends: share of the budget with which its season ends, above `begins`, at most 1.
    """

    rules: dict[str, Any]
    weight: float = 1.0
    begins: float = 0.0
    ends: float = 1.0

    def __post_init__(self) -> None:
        """Refuses a weight or a season that never draws."""
        _require(self.weight > 0, "variants.weight", self.weight, "a number above 0")
        season = (self.begins, self.ends)
        _require(0 <= self.begins < self.ends <= 1, "variants.begins, ends", season, "0 <= begins < ends <= 1")

    def is_in_season(self, progress: float) -> bool:
        """Returns whether it is drawn when `progress` 0..1 of the budget is used."""
        return self.begins <= progress and (progress < self.ends or self.ends == 1.0)


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
            _require(getattr(self, name) >= 1, f"rollout.{name}", getattr(self, name), "an integer of at least 1")
        enough = self.games_per_update >= self.workers
        _require(enough, "rollout.games_per_update", self.games_per_update, "at least one game per worker")
        share = self.random_start_share
        _require(0 <= share <= 1, "rollout.random_start_share", share, "a number 0..1")


BACKENDS = ("serial", "process", "ray")


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
        _require(self.kind in BACKENDS, "backend.kind", self.kind, ", ".join(BACKENDS))
        is_used = self.address is None or self.kind == "ray"
        _require(is_used, "backend.address", self.address, "null, unless backend.kind is ray")


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
        _require(0 <= self.self_play_share <= 1, "opponents.self_play_share", self.self_play_share, "a number 0..1")
        weights = (self.past_weight, *self.scripted_weights.values())
        _require(min(weights) >= 0, "opponents weights", weights, "numbers of at least 0")
        drawable = sum(weights) > 0 or self.self_play_share == 1
        _require(drawable, "opponents weights", weights, "one above 0, unless self_play_share is 1")
        for name in ("pool_size", "snapshot_every", "past_per_update"):
            _require(getattr(self, name) >= 1, f"opponents.{name}", getattr(self, name), "an integer of at least 1")


@dataclass(frozen=True)
class PpoConfig:
    """How the network learns from one update's games. Pairs fall linearly with the used share of the budget.

    Attributes:
        learning_rate: Adam's, at the start.
        final_learning_rate: at the end; small steps settle the policy.
        epochs: passes over the decisions; games cost as much as a pass, so each is used twice.
        minibatch: decisions per gradient step.
        policy_lambda: GAE decay per decision for advantages; below 1 trusts the value network, quieter.
        value_lambda: decay for value targets; 1 learns from final results alone, without own errors.
        clip: how far one update may move the probability of an action, as a ratio.
        value_weight: weight of the squared error of the values per seat.
        owner_weight: weight of the final owner of each cell, the richest signal of all: N answers a game.
        area_weight: weight of the final area shares.
        survival_weight: weight of who survives.
        entropy_weight: bonus for undecided play at the start; keeps exploration alive.
        final_entropy_weight: at the end; a policy that is to win must decide.
        area_reward: weight of area in the return at the start (shaping: early games are won by chance).
        area_reward_until: share of the budget after which nothing but the game's own reward counts.
        max_grad_norm: longer gradients are shortened to this; one odd batch must not wreck the network.
    """

    learning_rate: float = 1e-3
    final_learning_rate: float = 1e-4
    epochs: int = 2
    minibatch: int = 512
    policy_lambda: float = 0.95
    value_lambda: float = 0.98
    clip: float = 0.2
    value_weight: float = 1.0
    owner_weight: float = 0.3
    area_weight: float = 1.0
    survival_weight: float = 0.05
    entropy_weight: float = 0.01
    final_entropy_weight: float = 0.002
    area_reward: float = 0.0
    area_reward_until: float = 0.5
    max_grad_norm: float = 1.0

    def __post_init__(self) -> None:
        """Refuses numbers for which the update has no meaning."""
        for name in ("epochs", "minibatch"):
            _require(getattr(self, name) >= 1, f"ppo.{name}", getattr(self, name), "an integer of at least 1")
        for name in ("policy_lambda", "value_lambda", "area_reward", "area_reward_until"):
            _require(0 <= getattr(self, name) <= 1, f"ppo.{name}", getattr(self, name), "a number 0..1")
        for name in ("learning_rate", "clip", "max_grad_norm"):
            _require(getattr(self, name) > 0, f"ppo.{name}", getattr(self, name), "a number above 0")
        for name in ("final_learning_rate", "entropy_weight", "final_entropy_weight"):
            _require(getattr(self, name) >= 0, f"ppo.{name}", getattr(self, name), "a number of at least 0")


@dataclass(frozen=True)
class CheckpointConfig:
    """When the run is saved; it is always saved at its end and on Ctrl-C.

    Attributes:
        every_seconds: wall-clock seconds between two checkpoints; what a crash can cost at most.
        keep: newest checkpoints kept, beside the best one; older ones are deleted.
    """

    every_seconds: float = 60.0
    keep: int = 5

    def __post_init__(self) -> None:
        """Refuses to keep nothing."""
        _require(self.every_seconds >= 0, "checkpoint.every_seconds", self.every_seconds, "a number of at least 0")
        _require(self.keep >= 1, "checkpoint.keep", self.keep, "an integer of at least 1")


@dataclass(frozen=True)
class TrainConfig:
    """One training run.

    Attributes:
        seed: the same seed and number of workers repeat a run bit for bit on one machine's CPU, if the budget
            counts steps; another machine, another library version or a budget of seconds promises no such thing.
        game: name of the game, see `bitblossom_env.core.game`.
        rules: arguments of the game's environment, for example `{num_players: 2, board_size: 7}`.
        variants: boards and numbers of players that a run is to learn together, or one after the other; none: `rules`.
        start_from: checkpoint or run whose weights a new run begins with, of the same network; None: fresh ones.
        budget: when the run ends.
        network: size of the network.
        rollout: how games are played.
        backend: where.
        opponents: against whom.
        ppo: how the network learns.
        checkpoint: when the run is saved.
    """

    budget: BudgetConfig
    seed: int = 0
    game: str = "bitblossom"
    rules: dict[str, Any] = field(default_factory=lambda: {"num_players": 2, "board_size": 7})
    variants: list[VariantConfig] = field(default_factory=list)
    start_from: str | None = None
    network: NetworkConfig = field(default_factory=NetworkConfig)
    rollout: RolloutConfig = field(default_factory=RolloutConfig)
    backend: BackendConfig = field(default_factory=BackendConfig)
    opponents: OpponentConfig = field(default_factory=OpponentConfig)
    ppo: PpoConfig = field(default_factory=PpoConfig)
    checkpoint: CheckpointConfig = field(default_factory=CheckpointConfig)

    def __post_init__(self) -> None:
        """Refuses a seed that cannot seed, and a time of the run without a variant."""
        _require(self.seed >= 0, "seed", self.seed, "an integer of at least 0")
        for progress in (0.0, *(variant.ends for variant in self.variants)):
            played = any(variant.is_in_season(progress) for variant in self.all_variants())
            _require(played, "variants", f"nothing at {progress:g} of the budget", "seasons that leave no gap")

    def all_variants(self) -> list[VariantConfig]:
        """Returns the variants; one, the rules as they are, where none are given."""
        return self.variants or [VariantConfig(rules={})]

    def as_dict(self) -> dict[str, Any]:
        """Returns the resolved settings as plain JSON values."""
        return asdict(self)
