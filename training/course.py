"""The setups of a run: which games an update is played in, and how they are seated."""

from __future__ import annotations

import numpy as np

from agents.neural.kinds import make_symmetries
from bitblossom_env.core.game import make_setup
from training.config import TrainConfig
from training.opponents import Planner


class Course:
    """One setup for each variant of a config; all games of an update have the same."""

    def __init__(self, config: TrainConfig) -> None:
        self._variants = config.all_variants()
        self.setups = [make_setup(config.game, {**config.rules, **variant.rules}) for variant in self._variants]
        self.symmetries = [make_symmetries(setup) for setup in self.setups]
        self.planners = [
            Planner(config.opponents, config.rollout, setup.num_seats, len(symmetries))
            for setup, symmetries in zip(self.setups, self.symmetries, strict=True)
        ]

    def draw(self, progress: float, rng: np.random.Generator) -> int:
        """Returns the variant of an update at `progress` 0..1 of the budget, by weight among those in season."""
        weights = np.array([variant.weight if variant.is_in_season(progress) else 0.0 for variant in self._variants])
        return int(rng.choice(len(weights), p=weights / weights.sum()))
