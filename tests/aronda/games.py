"""The recorded games of an independent implementation, and what its records mean."""

from __future__ import annotations

import json
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data" / "aronda"
SEATS = "BW"  # Black places first


def recorded_games():
    """The 60 games of `peer_games.jsonl`."""
    return [json.loads(line) for line in (DATA / "peer_games.jsonl").read_text().splitlines()]


def stuck_mover():
    """The game whose mover has no legal field after the first of two stones."""
    return json.loads((DATA / "stuck_mover.json").read_text())


def topology():
    """Fields, thresholds and adjacency."""
    return json.loads((DATA / "topology.json").read_text())


def captures_text(waves):
    """Captures as the records have them: first the field of the stone, `x`, then those from outside, in field order."""
    inside = [field + sign for wave in waves for sign, field in wave if sign == "x"]
    outside = [field + sign for wave in waves for sign, field in wave if sign == "+"]
    order = topology()["fields"]
    return inside + sorted(outside, key=lambda text: order.index(text[:-1]))
