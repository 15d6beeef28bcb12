"""Reading leaderboards."""

from competition.core.auth.access import StaffRole, candidate, staff
from competition.core.errors import Invalid, NotFound
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.exams.models import STAGES
from competition.plugins.leaderboard import schemas
from competition.plugins.leaderboard.errors import LeaderboardHidden, LeaderboardNotPublished
from competition.plugins.leaderboard.presenters import boards as presenters
from competition.plugins.leaderboard.services import reading

READER = candidate() | staff(StaffRole.MODERATOR)
UNREADABLE = (LeaderboardHidden, LeaderboardNotPublished, NotFound)

leaderboard = Service("/leaderboard/")
performance = Service(
    "/leaderboard/{stage}/{round}/candidate/{candidate_id}/",
    schemas={
        "stage": {
            "type": "string",
            "enum": [*STAGES],
            "description": "An unknown value is 400.",
        },
        "round": {"type": "integer", "minimum": 1},
        "candidate_id": {
            "type": "string",
            "description": "The candidate's number, or the user's UUID.",
        },
    },
)


@leaderboard.get(access=READER, query=schemas.LeaderboardQuery, errors=UNREADABLE, polled=True)
def read_leaderboard(
    request: Request,
) -> presenters.LeaderboardSummary | presenters.Leaderboard:
    """The leaderboards there are; with `stage` and `round`, or `exam_id`, one of them.

    `pagination` is over `remaining_candidates`. `snapshot` is for staff.
    """
    query = request.validated
    if query["stage"] is None and query["round"] is None and query["exam_id"] is None:
        return presenters.summary(reading.summary(request.work, query))
    page = reading.board(request.work, query)
    return presenters.leaderboard(request.work, page, request.public_url)


@performance.get(access=READER, errors=(Invalid, *UNREADABLE), polled=True)
def read_performance(
    request: Request, stage: str, round: str, candidate_id: str
) -> presenters.PerformanceDetail:
    """A candidate's answers beside the right ones. In screening everybody sees their own only.

    The right answer to a question that another exam asks, now or later, is withheld until that one
    is over. So long, answers are shown to their author alone.
    """
    found = reading.performance(request.work, stage, round, candidate_id)
    return presenters.performance(request.work, found)
