"""Every setting of a training run; `train.py` reads them, a YAML file writes them, an unknown key is an error."""

from agents.neural.config import ComputeConfig, NetworkConfig
from training.config.learn import GumbelConfig, PpoConfig
from training.config.play import BackendConfig, OpponentConfig, RolloutConfig
from training.config.run import BudgetConfig, CheckpointConfig, TrainConfig, VariantConfig

__all__ = [
    "BackendConfig",
    "BudgetConfig",
    "CheckpointConfig",
    "ComputeConfig",
    "GumbelConfig",
    "NetworkConfig",
    "OpponentConfig",
    "PpoConfig",
    "RolloutConfig",
    "TrainConfig",
    "VariantConfig",
]
