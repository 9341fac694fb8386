"""Two cores: whether they are idle, and what a second one brings."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import Any

from training.benchmarks.contest import Contestant, Pace, Run, Spread, Worker, run_rounds
from training.benchmarks.parts.common import BOARDS, Board, data_of
from training.benchmarks.processor import usable_cores
from training.benchmarks.report import NOT_MEASURABLE, Part, Table, Verdict, rate_text, ratio_text, rounded

TARGET = 1.8  # times as many steps with two threads on two cores as with one
IDLE = 0.95  # part of a core, and of their lonely pace, that two processes must have side by side
NUM_ENVS = 2048  # enough work for a step that waking a thread does not count
NUM_TRIALS = 3
TRIAL_SECONDS = 1.0
ABOUT_GAIN = (
    "The gain is the number of cores kept busy, times what a step costs in CPU time with one thread over what it costs "
    "with two: where it falls short, the first column says how much is waiting, the second how much is slower work."
)


@dataclass(frozen=True)
class IdleCheck:
    """How two pinned processes with one thread each get on side by side; None with fewer than two cores."""

    kept: Spread | None  # part of the pace that each had alone
    core_share: Spread | None  # part of the time in which the less lucky one had its core

    @property
    def is_idle(self) -> bool:
        """Whether two cores were there for the asking in every trial."""
        return all(spread is not None and spread.low >= IDLE for spread in (self.kept, self.core_share))

    @property
    def text(self) -> str:
        """What was found, in a sentence or two."""
        if self.kept is None or self.core_share is None:
            return "this process may use one core only."
        return (
            f"two pinned single-thread processes had their cores for {percents(self.core_share)} of the time and kept "
            f"{percents(self.kept)} of their lonely pace side by side; two idle cores show {100 * IDLE:.0f} % or more "
            "of both in every trial."
        )


def percents(spread: Spread) -> str:
    """Returns shares as text."""
    return f"{100 * spread.median:.0f} % ({100 * spread.low:.0f}..{100 * spread.high:.0f})"


def check_idle() -> IdleCheck:
    """Returns how two pinned processes get on."""
    cores = usable_cores()[:2]
    if len(cores) < 2:
        return IdleCheck(None, None)
    with ExitStack() as stack:
        workers = [stack.enter_context(Worker(Contestant("spin", {}, [core]))) for core in cores]
        trials = [run_trial(workers, TRIAL_SECONDS) for _ in range(NUM_TRIALS)]
    return IdleCheck(Spread.of(kept for kept, _ in trials), Spread.of(share for _, share in trials))


def run_trial(workers: list[Worker], seconds: float) -> tuple[float, float]:
    """Returns the part of their lonely pace that workers keep side by side, and the least share of a core."""
    alone = sum(worker.measure(seconds)["rate"] for worker in workers)
    for worker in workers:
        worker.begin(seconds)
    answers = [worker.answer() for worker in workers]
    return sum(answer["rate"] for answer in answers) / alone, min(answer["core_share"] for answer in answers)


def measure(pace: Pace) -> Part:
    """Returns the part of the report; to be called first. Without idle cores before and after nothing is judged."""
    before = check_idle()
    if not before.is_idle:
        return report([before], {})
    contestants = {
        label(board, num_threads): Contestant("threads", arguments(board.arguments, num_threads), usable_cores()[:2])
        for board in BOARDS
        for num_threads in (1, 2)
    }
    runs = run_rounds(contestants, pace, "cores")
    return report([before, check_idle()], runs)


def report(checks: list[IdleCheck], runs: dict[str, Run]) -> Part:
    """Returns the part of the report for the checks before and after, and the runs by label if there are any."""
    part = Part("cores", "Two cores", data=data_of(runs) | {"idle": [asdict(check) for check in checks]})
    part.notes = [f"{when}: {check.text}" for when, check in zip(("Before", "After"), checks, strict=False)]
    if runs:
        part.tables = [gain_table(runs)]
        part.notes.append(ABOUT_GAIN)
    is_idle = all(check.is_idle for check in checks)
    for board in BOARDS:
        subject = f"BatchEnv {board.label}, two cores"
        if is_idle:
            gain = gain_of(runs, board)
            part.verdicts.append(Verdict(subject, ratio_text(gain), f"{TARGET}x", gain.median >= TARGET))
        else:
            part.verdicts.append(Verdict(subject, NOT_MEASURABLE, f"{TARGET}x", None))
    return part


def gain_table(runs: dict[str, Run]) -> Table:
    """Returns the rates with one thread and two, the gain, and what it is made of."""
    rows = [["", "one thread, steps/s", "two threads, steps/s", "gain", "cores busy", "CPU a step, ns: one, two"]]
    for board in BOARDS:
        one, two = (runs[label(board, num_threads)] for num_threads in (1, 2))
        busy = Spread.of(answer["cpu"] / answer["elapsed"] for answer in two.answers)
        costs = [Spread.of(1e9 * answer["cpu"] / answer["steps"] for answer in run.answers) for run in (one, two)]
        rates = [rate_text(Spread.of(steps_a_second(run))) for run in (one, two)]
        cost_text = ", ".join(rounded(cost.median) for cost in costs)
        rows.append([board.label, *rates, ratio_text(gain_of(runs, board)), f"{busy.median:.2f}", cost_text])
    return Table(f"`BatchEnv` with {NUM_ENVS} games, by the clock, the choice of actions left out", rows)


def gain_of(runs: dict[str, Run], board: Board) -> Spread:
    """Returns how many times as many steps two threads make, round by round."""
    one, two = (steps_a_second(runs[label(board, num_threads)]) for num_threads in (1, 2))
    return Spread.of(b / a for a, b in zip(one, two, strict=True))


def label(board: Board, num_threads: int) -> str:
    """Returns the name of a contestant."""
    return f"{board.label}, threads: {num_threads}"


def arguments(board: dict[str, Any], num_threads: int) -> dict[str, Any]:
    """Returns the arguments of the load; games need not be mixed to be shared out evenly."""
    return board | {"num_envs": NUM_ENVS, "num_threads": num_threads, "is_mixed": False}


def steps_a_second(run: Run) -> list[float]:
    """Returns steps a second by the clock on the wall, round by round."""
    return [answer["steps"] / answer["elapsed"] for answer in run.answers]
