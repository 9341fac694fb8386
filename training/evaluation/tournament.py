"""A table of results that grows: who is in it, who can still play, and which games are missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from agents import Agent, make
from agents.registry import version_of
from training.evaluation.contest import Contest, Plan
from training.evaluation.ledger import Entrant, Ledger
from training.evaluation.report import Report, make_report
from training.evaluation.schedule import Block, Lineup, Pairing, make_lineups, make_rounds


@dataclass(frozen=True)
class Field:
    """The agents of a table."""

    agents: Mapping[str, Agent]  # those that can play, by name, ascending
    gone: Mapping[str, str]  # those that only their stored games speak for, and why they cannot play


def gather(ledger: Ledger, contest: Contest) -> Field:
    """Returns the agents of the table together with those of `contest`, which have shown that they can play.

    Raises:
        ValueError: an agent of the contest is another than the one that has played under its name.
    """
    plan = contest.plan
    agents = dict(zip(plan.names, contest.agents, strict=True))
    for name, spec in zip(plan.names, plan.specs, strict=True):
        ledger.enter(name, entrant_of(spec, agents[name]))
    gone: dict[str, str] = {}
    for name, entrant in ledger.entrants.items():
        if name in agents:
            continue
        try:
            agent = make(entrant.spec)
        except (ValueError, OSError, ImportError) as error:
            gone[name] = str(error)
            continue
        if entrant_of(entrant.spec, agent) == entrant:
            agents[name] = agent
        else:
            gone[name] = "it has changed since"
    return Field(dict(sorted(agents.items())), gone)


def entrant_of(spec: str, agent: Agent) -> Entrant:
    """Returns what the table keeps of an agent: its version, and an `identity` where its files may change."""
    return Entrant(spec, " ".join([version_of(spec), *filter(None, [getattr(agent, "identity", None)])]))


def plan_missing(
    ledger: Ledger, field: Field, pairing: Pairing, plan: Plan, num_games: int
) -> tuple[Plan, list[Block]]:
    """Returns the blocks that each pair of `pairing` lacks of `num_games` games, and the plan to play them by.

    Args:
        ledger: what has been played.
        field: who can play.
        pairing: who shall meet, agents counted as in `field.agents`.
        plan: the game, seed and starts; its agents do not matter.
        num_games: least number of games of two agents, whichever of them is the single one at a table.
    """
    if num_games < 1:
        raise ValueError(f"games={num_games} is out of range; allowed: 1 or more")
    names = tuple(field.agents)
    num_seats = plan.setup.num_seats
    if ledger.blocks and len(names) < 2:
        return plan, []  # a table whose other agents are gone can still be looked at
    lineups = make_lineups(pairing, len(names), num_seats)
    games_per_round = num_seats * (1 if num_seats == 2 else 2)  # of one pair: from three seats on both ways round
    wanted = make_rounds(lineups, names, -(-num_games // games_per_round))
    missing = [block for block in wanted if (named(block.lineup, names), block.round) not in ledger.blocks]
    # Only agents that have games to play are loaded by every process.
    busy = sorted({agent for block in missing for agent in block.lineup})
    places = {agent: place for place, agent in enumerate(busy)}
    specs = tuple(ledger.entrants[names[agent]].spec for agent in busy)
    return (
        replace(plan, names=tuple(names[agent] for agent in busy), specs=specs),
        [replace(block, lineup=tuple(places[agent] for agent in block.lineup)) for block in missing],
    )


def named(lineup: Lineup, names: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the names of a line-up, ascending."""
    return tuple(names[agent] for agent in lineup)


def open_contest(plan: Plan, field: Field) -> Contest:
    """Returns the contest of `plan` between agents of `field`."""
    return Contest(plan, [field.agents[name] for name in plan.names])


def report_of(ledger: Ledger, plan: Plan) -> Report:
    """Returns the report on all stored blocks, the best rated agent first."""
    names = sorted(ledger.entrants)
    report = make_report(plan.setup, names, ledger.results(names), plan.seed)
    best_first = sorted(report.agents, key=lambda row: (-row.rating, row.name))
    return report.in_order([row.name for row in best_first])
