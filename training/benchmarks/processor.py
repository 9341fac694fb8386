"""The processor: its name, the cores that may be used, and what keeps a process to one thread."""

from __future__ import annotations

import os
import platform
from pathlib import Path

# Read by libraries when they load, so they must stand in the environment of a new process.
SINGLE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}


def usable_cores() -> list[int]:
    """Returns the cores that this process may use, ascending."""
    return sorted(os.sched_getaffinity(0))


def quiet_core() -> int:
    """Returns the core for whatever runs alone: the last one, as the first serves most interrupts."""
    return usable_cores()[-1]


def processor_name() -> str:
    """Returns the name of the processor as the system knows it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
