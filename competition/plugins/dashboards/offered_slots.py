"""Slots of the dashboards: places in their replies for the fields of other plugins."""

from datetime import date
from typing import TypedDict
from uuid import UUID

from competition.core.slots import Slot

# The data about one candidate in a season; the key is the candidate's id.
CANDIDATE_DASHBOARD = Slot[UUID](
    "dashboards.candidate",
    (
        "exam_stats",
        "leaderboard_ranking",
        "recent_scores",
        "available_exams",
        "upcoming_exams",
        "concluded_exams",
    ),
)
# The totals of the whole season, which are stored for a minute; the only key is `SEASON`.
SEASON_NUMBERS = Slot[str]("dashboards.season", ("exams", "questions", "scores"))
SEASON = "season"
# The numbers of each of the last 30 days; the key is the day. Like the totals of the season, they
# are stored for a minute.
DAY_NUMBERS = Slot[date]("dashboards.day", ("submissions",))
# The current data on the dashboard of staff; the key is the caller's id.
STAFF_DASHBOARD = Slot[UUID]("dashboards.staff", ("upcoming_exams", "current_exams"))


class Count(TypedDict):
    count: int
