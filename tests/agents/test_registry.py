"""Specs: what they parse to, which are refused and how, and that naming agents loads no network library."""

import subprocess
import sys

import pytest

from agents import make, register
from agents.registry import Spec, parse_spec, usages


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("random", Spec("random", "", {})),
        ("random:any", Spec("random", "any", {})),
        ("checkpoint:runs/a:b/c", Spec("checkpoint", "runs/a:b/c", {})),
        ("checkpoint:PATH?sims=0&t=0.5", Spec("checkpoint", "PATH", {"sims": "0", "t": "0.5"})),
        ("greedy?a=b=c", Spec("greedy", "", {"a": "b=c"})),
        ("greedy?a=", Spec("greedy", "", {"a": ""})),
    ],
)
def test_parts_of_a_spec(text, spec):
    assert parse_spec(text) == spec


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "''"),
        ("nobody", "'nobody'"),
        ("random:some", "'some'"),
        ("random?depth=3", "'depth'"),
        ("random?depth", "'depth'"),
        ("random?=3", "'=3'"),
        ("random?", "''"),
        ("greedy?a=1&a=2", "'a'"),
        ("checkpoint:x?a=1&&b=2", "''"),
    ],
)
def test_a_wrong_spec_is_refused_in_one_line_that_names_it(text, named):
    with pytest.raises(ValueError, match="allowed: ") as caught:
        make(text)
    message = str(caught.value)
    assert named in message
    assert "\n" not in message


def test_an_unknown_name_is_told_every_known_one():
    with pytest.raises(ValueError, match="unknown") as caught:
        make("nobody")
    assert all(usage in str(caught.value) for usage in usages())
    assert {"random", "random:any", "greedy", "checkpoint:PATH"} <= set(usages())


def test_a_registered_factory_gets_argument_and_options():
    register("test-echo", f"{__name__}:make_echo")
    assert make("test-echo:x?k=v").name == "x {'k': 'v'}"


def make_echo(argument, options):
    agent = make("random")
    return type(agent)(name=f"{argument} {options}")


@pytest.mark.parametrize("name", ["", "a:b", "a?b"])
def test_names_that_no_spec_could_reach_are_refused(name):
    with pytest.raises(ValueError, match="allowed: "):
        register(name, "module:make")


def test_naming_agents_loads_neither_torch_nor_numba():
    code = "import sys, agents; agents.make('random'); print({'torch', 'numba'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "set()"
