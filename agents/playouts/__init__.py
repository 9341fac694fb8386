"""What a tree search asks of Bit Blossom: keys of positions, priors of actions, playing on, values."""
