"""Plain arithmetic that needs a whole core and nothing else, by the clock on the wall."""

from __future__ import annotations

import time
from typing import Any

NUM_ROUNDS = 1000


class Spin:
    """Counts; whatever else runs on the core makes it slower."""

    def __init__(self) -> None:
        self.facts: dict[str, Any] = {}

    def measure(self, seconds: float) -> dict[str, Any]:
        """Returns the rounds a second on the wall, and the part of the time in which the process had its core."""
        began, began_cpu = time.perf_counter(), time.process_time()
        num_rounds = total = 0
        while (elapsed := time.perf_counter() - began) < seconds:
            for number in range(NUM_ROUNDS):
                total += number
            num_rounds += NUM_ROUNDS
        return {"rate": num_rounds / elapsed, "core_share": (time.process_time() - began_cpu) / elapsed}


def prepare() -> Spin:
    """Returns a counter."""
    return Spin()
