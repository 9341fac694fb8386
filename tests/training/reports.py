"""Reports made up for tests of what is made from reports."""

from training.evaluation.report import AgentRow, Report


def agent_row(name, rating=0.0, rating_ci=None, **fields):
    """The row of an agent whose interval, unless given, reaches 50 points down and 75 up."""
    values = {
        "name": name,
        "games": 40,
        "wins": 19,
        "draws": 2,
        "win_share": 0.5,
        "win_share_ci": (0.375, 0.625),
        "mean_rank": 1.5,
        "mean_area": 12.25,
        "rating": rating,
        "rating_ci": (rating - 50.0, rating + 75.0) if rating_ci is None else rating_ci,
        "seat_shares": (0.25, 0.75),
        "illegal_actions": 0,
        "seconds_per_turn": 0.0012345,
    }
    return AgentRow(**(values | fields))


def report_of(rows, matrix=None):
    """A report on `rows`; unless a matrix is given, every two agents met 8 times, and who stands first won 6."""
    count = len(rows)
    if matrix is None:
        matrix = [[0.0 if i == j else 6.0 if i < j else 2.0 for j in range(count)] for i in range(count)]
    return Report(
        version=1,
        rules={"game": "bitblossom"},
        agents=tuple(rows),
        matrix=tuple(tuple(row) for row in matrix),
        distinct_games=10,
    )
