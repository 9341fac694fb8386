"""Start-up: how long a fresh process waits for the import, for an environment, for its first step."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from importlib.util import find_spec

from training.benchmarks.contest import Spread, last_error
from training.benchmarks.report import Part, Table, Verdict, seconds_text
from training.evaluation.progress import track
from training.evaluation.tables import make_console

NUM_TRIALS = 5
# Each prints one JSON list: seconds, then what else there is to tell. Nothing else is imported before the clock runs.
IMPORT = """
import time
start = time.perf_counter()
import bitblossom_env
print([time.perf_counter() - start])
"""
RESET = """
import time
start = time.perf_counter()
import bitblossom_env
from bitblossom_env import bitblossom_v0
env = bitblossom_v0.env()
env.reset(seed=0)
seconds = time.perf_counter() - start
for line in open("/proc/self/status"):  # not getrusage: that remembers the parent's peak
    if line.startswith("VmHWM"):
        print([seconds, int(line.split()[1]) / 1024])
"""
FIRST_STEP = """
import time
from bitblossom_env import bitblossom_v0
env = bitblossom_v0.env()
env.reset(seed=0)
env.step(int(env.last()[0]["action_mask"].argmax()))
print([time.monotonic()])
"""
HOW_MEASURED = (
    f"Medians of {NUM_TRIALS} fresh processes on the clock; the first step without the disk cache of compiled kernels "
    "is measured apart. A first step counts from the start of the interpreter, the rest from inside it. Memory is the "
    "peak of the resident set, pages of library files included that are shared with other processes."
)
NUMBA_EXTRAS = ("scipy", "coverage")  # Numba imports them where they are; the environment itself needs neither
MOST_IMPORT, MOST_RESET, MOST_WARM, MOST_COLD = 0.3, 1.0, 1.5, 40.0  # seconds
MOST_MEMORY = 200.0  # MiB


def run_script(script: str, variables: Mapping[str, str] | None = None) -> tuple[float, list[float]]:
    """Runs a script in a fresh interpreter; returns when it began (monotonic seconds) and the list it printed.

    Raises:
        ChildProcessError: the script failed; the last line of its errors is told.
    """
    began = time.monotonic()
    done = subprocess.run(  # noqa: S603 - this interpreter, on the scripts above
        [sys.executable, "-c", script],
        env=os.environ | dict(variables or {}),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise ChildProcessError(f"a fresh interpreter ended with: {last_error(done.stderr.splitlines())}")
    return began, [float(number) for number in json.loads(done.stdout)]


def first_step_seconds(variables: Mapping[str, str] | None = None) -> float:
    """Returns the seconds from starting an interpreter to the end of the first step in it."""
    began, (done,) = run_script(FIRST_STEP, variables)
    return done - began


def cold_step_seconds() -> float:
    """Returns the same with an empty cache folder."""
    with tempfile.TemporaryDirectory(prefix="bitblossom-bench-") as folder:
        return first_step_seconds({"NUMBA_CACHE_DIR": folder})


def measure(num_cold_starts: int) -> Part:
    """Returns the part of the report; `num_cold_starts` processes compile all kernels anew."""
    run_script(FIRST_STEP)  # compiles what is to be found in the caches of the interpreter and of the kernels
    imports, resets, peaks, steps = [], [], [], []
    for _ in track(range(NUM_TRIALS), "start: warm", make_console(stderr=True)):
        imports.append(run_script(IMPORT)[1][0])
        seconds, mebibytes = run_script(RESET)[1]
        resets.append(seconds)
        peaks.append(mebibytes)
        steps.append(first_step_seconds())
    colds = [cold_step_seconds() for _ in range(num_cold_starts)]
    memory = Spread.of(peaks)
    verdicts = [
        within("import bitblossom_env", imports, MOST_IMPORT),
        within("import, make, reset, warm cache", resets, MOST_RESET),
        Verdict(
            "memory after import, make, reset",
            f"{memory.median:.0f} MiB ({memory.low:.0f}..{memory.high:.0f})",
            f"at most {MOST_MEMORY:.0f} MiB",
            memory.median <= MOST_MEMORY,
        ),
        within("first step in a new process, warm cache", steps, MOST_WARM),
        *([within("first step in a new process, no cache", colds, MOST_COLD)] if colds else []),
    ]
    return Part(
        "start",
        "Start-up",
        notes=[HOW_MEASURED, *extras_note()],
        tables=[Table("Start-up", [["", "figure", "target"], *([v.subject, v.figure, v.target] for v in verdicts)])],
        verdicts=verdicts,
        data={"import": imports, "reset": resets, "peak_mib": peaks, "first_step": steps, "first_step_cold": colds},
    )


def extras_note() -> list[str]:
    """Returns a sentence on packages that make every start heavier, if there are any."""
    found = [name for name in NUMBA_EXTRAS if find_spec(name)]
    if not found:
        return []
    names = " and ".join(found)
    return [f"Numba has imported {names}, because it was there; a plain install of the environment spends less."]


def within(subject: str, seconds: list[float], most: float) -> Verdict:
    """Returns seconds beside their limit."""
    spread = Spread.of(seconds)
    return Verdict(subject, seconds_text(spread), f"under {most} s", spread.median < most)
