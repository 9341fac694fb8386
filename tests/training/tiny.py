"""A run so small that an update takes a fraction of a second."""

from training.config import BudgetConfig, NetworkConfig, OpponentConfig, PpoConfig, RolloutConfig, TrainConfig

TINY = TrainConfig(
    budget=BudgetConfig(total_env_steps=10**6),
    rules={"num_players": 2, "board_size": 5},
    network=NetworkConfig(channels=8, blocks=1, hidden=8),
    rollout=RolloutConfig(games_per_update=8, slots=4, workers=1),
    opponents=OpponentConfig(snapshot_every=1, pool_size=2, scripted_weights={"random": 0.5}),
    ppo=PpoConfig(minibatch=64),
)
