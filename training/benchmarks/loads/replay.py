"""Ends of turns that take a stone and replay a history, whose stones came in few turns or in many."""

from __future__ import annotations

from collections.abc import Sequence

from bitblossom_env.core.game import Game, Position
from training.benchmarks.loads.repeated import Cases, RepeatedSteps, game_of
from training.benchmarks.positions import replay

KINDS = {"open walls": False, "closed walls": True}
NO_CAPTURE = "nothing taken"


def checked_game(position: Position) -> Game:
    """Returns the game of a position in which ending the turn takes exactly one piece, else raises `ValueError`."""
    game = game_of(position)
    after = game.clone()
    after.apply(end_turn_of(game))
    num_taken = len(game.to_position()["pieces"]) - len(after.to_position()["pieces"])
    if num_taken != 1:
        raise ValueError(f"the end of the turn takes {num_taken} pieces; allowed: one, whatever the history")
    return game


def end_of_turn(game: Game) -> RepeatedSteps:
    """Returns the end of the turn as a repeated step."""
    return RepeatedSteps(game, [end_turn_of(game)])


def end_turn_of(game: Game) -> int:
    """Returns the action that ends a turn."""
    if game.setup.end_turn is None:
        raise ValueError(f"turns of {game.setup.game_name!r} end by themselves; allowed: a game in which they do not")
    return game.setup.end_turn


def prepare(side: int, histories: Sequence[int]) -> Cases:
    """Returns one case for each kind of wall and number of turns, and the same turns with nothing taken."""
    cases = {}
    for kind, is_closed in KINDS.items():
        for num_turns in histories:
            cases[f"{kind}/{num_turns}"] = end_of_turn(checked_game(replay(side, num_turns, is_closed)))
        quiet = game_of(replay(side, max(histories), is_closed, has_capture=False))
        cases[f"{kind}/{NO_CAPTURE}"] = end_of_turn(quiet)
    return Cases(cases)
