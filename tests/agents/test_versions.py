"""An agent that plays differently has a new version."""

import json

import pytest

from agents.registry import _ENTRIES, parse_spec, version_of
from tests.agents.make_play import FILE, SPECS, hash_of_blossom, play

PLAYED = json.loads(FILE.read_text())


@pytest.mark.parametrize("spec", SPECS)
def test_an_agent_plays_as_its_version_has_always_played(spec):
    version, checksum = PLAYED[spec]
    assert version_of(spec) == version, "then write its play down: python -m tests.agents.make_play"
    assert play(spec) == checksum, f"{spec} plays differently: raise its version in agents/registry.py"


def test_the_solver_solves_in_its_games():
    assert PLAYED["solver:1000"][1]["aronda"] != PLAYED["greedy"][1]["aronda"]


def test_other_weights_have_another_version():
    assert PLAYED["blossom"] == [version_of("blossom"), hash_of_blossom()]


def test_all_agents_of_ours_are_watched():
    watched = {parse_spec(spec).name for spec in PLAYED}
    assert watched == {name for name, entry in _ENTRIES.items() if entry.factory.startswith("agents.")} - {"checkpoint"}
    assert set(PLAYED) == {*SPECS, "blossom"}
