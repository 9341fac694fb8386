"""Runs the engine and the slow twin side by side and names every difference."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import bitblossom_env  # noqa: F401  (registers the games)
from bitblossom_env.core.diagram import position_diagram
from bitblossom_env.core.game import Game, IllegalActionError, Setup, make_setup
from tests.reference.pieces import Cell, chebyshev, default_bases
from tests.reference.rules import TwinRules
from tests.reference.twin import Twin

Arguments = dict[str, Any]  # keyword arguments of the environment
Position = dict[str, Any]
POSITION_FIELDS = ("rows", "cols", "players", "turn", "to_move", "turns_taken", "passes", "retractions")
NOT_RULES = ("num_players", "board_size", "home_bases")


class DifferenceError(AssertionError):
    """The engine and the twin disagree."""


def bases_of(position: Position) -> list[Cell]:
    """Returns the home base of each seat."""
    bases = {seat: (r, c) for r, c, seat, _, is_base, _ in position["pieces"] if is_base}
    return [bases[seat] for seat in range(position["players"])]


def arguments_of(position: Position) -> Arguments:
    """Returns the arguments of the environment in which a position can stand."""
    return {
        "num_players": position["players"],
        "board_size": (position["rows"], position["cols"]),
        "home_bases": bases_of(position),
    } | position["rules"]


@dataclass
class Lockstep:
    """One game, played by the engine and by the twin."""

    arguments: Arguments
    setup: Setup
    game: Game
    twin: Twin

    @classmethod
    def from_position(cls, position: Position) -> Lockstep:
        """Starts from a position; both sides read it from the same JSON text."""
        text = json.dumps(position)
        arguments = arguments_of(position)
        setup = make_setup("bitblossom", arguments)
        game = setup.game_from_position(json.loads(text))
        return cls(arguments, setup, game, Twin.from_position(json.loads(text)))

    @classmethod
    def from_start(cls, arguments: Arguments, seed: int, starting_player: int) -> Lockstep:
        """Starts a new game; the twin takes over where the home bases are."""
        setup = make_setup("bitblossom", arguments)
        game = setup.new_game(np.random.default_rng(seed), starting_player)
        rows, cols = setup.board_shape
        rules = TwinRules.from_json({k: v for k, v in arguments.items() if k not in NOT_RULES}, rows, cols)
        bases = bases_of(game.to_position())
        _check_bases(arguments["home_bases"], bases, (rows, cols))
        twin = Twin(rows, cols, bases, rules=rules, starting_player=starting_player)
        return cls(arguments, setup, game, twin)

    def apply(self, action: int) -> None:
        """Plays one action on both sides."""
        before = self.twin.to_position()
        self.game.apply(action)
        try:
            self.twin.apply(action)
        except ValueError as error:
            raise DifferenceError(self._report([f"the twin refuses the action: {error}"], before, action)) from None

    def check(self, seats: list[int], legal: set[int]) -> None:
        """Compares everything both sides can be asked for; `legal` is the twin's answer for the mask."""
        found = self._mask_differences(legal) + self._state_differences()
        for seat in seats:
            found += self._plane_differences(seat)
        if self.twin.is_over:
            found += self._end_differences()
        self._raise_if(found)

    def check_round_trip(self) -> None:
        """A position read back gives the same game, the engine's as well as the twin's."""
        found = []
        text = json.dumps(self.game.to_position())
        rules = json.loads(text)["rules"]  # the twin writes "auto" as a number
        for source, position in (
            ("engine", json.loads(text)),
            ("twin", self.twin.to_position() | {"rules": rules}),
        ):
            again = self.setup.game_from_position(json.loads(json.dumps(position)))
            if again.hash() != self.game.hash():
                found.append(f"hash after a round trip of the {source}'s position")
            if not np.array_equal(again.legal_mask(), self.game.legal_mask()):
                found.append(f"mask after a round trip of the {source}'s position")
        read = Twin.from_position(json.loads(text))
        if read.planes(0) != self.twin.planes(0) or read.is_over != self.twin.is_over:
            found.append("the twin reads another position than the engine wrote")
        self._raise_if(found)

    def check_clone(self, rng: random.Random, legal: set[int]) -> None:
        """A clone goes its own way, and two placements in either order give the same hash."""
        before, found = self.game.hash(), []
        pair = rng.sample(sorted(legal), min(2, len(legal)))
        hashes = []
        for order in (pair, pair[::-1]):
            clone = self.game.clone()
            played = [action for action in order if action in self.setup.placements and _accepts(clone, action)]
            hashes.append((sorted(played), clone.hash()))
        if hashes[0][0] == hashes[1][0] and hashes[0][1] != hashes[1][1]:
            found.append(f"hash depends on the order of placements {pair}")
        if self.game.hash() != before:
            found.append("an action on a clone changed the game")
        self._raise_if(found)

    def check_refusal(self, rng: random.Random, legal: set[int]) -> None:
        """Illegal actions raise the typed error and change nothing."""
        before, found = self.game.hash(), []
        illegal = [action for action in range(self.setup.num_actions) if action not in legal]
        for action in [-1, self.setup.num_actions, *rng.sample(illegal, min(3, len(illegal)))]:
            try:
                self.game.apply(action)
                found.append(f"illegal action {action} accepted")
            except IllegalActionError:
                pass
        if self.game.hash() != before:
            found.append("an illegal action changed the game")
        self._raise_if(found)

    def _mask_differences(self, legal: set[int]) -> list[str]:
        mask = self.game.legal_mask()
        values = set(mask.tolist())
        if mask.dtype != np.int8 or mask.shape != (self.setup.num_actions,) or not values <= {0, 1}:
            return [f"mask is {mask.dtype} {mask.shape} with values {values}"]
        accepted = set(np.flatnonzero(mask).tolist())
        return [
            f"action {action} ({self.game.describe_action(action)}) is legal only for the "
            + (f"engine; twin: {self.twin.refusals(action)}" if action in accepted else "twin")
            for action in sorted(accepted ^ legal)
        ]

    def _state_differences(self) -> list[str]:
        ours, theirs = self.twin.to_position(), json.loads(json.dumps(self.game.to_position()))
        found = [
            f"{name}: engine {theirs[name]}, twin {ours[name]}"
            for name in POSITION_FIELDS
            if ours[name] != theirs[name]
        ]
        if sorted(ours["pieces"]) != sorted(theirs["pieces"]):
            only_engine = [piece for piece in theirs["pieces"] if piece not in ours["pieces"]]
            only_twin = [piece for piece in ours["pieces"] if piece not in theirs["pieces"]]
            found.append(f"pieces: only engine {only_engine}, only twin {only_twin}")
        if self.game.is_over != self.twin.is_over or (self.game.outcome is None) != (self.twin.outcome is None):
            found.append(f"is_over: engine {self.game.is_over}, twin {self.twin.is_over}")
        if self.game.to_move != self.twin.to_move or self.game.turn != self.twin.turn:
            found.append(f"to_move, turn: engine {self.game.to_move}, {self.game.turn}")
        if self.game.returns().tolist() != pytest.approx(self.twin.returns(), abs=1e-12):
            found.append(f"returns: engine {self.game.returns()}, twin {self.twin.returns()}")
        return found

    def _plane_differences(self, seat: int) -> list[str]:
        planes = self.twin.planes(seat)
        if tuple(planes) != self.setup.plane_names:
            return [f"plane names: engine {self.setup.plane_names}, twin {tuple(planes)}"]
        seen = self.game.observe(seat)
        found = []
        for name, engine_plane in zip(planes, seen.tolist(), strict=True):
            if engine_plane != planes[name]:
                found.append(f"plane {name} seen by seat {seat}:\n{_beside(engine_plane, planes[name])}")
        return found

    def _end_differences(self) -> list[str]:
        theirs, ours = self.game.outcome, self.twin.outcome
        if theirs is None or ours is None:
            return []  # reported as a difference of the state
        pairs = {
            "reason": (theirs.reason.value, ours.reason),
            "winners": (tuple(theirs.winners), ours.winners),
            "areas": (tuple(theirs.areas), ours.areas),
            "ranks": (tuple(theirs.ranks), ours.ranks),
            "owner": (tuple(map(tuple, theirs.owner.tolist())), ours.owner),
            "truncated": (theirs.truncated, ours.truncated),
        }
        return [f"{name}: engine {a}, twin {b}" for name, (a, b) in pairs.items() if a != b]

    def _raise_if(self, found: list[str]) -> None:
        if found:
            raise DifferenceError(self._report(found, self.twin.to_position(), None))

    def _report(self, found: list[str], position: Position, action: int | None) -> str:
        lines = [
            f"arguments: {json.dumps(self.arguments)}",
            f"position: {json.dumps(position)}",
            position_diagram(position),
            f"action: {action}",
            *found,
        ]
        return "\n".join(lines)


def _check_bases(home_bases: Any, bases: list[Cell], board_size: tuple[int, ...]) -> None:
    """R1: where the home bases of a new game are."""
    if home_bases == "random":
        near = [(a, b) for i, a in enumerate(bases) for b in bases[:i] if chebyshev(a, b) < 3]
        if near:
            raise DifferenceError(f"random home bases {near} are nearer than 3")
        return
    expected = default_bases(*board_size, len(bases)) if home_bases == "default" else list(home_bases)
    if bases != expected:
        raise DifferenceError(f"home bases are {bases}; twin: {expected}")


def _accepts(game: Game, action: int) -> bool:
    """Plays the action if it is legal; says whether it was."""
    is_legal = bool(game.legal_mask()[action])
    if is_legal:
        game.apply(action)
    return is_legal


def _beside(engine_plane: list[list[int]], twin_plane: list[list[int]]) -> str:
    """Two planes next to each other, the engine's on the left."""
    rows = zip(engine_plane, twin_plane, strict=True)
    return "\n".join(f"{' '.join(map(str, left))}   |   {' '.join(map(str, right))}" for left, right in rows)
