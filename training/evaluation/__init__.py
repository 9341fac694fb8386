"""Games between agents from balanced starts, and what they say about the agents."""
