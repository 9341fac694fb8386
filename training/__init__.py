"""Self-play training, evaluation and the command line."""
