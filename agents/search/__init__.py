"""Agents that search: a tree of positions, judged by playing on from them."""
