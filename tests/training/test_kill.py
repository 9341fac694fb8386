"""A run that is killed while it saves, again and again, loses at most what came after its last save."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agents.neural.checkpoint_file import read_checkpoint
from training.files import TEMPORARY

ROOT = Path(__file__).parents[2]
NUM_KILLS = 20
SETTINGS = ("--budget.total_env_steps", "100000000", "--rollout.workers", "1", "--checkpoint.every_seconds", "0")


def begin(out, *more):
    """A run that saves after every update, in a process of its own."""
    words = [sys.executable, "-m", "training.cli", "train", "configs/smoke.yaml", "--out", str(out), *SETTINGS, *more]
    return subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)


def last_update(out):
    """The number of the last update that the latest checkpoint holds, 0 if there is none."""
    return read_checkpoint(out).meta["update"] if (out / "checkpoints" / "latest").exists() else 0


def wait_for_update(process, out, update):
    """Waits until a checkpoint of this update or a later one is there."""
    deadline = time.monotonic() + 120
    while last_update(out) < update:
        assert process.poll() is None, process.stderr.read().decode()
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.slow
def test_kills_at_random_moments_lose_at_most_one_interval(tmp_path):
    out, rng, num_torn = tmp_path / "run", random.Random(0), 0
    process, before = begin(out), 0
    for _ in range(NUM_KILLS):
        wait_for_update(process, out, before + 2)  # it went on from where it was
        seen = last_update(out)
        time.sleep(rng.random() * 0.3)  # an update and its saving take about so long
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stderr.close()
        num_torn += any(out.rglob(f"{TEMPORARY}*"))
        before = last_update(out)
        assert before >= seen, "what has been saved stays saved"
        process = begin(out, "--resume")
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    process.stderr.close()
    assert num_torn > 0, "some kills have come in the middle of saving"
