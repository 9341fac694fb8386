"""Cuts that the mover can strike now, and chains of them that pay for themselves within a turn."""
