"""One training run, from its first game to its last checkpoint."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
import yaml
from rich.console import Console

from agents.neural.checkpoint_file import network_meta, read_checkpoint
from agents.neural.kinds import make_network
from training.checkpoint import CheckpointStore, Counters, checkpoint_files, checkpoint_meta, restore
from training.config import TrainConfig
from training.course import Course
from training.files import write_bytes
from training.metrics import Display, Metrics, WinRates, game_figures
from training.opponents import Frozen, Pool, copy_weights
from training.ppo import Learner, Schedule, Shaping, learnable
from training.records import Job, Rollout
from training.timing import settle
from training.workers import Workers

CONFIG_FILE = "config.yaml"
# Every generator is seeded by (seed, update, purpose, shard): a resumed run draws what it would have drawn anyway.
_FREEZE, _DRAW, _PLAN, _PLAY, _LEARN, _VARIANT = range(6)


def run(config: TrainConfig, out: Path, resume: bool = False) -> None:
    """Trains as `config` says and leaves everything in the folder `out`; `resume` goes on from its last checkpoint.

    Ctrl-C ends the run after the current update with a checkpoint, and raises `KeyboardInterrupt` then; a second
    Ctrl-C abandons the update.
    """
    console = Console()
    store = CheckpointStore(out, config.checkpoint.keep)
    config = settle(_as_before(config, out) if resume else config)
    trainer = Trainer(config, out)
    if resume:
        trainer.restore(out)
        store.drop_after(trainer.counters.env_steps)
    elif store.steps():
        raise ValueError(f"out={str(out)!r} holds a run already; allowed: --resume, or another folder")
    elif config.start_from is not None:
        trainer.start_from(Path(config.start_from))
    out.mkdir(parents=True, exist_ok=True)
    store.sweep()
    write_bytes(out / CONFIG_FILE, yaml.safe_dump(config.as_dict(), sort_keys=False).encode())
    with ExitStack() as stack:
        is_interrupted = stack.enter_context(_catch_interrupt())
        workers = stack.enter_context(Workers(config))
        metrics = stack.enter_context(Metrics(out, trainer.counters.env_steps))
        display = stack.enter_context(Display(console))
        trainer.start_clock()
        last_saved = time.monotonic()
        while not trainer.is_done and not is_interrupted.is_set():
            row = trainer.update(workers)
            metrics.write(row)
            display.show(row, trainer.progress)
            if time.monotonic() - last_saved >= config.checkpoint.every_seconds:
                trainer.save(store)
                last_saved = time.monotonic()
        folder = trainer.save(store)
        display.say(f"checkpoint: {folder}")
        if is_interrupted.is_set():
            display.say(f"interrupted; go on with: bitblossom train {out / CONFIG_FILE} --out {out} --resume")
            raise KeyboardInterrupt


def _as_before(config: TrainConfig, out: Path) -> TrainConfig:
    """Returns `config` with choices that it leaves open made as in the run to go on with."""
    stored = read_checkpoint(out).meta["config"].get("compute", {})
    made = {name: stored.get(name) for name in ("precision", "compile") if getattr(config.compute, name) is None}
    return replace(config, compute=replace(config.compute, **made))


class Trainer:
    """Everything that changes in the course of a run."""

    def __init__(self, config: TrainConfig, out: Path) -> None:
        self.config = config
        self.counters = Counters()
        self._course = Course(config)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed)
            network = make_network(config.network, self._course.setups[0])
        self.learner = Learner(network, config.ppo, out)
        self.pool = Pool(config.opponents.pool_size)
        self._win_rates = WinRates()
        self._clock_zero = time.monotonic()
        self._last_update_seconds = 0.0

    @property
    def progress(self) -> float:
        """Share of the budget that is used, 0..1."""
        return self.config.budget.progress(self.counters.env_steps, self.counters.seconds)

    @property
    def schedule(self) -> Schedule:
        """The settings that change in the course of the run, as they stand now."""
        return Schedule.at(self.config.ppo, self.progress)

    @property
    def is_done(self) -> bool:
        """Whether one more update would break the budget."""
        expected_end = self.counters.seconds + self._last_update_seconds
        return self.config.budget.progress(self.counters.env_steps, expected_end) >= 1.0

    def start_clock(self) -> None:
        """Counts the run's seconds from now, on top of those before a resume."""
        self._clock_zero = time.monotonic() - self.counters.seconds

    def update(self, workers: Workers) -> dict[str, Any]:
        """Plays and learns once; returns the line for the metrics."""
        started = time.monotonic()
        if self.counters.update % self.config.opponents.snapshot_every == 0:
            self.pool.freeze(self.learner.network, self.counters.env_steps, self._rng(_FREEZE))
        past = self.pool.draw(self.config.opponents.past_per_update, self._rng(_DRAW))
        variant = self._course.draw(self.progress, self._rng(_VARIANT))
        rollout = workers.play(self._jobs(variant, past, workers.num_workers))
        played = time.monotonic()
        schedule = self.schedule
        figures = self._learn(rollout, variant, schedule, workers)
        self._win_rates.add(rollout, variant if len(self._course.setups) > 1 else None)
        now = time.monotonic()
        self._last_update_seconds = now - started
        self.counters.update += 1
        self.counters.env_steps += rollout.env_steps
        self.counters.seconds = now - self._clock_zero
        return {
            **vars(self.counters),
            "variant": variant,
            "losses": figures,
            "win_rates": self._win_rates.means(),
            **game_figures(rollout),
            "schedule": schedule._asdict(),
            "steps_per_second": rollout.env_steps / (now - started),
            "seconds_by_part": {
                "env": rollout.env_seconds,
                "inference": rollout.inference_seconds,
                "rollout": played - started,
                "learning": now - played,
            },
        }

    def _learn(self, rollout: Rollout, variant: int, schedule: Schedule, workers: Workers) -> dict[str, float]:
        if len(rollout.decisions.actions) == 0:
            return {}
        symmetries = self._course.symmetries[variant]
        shaping = Shaping(schedule.area_reward, self.config.gumbel.surprise_weight if self.config.gumbel else 0.0)
        data = learnable(rollout.decisions, rollout.results, symmetries, self.config.ppo, shaping)
        figures = self.learner.update(data, variant, schedule, workers, self._rng(_LEARN))
        residual = data.value_targets - torch.from_numpy(rollout.decisions.values)
        explained = 1.0 - residual.var() / data.value_targets.var().clamp(min=1e-8)
        return {**figures, "explained_variance": float(explained)}

    def _jobs(self, variant: int, past: list[Frozen], num_workers: int) -> list[Job]:
        """Returns the fixed share of each process."""
        plans = self._course.planners[variant].plan(past, self.config.rollout.games_per_update, self._rng(_PLAN))
        weights = copy_weights(self.learner.network)
        frozen = {member.name: member.checked() for member in past}
        bounds = np.linspace(0, len(plans), num_workers + 1).astype(int)
        return [
            Job(variant, plans[low:high], weights, frozen, (self.config.seed, self.counters.update, _PLAY, shard))
            for shard, (low, high) in enumerate(pairwise(bounds))
        ]

    def save(self, store: CheckpointStore) -> Path:
        """Writes a checkpoint and returns its folder."""
        files = checkpoint_files(self.learner, self.pool, self.counters, {"wins": self._win_rates.stored()})
        meta = checkpoint_meta(self.config, self.counters, self._win_rates.score())
        return store.save(files, meta, self.counters.env_steps)

    def start_from(self, path: Path) -> None:
        """Takes over the weights of another run, and nothing else of it."""
        checkpoint = read_checkpoint(path)
        if checkpoint.network_config != self.config.network:
            raise ValueError(
                f"start_from={str(path)!r} holds a network of {network_meta(checkpoint.network_config)}; "
                f"allowed: one of {network_meta(self.config.network)}"
            )
        self.learner.network.load_state_dict(checkpoint.weights)

    def restore(self, path: Path) -> None:
        """Goes back to the checkpoint that `path` means."""
        self.pool, self.counters, report = restore(path, self.config, self.learner)
        self._win_rates = WinRates(report["wins"])

    def _rng(self, purpose: int) -> np.random.Generator:
        return np.random.default_rng((self.config.seed, self.counters.update, purpose))


@contextmanager
def _catch_interrupt() -> Iterator[threading.Event]:
    """Yields an event that the first Ctrl-C sets; a second one interrupts as usual."""
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event  # only the main thread may catch signals
        return
    previous = signal.getsignal(signal.SIGINT)

    def catch(*_: object) -> None:
        event.set()
        signal.signal(signal.SIGINT, previous)

    signal.signal(signal.SIGINT, catch)
    try:
        yield event
    finally:
        signal.signal(signal.SIGINT, previous)
