"""Read the dashboards, and check them against the leaderboards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any

from tools.demo import ranking
from tools.demo.boards import Board
from tools.demo.cast import Candidate
from tools.demo.client import Client
from tools.demo.errors import WrongDashboard
from tools.demo.waiting import wait_for

Dashboard = Mapping[str, Any]


@dataclass(frozen=True)
class Dashboards:
    """The dashboards of the best candidate and of staff, and the overview of accounts."""

    candidate: Dashboard
    staff: Dashboard
    overview: Dashboard


def read_own(candidate: Candidate, boards: Sequence[Board]) -> Dashboard:
    """The candidate's dashboard. Raises WrongDashboard if its scores differ from the boards."""
    dashboard: Dashboard = candidate.client.get("/dashboard/candidate/")
    rows = [row for board in boards for row in board.rows if row.user_id == candidate.id]
    scores = [row.score for row in rows]
    expected = {
        "total_exams_taken": len(rows),
        "average_score": ranking.average(rows) if rows else 0,
        "highest_score": max(scores, default=0),
        "lowest_score": min(scores, default=0),
    }
    for name, value in expected.items():
        found = dashboard["exam_stats"][name]
        if Decimal(str(found)) != value:
            raise WrongDashboard(
                f"Wrong {name} of {candidate.full_name}: {found}; expected: {value}."
            )
    return dashboard


def check_ranks(dashboards: Mapping[str, Dashboard], board: Board) -> None:
    """Check the ranks on the dashboards against the board. `dashboards` is by user id.

    The ranks may be lower than on the board, because they include candidates of earlier seasons.
    Raises WrongDashboard.
    """
    ranks = {
        user_id: dashboard["leaderboard_ranking"]["current_rank"]
        for user_id, dashboard in dashboards.items()
    }
    for row in board.rows:
        if (ranks[row.user_id] or 0) < row.rank:
            raise WrongDashboard(f"The dashboard says rank {ranks[row.user_id]}: {row}.")
    for above, below in pairwise(board.rows):
        first, second = ranks[above.user_id], ranks[below.user_id]
        if first > second or (first == second) is not (above.score == below.score):
            raise WrongDashboard(
                f"The dashboards say ranks {first} and {second}: {above}, {below}."
            )


def count_submissions(moderator: Client) -> int:
    """The number of submissions on the dashboard of staff, at most a minute old."""
    return int(_of_staff(moderator)["scores"]["total_submissions"])


def _of_staff(moderator: Client) -> Dashboard:
    dashboard: Dashboard = moderator.get("/dashboard/staff/")
    return dashboard


def read_of_staff(moderator: Client, submissions: int) -> Dashboard:
    """Wait until the dashboard of staff has counted the submissions, and return it. Raises
    DemoError if that takes too long.
    """

    def counted() -> Dashboard | None:
        dashboard = _of_staff(moderator)
        return dashboard if dashboard["scores"]["total_submissions"] >= submissions else None

    return wait_for(counted, f"The dashboard of staff did not count {submissions} submissions")


def read_overview(moderator: Client) -> Dashboard:
    overview: Dashboard = moderator.get("/stats/overview/")
    return overview
