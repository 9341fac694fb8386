"""Settings of what is made of the games."""

from __future__ import annotations

from dataclasses import dataclass

from training.config.checks import require


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
            require(getattr(self, name) >= 1, f"ppo.{name}", getattr(self, name), "an integer of at least 1")
        for name in ("policy_lambda", "value_lambda", "area_reward", "area_reward_until"):
            require(0 <= getattr(self, name) <= 1, f"ppo.{name}", getattr(self, name), "a number 0..1")
        for name in ("learning_rate", "clip", "max_grad_norm"):
            require(getattr(self, name) > 0, f"ppo.{name}", getattr(self, name), "a number above 0")
        for name in ("final_learning_rate", "entropy_weight", "final_entropy_weight"):
            require(getattr(self, name) >= 0, f"ppo.{name}", getattr(self, name), "a number of at least 0")


@dataclass(frozen=True)
class GumbelConfig:
    """How the learner searches in its games, and what the policy learns from that (Danihelka et al. 2022).

    The other settings of learning are those of `ppo`: there is no replay beyond an update, so that no decision is
    learned from more than `ppo.epochs` times. A run begins best with the weights of another (`start_from`): a search
    with a network that knows nothing finds little.

    Attributes:
        num_simulations: of a full search; the policy learns what it comes to.
        fast_simulations: of the others, which only choose an action.
        full_share: share of decisions that get a full search.
        num_considered: actions that sequential halving begins with.
        surprise_weight: share of the policy's learning that goes where searches found what the network did not know.
    """

    num_simulations: int = 32
    fast_simulations: int = 8
    full_share: float = 0.25
    num_considered: int = 8
    surprise_weight: float = 0.5

    def __post_init__(self) -> None:
        """Refuses searches that find nothing."""
        for name in ("num_simulations", "fast_simulations", "num_considered"):
            require(getattr(self, name) >= 1, f"gumbel.{name}", getattr(self, name), "an integer of at least 1")
        require(0 < self.full_share <= 1, "gumbel.full_share", self.full_share, "a number above 0, at most 1")
        require(0 <= self.surprise_weight <= 1, "gumbel.surprise_weight", self.surprise_weight, "a number 0..1")
