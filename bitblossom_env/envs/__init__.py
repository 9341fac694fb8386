"""Environments: any game as PettingZoo AEC and as a single-agent Gymnasium environment."""
