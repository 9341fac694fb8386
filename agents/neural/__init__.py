"""Agents that play with a neural network."""
