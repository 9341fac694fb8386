"""Names of the folders and files of checkpoints, apart from their reader so that naming them loads no torch."""

MODEL_FILE = "model.safetensors"
META_FILE = "meta.json"  # every checkpoint has one
CHECKPOINTS_FOLDER = "checkpoints"
LATEST = "latest"
BEST = "best"  # the one with the best win rates against scripted agents, as its own run has seen them
