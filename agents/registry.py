"""Agents by name: what `random`, `greedy` or `checkpoint:runs/first?temperature=0` stand for.

A spec is `name[:argument][?key=value&...]`. The name finds a factory; argument and options are the
factory's own business.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, cast

from agents.base import Agent


class AgentFactory(Protocol):
    """Makes an agent from the argument ("" where a spec has none) and the options of its spec."""

    def __call__(self, argument: str, options: Mapping[str, str]) -> Agent:
        """Returns the agent; raises `ValueError` in one line where the spec names none."""


@dataclass(frozen=True)
class Entry:
    """One kind of agent."""

    factory: str  # "module:attribute"; a string, so that only an agent in use loads its libraries
    usage: tuple[str, ...]  # the specs that error messages offer
    version: int = 1  # rises when the agent plays differently, so that no table of results mixes two players


_ENTRIES: dict[str, Entry] = {
    "random": Entry("agents.random:make", ("random", "random:any")),
    "greedy": Entry("agents.greedy:make", ("greedy",)),
    "cutter": Entry("agents.cutter:make", ("cutter",)),
    "closer": Entry("agents.closer:make", ("closer",)),
    "planner": Entry("agents.planner:make", ("planner",)),
    "solver": Entry("agents.aronda.solver:make", ("solver:POSITIONS",)),
    "mcts": Entry("agents.mcts:make", ("mcts:SIMULATIONS",)),
    "blossom": Entry("agents.blossom:make", ("blossom", "blossom?sims=SIMULATIONS")),
    "checkpoint": Entry("agents.neural.checkpoint_agent:make", ("checkpoint:PATH", "checkpoint:PATH?sims=SIMULATIONS")),
}


@dataclass(frozen=True)
class Spec:
    """The parts of a spec string."""

    name: str
    argument: str
    options: dict[str, str]


def register(name: str, factory: str, usage: tuple[str, ...] = (), version: int = 1) -> None:
    """Makes `make(name)` find `factory`, a `module:attribute` string; error messages offer `usage`.

    `version` is to rise when the agent plays differently.
    """
    if not name or any(sign in name for sign in ":?"):
        raise ValueError(f"agent name {name!r} is not usable; allowed: one without ':' and '?'")
    _ENTRIES[name] = Entry(factory, usage or (name,), version)


def usages() -> tuple[str, ...]:
    """Returns what may be asked for, sorted, for help texts and error messages."""
    return tuple(sorted(usage for entry in _ENTRIES.values() for usage in entry.usage))


def parse_spec(spec: str) -> Spec:
    """Returns the parts of `spec`; a path may hold ':' but no '?', since the first '?' begins the options."""
    head, mark, tail = spec.partition("?")
    name, _, argument = head.partition(":")
    options: dict[str, str] = {}
    for pair in tail.split("&") if mark else ():
        key, sign, value = pair.partition("=")
        if not key or not sign:
            raise ValueError(f"agent spec {spec!r} has the option {pair!r}; allowed: key=value joined by '&'")
        if key in options:
            raise ValueError(f"agent spec {spec!r} gives the option {key!r} twice; allowed: once")
        options[key] = value
    return Spec(name, argument, options)


def is_known(spec: str) -> bool:
    """Returns whether some agent goes by the name that `spec` begins with."""
    return parse_spec(spec).name in _ENTRIES


def version_of(spec: str) -> str:
    """Returns the kind and version of the agent that `spec` describes, for example `greedy 1`."""
    name = parse_spec(spec).name
    return f"{name} {entry_of(spec).version}"


def entry_of(spec: str) -> Entry:
    """Returns the entry of the agent that `spec` describes; raises `ValueError` in one line if there is none."""
    name = parse_spec(spec).name
    if name not in _ENTRIES:
        raise ValueError(f"agent spec {spec!r} is unknown; allowed: {', '.join(usages())}")
    return _ENTRIES[name]


def make(spec: str) -> Agent:
    """Returns the agent that `spec` describes; raises `ValueError` in one line if there is none."""
    parts = parse_spec(spec)
    module_name, attribute = entry_of(spec).factory.split(":")
    factory = cast(AgentFactory, getattr(importlib.import_module(module_name), attribute))
    return factory(parts.argument, parts.options)
