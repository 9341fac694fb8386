"""The network for grids: convolutions."""
