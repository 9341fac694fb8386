"""The far end of a `Worker`: `python -m training.benchmarks.serve` runs one load as it is told on standard input.

One JSON object a line, both ways. First line in: load, arguments, cores. First line out: the facts of the load. From
then on a number of seconds in, what was measured out, until the input ends.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from typing import Any, TextIO, cast

from training.benchmarks.loads import Load


def take_over_output() -> TextIO:
    """Returns the standard output for replies; whatever libraries print goes to standard error from now on."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return replies


def reply(replies: TextIO, content: dict[str, Any]) -> None:
    """Writes one line at once."""
    replies.write(json.dumps(content) + "\n")
    replies.flush()


def main() -> None:
    """Serves until the input ends."""
    replies = take_over_output()
    task = json.loads(sys.stdin.readline())
    os.sched_setaffinity(0, task["cores"])  # before the load's libraries count the cores
    module = importlib.import_module(f"training.benchmarks.loads.{task['load']}")
    load = cast(Load, module.prepare(**task["arguments"]))
    reply(replies, load.facts)
    for line in sys.stdin:
        reply(replies, load.measure(json.loads(line)))


if __name__ == "__main__":
    main()
