"""Bit Blossom: state, one module per capture rule, turn, scoring, observation, game. The rules: RULES.md."""
