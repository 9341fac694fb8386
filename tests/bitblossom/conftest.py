"""Every drawn position is played by the twin and by the engine."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.bitblossom.adapter import SIDES, Drawn


@pytest.fixture(params=list(SIDES))
def rules_engine(request: pytest.FixtureRequest) -> Callable[..., Drawn]:
    """Starts a drawn position on one side: `rules_engine(text, turn=..., to_move=..., **fields)`."""
    return partial(Drawn, SIDES[request.param])
