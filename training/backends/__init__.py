"""Where the workers of a run live: in this process, in others of this machine, or on many machines."""
