"""The network for boards whose fields are linked in any way."""
