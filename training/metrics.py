"""What a run tells: one JSON object per update, TensorBoard, and a progress bar or plain lines."""

from __future__ import annotations

import json
import time
from collections import Counter, deque
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from torch.utils.tensorboard import SummaryWriter

from training.files import write_bytes
from training.opponents import PAST
from training.records import Rollout

METRICS_FILE = "metrics.jsonl"
_WINDOW = 200  # games over which a win rate is shown; the share moves by about 0.07 by chance
_LINE_EVERY = 15.0  # seconds between two plain lines


class WinRates:
    """The learner's share of wins against each kind of opponent over its last games."""

    def __init__(self, stored: dict[str, list[float]] | None = None) -> None:
        self._recent = {name: deque(shares, _WINDOW) for name, shares in (stored or {}).items()}

    def add(self, rollout: Rollout, variant: int | None) -> None:
        """Books every game with opponents; one of several kinds counts for each kind.

        `variant` parts the games of a run that plays several, None where there is but one.
        """
        tail = "" if variant is None else f" ({variant})"
        results = rollout.results
        for game, players in enumerate(rollout.opponents):
            for kind in sorted({opponent_kind(player) for player in players}):
                share = float(results.win_shares[game][results.learner[game]].sum())
                self._recent.setdefault(kind + tail, deque(maxlen=_WINDOW)).append(share)

    def means(self) -> dict[str, float]:
        """Returns the shares by kind of opponent, sorted."""
        return {name: float(np.mean(shares)) for name, shares in sorted(self._recent.items())}

    def score(self) -> float | None:
        """Returns the mean share against scripted agents, fixed marks as past selves are not; None if none was met."""
        shares = [share for name, share in self.means().items() if name.partition(" (")[0] != PAST]
        return float(np.mean(shares)) if shares else None

    def stored(self) -> dict[str, list[float]]:
        """Returns what a checkpoint keeps."""
        return {name: list(shares) for name, shares in sorted(self._recent.items())}


def opponent_kind(player: str) -> str:
    """Returns the name under which reports count `player`: all past selves are one kind."""
    return PAST if player.startswith(f"{PAST}@") else player


def game_figures(rollout: Rollout) -> dict[str, Any]:
    """Returns what the games of one update looked like."""
    results = rollout.results
    reasons = Counter(rollout.reasons)
    return {
        "games": len(rollout.reasons),
        "decisions": len(rollout.decisions.actions),
        "mean_turns": float(results.turns.mean()),
        "end_reasons": {name: reasons[name] / len(rollout.reasons) for name in sorted(reasons)},
        # Of mixed games only: where the newest network sits everywhere, every seat is the learner's.
        "learner_seats": results.learner[~results.learner.all(1)].sum(0).tolist(),
    }


class Metrics:
    """The written record of one run; use it as a context."""

    def __init__(self, out: Path, resumed_at: int) -> None:
        self._path = out / METRICS_FILE
        _purge(self._path, resumed_at)
        self._file = self._path.open("a", encoding="utf-8")
        self._board = SummaryWriter(str(out / "tensorboard"), purge_step=resumed_at + 1 if resumed_at else None)

    def write(self, row: dict[str, Any]) -> None:
        """Appends one update."""
        self._file.write(json.dumps(row, allow_nan=False) + "\n")
        self._file.flush()
        for name, value in _flat(row):
            self._board.add_scalar(name, value, row["env_steps"])

    def __enter__(self) -> Metrics:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes the files."""
        self._file.close()
        self._board.close()


def _purge(path: Path, env_steps: int) -> None:
    """Keeps the updates up to the checkpoint that is resumed; a line torn by a crash is always a later one."""
    if not path.exists():
        return
    kept = []
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if not line.endswith("\n") or json.loads(line)["env_steps"] > env_steps:
            break
        kept.append(line)
    write_bytes(path, "".join(kept).encode())


def _flat(row: dict[str, Any], prefix: str = "") -> list[tuple[str, float]]:
    pairs: list[tuple[str, float]] = []
    for name, value in row.items():
        if isinstance(value, dict):
            pairs.extend(_flat(value, f"{prefix}{name}/"))
        elif isinstance(value, list):
            pairs.extend(_flat({str(index): item for index, item in enumerate(value)}, f"{prefix}{name}/"))
        else:
            pairs.append((f"{prefix}{name}", float(value)))
    return pairs


class Display:
    """A bar with win rates on a terminal, a plain line now and then elsewhere; use it as a context."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar = Progress(
            TextColumn("{task.fields[text]}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeElapsedColumn(),
            console=console,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("train", total=1.0, text="starting")
        self._last_line = 0.0

    def show(self, row: dict[str, Any], progress: float) -> None:
        """Shows one update and how much of the budget is used, 0..1."""
        rates = " ".join(f"{name} {share:.0%}" for name, share in row["win_rates"].items())
        text = f"update {row['update']} steps {row['env_steps']:,} ({row['steps_per_second']:,.0f}/s) wins: {rates}"
        self._bar.update(self._task, completed=progress, text=text)
        now = time.monotonic()
        if not self._console.is_terminal and now - self._last_line >= _LINE_EVERY:
            self._last_line = now
            self.say(f"{progress:4.0%} {text}")

    def say(self, text: str) -> None:
        """Prints a line of its own."""
        self._console.print(text, highlight=False, soft_wrap=True, markup=False)

    def __enter__(self) -> Display:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leaves the bar as it stands."""
        self._bar.stop()
