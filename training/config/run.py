"""A training run: its length, its games and all other settings."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from agents.neural.config import ComputeConfig, NetworkConfig
from training.config.checks import require
from training.config.learn import GumbelConfig, PpoConfig
from training.config.play import BackendConfig, OpponentConfig, RolloutConfig


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
        require(given, "budget", None, "total_env_steps, max_seconds or both")
        for name in ("total_env_steps", "max_seconds"):
            value = getattr(self, name)
            require(value is None or value > 0, f"budget.{name}", value, "a number above 0, or null")

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
        require(self.weight > 0, "variants.weight", self.weight, "a number above 0")
        season = (self.begins, self.ends)
        require(0 <= self.begins < self.ends <= 1, "variants.begins, ends", season, "0 <= begins < ends <= 1")

    def is_in_season(self, progress: float) -> bool:
        """Returns whether it is drawn when `progress` 0..1 of the budget is used."""
        return self.begins <= progress and (progress < self.ends or self.ends == 1.0)


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
        require(self.every_seconds >= 0, "checkpoint.every_seconds", self.every_seconds, "a number of at least 0")
        require(self.keep >= 1, "checkpoint.keep", self.keep, "an integer of at least 1")


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
        compute: how it is run.
        rollout: how games are played.
        backend: where.
        opponents: against whom.
        ppo: how the network learns.
        gumbel: how the learner searches while it plays, and learns from that; None: it does not search (PPO).
        checkpoint: when the run is saved.
    """

    budget: BudgetConfig
    seed: int = 0
    game: str = "bitblossom"
    rules: dict[str, Any] = field(default_factory=lambda: {"num_players": 2, "board_size": 7})
    variants: list[VariantConfig] = field(default_factory=list)
    start_from: str | None = None
    network: NetworkConfig = field(default_factory=NetworkConfig)
    compute: ComputeConfig = field(default_factory=ComputeConfig)
    rollout: RolloutConfig = field(default_factory=RolloutConfig)
    backend: BackendConfig = field(default_factory=BackendConfig)
    opponents: OpponentConfig = field(default_factory=OpponentConfig)
    ppo: PpoConfig = field(default_factory=PpoConfig)
    gumbel: GumbelConfig | None = None
    checkpoint: CheckpointConfig = field(default_factory=CheckpointConfig)

    def __post_init__(self) -> None:
        """Refuses a seed that cannot seed, and a time of the run without a variant."""
        require(self.seed >= 0, "seed", self.seed, "an integer of at least 0")
        for progress in (0.0, *(variant.ends for variant in self.variants)):
            played = any(variant.is_in_season(progress) for variant in self.all_variants())
            require(played, "variants", f"nothing at {progress:g} of the budget", "seasons that leave no gap")

    def all_variants(self) -> list[VariantConfig]:
        """Returns the variants; one, the rules as they are, where none are given."""
        return self.variants or [VariantConfig(rules={})]

    def as_dict(self) -> dict[str, Any]:
        """Returns the resolved settings as plain JSON values."""
        return asdict(self)
