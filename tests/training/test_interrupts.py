"""Ctrl-C held back, and processes that start while it comes."""

import json
import os
import signal
import subprocess
import sys
import threading

import pytest

from training.interrupts import interrupts_held
from training.processes import ProcessGroup


def test_what_is_begun_is_finished_however_often_ctrl_c_comes():
    done = []

    def work():
        with interrupts_held():
            for number in range(3):
                signal.raise_signal(signal.SIGINT)
                done.append(number)

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == [0, 1, 2]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_is_not_hidden_by_ctrl_c():
    def fail():
        with interrupts_held():
            signal.raise_signal(signal.SIGINT)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()


def test_other_threads_hold_nothing():
    handlers = []

    def look():
        with interrupts_held():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert handlers == [signal.default_int_handler]


class Echo:
    """Answers with what it got, or fails as it is told to."""

    def __init__(self, argument):
        self.argument = argument

    def answer(self, message):
        if message == "file":
            raise FileNotFoundError(2, "No such file", self.argument)
        if message == "value":
            raise ValueError("value=1 is none; allowed: 2")
        if message == "fault":
            raise ZeroDivisionError
        return message


@pytest.mark.parametrize(
    ("message", "kind", "text"),
    [
        ("file", OSError, "process p failed: FileNotFoundError: .* No such file: 'name'"),
        ("value", ValueError, "process p failed: ValueError: value=1 is none; allowed: 2"),
        ("fault", RuntimeError, "process p failed: ZeroDivisionError"),
    ],
)
def test_errors_of_a_process_come_as_what_they_are(message, kind, text):
    with ProcessGroup(Echo, "name", ["p"]) as group:
        group.send(0, "hello")
        assert group.receive(0) == "hello"
        group.send(0, message)
        with pytest.raises(kind, match=text) as caught:
            group.receive(0)
        assert "Traceback" in caught.value.__notes__[0]


STARTING = """
import os, signal, time
from tests.training.test_interrupts import Echo
from training.processes import ProcessGroup

if __name__ == "__main__":
    try:
        with ProcessGroup(Echo, "name", ["a", "b"]) as group:
            os.killpg(0, signal.SIGINT)
            time.sleep(5)
    except KeyboardInterrupt:
        print("interrupted")
"""


def test_processes_that_are_starting_say_nothing_at_ctrl_c(tmp_path):
    script = tmp_path / "starting.py"
    script.write_text(STARTING)
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.getcwd()},  # noqa: PTH109 - as a string
        start_new_session=True,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("interrupted\n", "", 0)


def test_a_second_ctrl_c_does_not_cost_the_report(tmp_path):
    path = tmp_path / "report.json"
    words = ["evaluate", "random", "random:any", "--board", "5"]
    words += ["--games", "4000", "--processes", "2"]
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import training.cli; raise SystemExit(training.cli.main())",
            *words,
            "--json",
            str(path),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr.readline().startswith("shards: ")  # a tenth is played
    for _ in range(3):
        os.killpg(process.pid, signal.SIGINT)
    out, _ = process.communicate()
    assert process.returncode == 130
    assert "cut short: 2000 blocks were planned" in out
    assert 0 < json.loads(path.read_text())["agents"][0]["games"] < 4000
