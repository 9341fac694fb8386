"""Processes that each hold one worker and answer messages; who gets which message is the caller's business."""

from __future__ import annotations

import multiprocessing
import signal
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, Protocol, Self

from training.interrupts import interrupts_blocked

# What stands for a wrong setting or file rather than for a fault of the program: told as what it is.
EXPECTED: tuple[type[Exception], ...] = (ValueError, OSError, ImportError)


class Answering(Protocol):
    """A worker: it answers one message after the other."""

    def answer(self, message: Any) -> Any:
        """Does what `message` asks; both are sent through a pipe."""


class Group(Protocol):
    """Workers that answer messages, wherever they are; used as a context, so that none outlives its purpose."""

    def send(self, index: int, message: Any) -> None:
        """Gives `message` to worker `index`."""

    def wait(self) -> list[int]:
        """Waits until a worker has something to tell and returns all that have, ascending."""

    def receive(self, index: int) -> Any:
        """Waits for the answer of worker `index` and returns it."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *raised: Any) -> None: ...


@dataclass(frozen=True)
class Failure:
    """What a process sends in place of an answer."""

    error: str  # the last line of the trace
    trace: str
    kind: type[Exception]  # to be raised


class ProcessGroup:
    """One process per name, each with the worker that `make_worker(argument)` makes there.

    Use it as a context, so that no process outlives its purpose. Processes are spawned: a fork would copy the locks
    of other threads in unknown states.

    Raises:
        RuntimeError: from `send` and `receive`, if a process failed (its trace is a note of the error) or died.
        ValueError, OSError, ImportError: likewise, if it failed with one of these.
    """

    def __init__(self, make_worker: Callable[[Any], Answering], argument: Any, names: Sequence[str]) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipes: list[Connection] = []
        self._processes: list[multiprocessing.process.BaseProcess] = []
        for name in names:
            here, there = context.Pipe()
            process = context.Process(target=_serve, args=(there, make_worker, argument), name=name, daemon=True)
            with interrupts_blocked():  # while it starts, Python would answer Ctrl-C with a trace
                process.start()
            there.close()  # so that the death of the process is seen as the end of the pipe
            self._pipes.append(here)
            self._processes.append(process)

    def __len__(self) -> int:
        return len(self._processes)

    def send(self, index: int, message: Any) -> None:
        """Gives `message` to process `index`."""
        try:
            self._pipes[index].send(message)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise self._death(index) from error

    def receive(self, index: int) -> Any:
        """Waits for the next answer of process `index` and returns it."""
        try:
            answer = self._pipes[index].recv()
        except (EOFError, ConnectionResetError) as error:
            raise self._death(index) from error
        if isinstance(answer, Failure):
            failure = answer.kind(f"process {self._processes[index].name} failed: {answer.error}")
            failure.add_note(answer.trace)
            raise failure
        return answer

    def wait(self) -> list[int]:
        """Waits until a process has something to tell and returns all that have, ascending."""
        ready = wait(self._pipes)
        return [index for index, pipe in enumerate(self._pipes) if pipe in ready]

    def _death(self, index: int) -> RuntimeError:
        process = self._processes[index]
        process.join(timeout=1.0)  # the pipe breaks before the exit code is known
        return RuntimeError(f"process {process.name} died (exit code {process.exitcode})")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends the processes: the closed pipe tells an idle one, a busy one is stopped."""
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.join(timeout=1.0 if error is None else 0.0)
            if process.is_alive():
                process.terminate()
                process.join()


def _serve(pipe: Connection, make_worker: Callable[[Any], Answering], argument: Any) -> None:
    """Answers messages until the other side closes the pipe or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the main process decides
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    # A pipe closed at its other end means that the main process is gone; it has told why, there is nothing to add.
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        try:
            worker = make_worker(argument)
        except Exception as error:  # noqa: BLE001 - told, not hidden
            pipe.recv()
            pipe.send(_failure(error))
            return
        while True:
            pipe.send(_answer(worker, pipe.recv()))


def _answer(worker: Answering, message: Any) -> Any:
    """Returns the answer, or the failure, which the main process raises."""
    try:
        return worker.answer(message)
    except Exception as error:  # noqa: BLE001 - told, not hidden
        return _failure(error)


def _failure(error: Exception) -> Failure:
    kind = next((expected for expected in EXPECTED if isinstance(error, expected)), RuntimeError)
    return Failure(traceback.format_exception_only(error)[-1].strip(), traceback.format_exc(), kind)
