"""Engine and twin in lockstep: a state machine that hypothesis drives, and a short fuzz run."""

from __future__ import annotations

import random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests import fuzz, provoke
from tests.lockstep import Lockstep
from tests.painters import PAINTERS
from tests.reference import events

INDICES = st.integers(0, 2**16)  # picks one of the legal actions, whose number varies


class LockstepMachine(RuleBasedStateMachine):
    """Plays one game on both sides and compares them after every action."""

    lockstep: Lockstep

    @initialize(seed=st.integers(0, 2**32), is_painted=st.booleans())
    def start(self, seed: int, is_painted: bool) -> None:
        rng = random.Random(seed)
        arguments = provoke.random_arguments(rng, sides=(3, 5))
        if is_painted:
            painters = rng.choices(PAINTERS, k=2)
            self.lockstep = Lockstep.from_position(provoke.random_position(rng, arguments, painters))
        else:
            self.lockstep = Lockstep.from_start(provoke.random_start(rng, arguments), seed, 0)

    def is_running(self) -> bool:
        return not self.lockstep.twin.is_over

    def play_one_of(self, actions: range, index: int) -> None:
        """Plays one of the legal actions in a range; none if there is none."""
        legal = sorted(self.lockstep.twin.legal_actions() & set(actions))
        if legal:
            self.lockstep.apply(legal[index % len(legal)])

    @precondition(is_running)
    @rule(index=INDICES)
    def place(self, index: int) -> None:
        self.play_one_of(self.lockstep.setup.placements, index)

    @precondition(is_running)
    @rule(index=INDICES)
    def retract(self, index: int) -> None:
        self.play_one_of(self.lockstep.setup.retractions, index)

    @precondition(is_running)
    @rule()
    def end_turn(self) -> None:
        self.lockstep.apply(self.lockstep.setup.end_turn)

    @rule()
    def read_position_back(self) -> None:
        self.lockstep.check_round_trip()

    @rule(seed=st.integers(0, 2**16))
    def try_what_is_illegal(self, seed: int) -> None:
        self.lockstep.check_refusal(random.Random(seed), self.lockstep.twin.legal_actions())

    @invariant()
    def both_sides_agree(self) -> None:
        twin = self.lockstep.twin
        self.lockstep.check(list(range(twin.num_seats)), twin.legal_actions())


TestLockstep = LockstepMachine.TestCase
TestLockstep.settings = settings(max_examples=50, stateful_step_count=20, deadline=None, derandomize=True)


def test_short_fuzz_run():
    report = fuzz.run(seconds=120, seed=3, max_games=80)
    assert report["games"] == 80
    common = (events.OVERLAY, events.ELIMINATION, *events.CAPTURES.values())
    assert {name: report["counts"][name] > 0 for name in common} == dict.fromkeys(common, True)
