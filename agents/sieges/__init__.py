"""Walls around bases and regions: how near each is to being cut off, and the agent that plays by that."""
