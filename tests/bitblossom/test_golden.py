"""The golden games replay line by line; `make_golden.py` says what a line means and how records are made."""

from __future__ import annotations

import difflib
import re
import subprocess
import sys
from collections import Counter

import pytest

from tests.bitblossom.make_golden import FOLDER, STARTS, read_record, record_path, transcript
from tests.reference import events

COMMAND = "python -m tests.bitblossom.make_golden"
ADVICE = f"""\
If this change is wanted, the same seed and actions now give something else: raise the environment's version, add a line
to CHANGELOG.md, then write the records anew with `{COMMAND}`. If not, the engine is at fault."""
LIST_GAMES = "import bitblossom_env; from bitblossom_env.core.game import game_names; print(*game_names())"
RECORDS = sorted(path.stem for path in FOLDER.glob("*.txt"))


def difference(text: str) -> str:
    """How the record reads when its actions are replayed, against what it says; empty if it is the same."""
    recorded = text.splitlines()
    replayed = transcript(*read_record(text))
    return "\n".join(difflib.unified_diff(recorded, replayed, "recorded", "replayed", lineterm="", n=4))


@pytest.mark.parametrize("name", RECORDS)
def test_record_replays(name):
    found = difference(record_path(name).read_text())
    if found:
        pytest.fail(f"golden game {name}\n{found}\n{ADVICE}", pytrace=False)


@pytest.mark.parametrize("name", sorted({*RECORDS, *STARTS}))
def test_record_starts_as_listed(name):
    assert name in STARTS, f"{record_path(name).name} belongs to no entry of STARTS: delete it or add the entry"
    assert record_path(name).exists(), f"{name} has no record: {COMMAND}"
    start, _ = read_record(record_path(name).read_text())
    assert start == STARTS[name][0], f"the record of {name} is of another start: {COMMAND}"


def test_every_registered_game_has_a_record():
    # Asked in a fresh interpreter: other tests register games of their own in this one.
    listed = subprocess.run([sys.executable, "-c", LIST_GAMES], capture_output=True, text=True, check=True)
    recorded = {read_record(record_path(name).read_text())[0].game for name in RECORDS}
    assert "bitblossom" in listed.stdout.split()
    for game in listed.stdout.split():
        assert game in recorded, f"the registered game {game} has no golden record: add a start to make_golden.py"


def test_records_hold_what_is_rare():
    text = "\n".join(record_path(name).read_text() for name in RECORDS if STARTS[name][0].game == "bitblossom")
    taken = Counter(re.findall(r"(?:takes|,) (ring_orthogonal|ring_diagonal|cut|territory) \d", text))
    assert set(taken) == {"ring_orthogonal", "ring_diagonal", "cut", "territory"}
    assert re.search(r"^    .*\+", text, re.MULTILINE), "no overlay"
    assert re.search(r"^  -[a-z]+\d+ ", text, re.MULTILINE), "no retraction"
    assert "eliminated none" in text
    assert re.search(r"^turn .* eliminated \d", text, re.MULTILINE), "no play on after an elimination"
    ends = set(re.findall(r"^end: (\w+)", text, re.MULTILINE))
    assert ends == set(events.ENDS) - {"all_eliminated"}  # which no unpainted game was seen to reach


@pytest.mark.parametrize(
    ("pattern", "replacement", "shown"),
    [
        (r"^  end ( +\d+ legal, mask) \w{8}", r"  end \1 00000000", r"^-  end +\d+ legal, mask 00000000"),
        (r"^  [a-e]\d  ", "  z9  ", r"^\+  z9 refused: "),
        (r"\+", " ", r"^\+    .*\+"),
        (r"rewards 1 -1", "rewards -1 1", r"^\+  rewards 1 -1$"),
        (r"\nend: [^Z]*", "", r"^\+end: "),
    ],
    ids=["checksum", "unknown action", "board", "rewards", "cut short"],
)
def test_changed_record_is_shown(pattern, replacement, shown):
    text = record_path("two_players").read_text()
    changed, count = re.subn(pattern, replacement, text, count=1, flags=re.MULTILINE)
    assert count == 1
    assert re.search(shown, difference(changed), re.MULTILINE)
