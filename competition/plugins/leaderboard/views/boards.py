"""Endpoints for reading leaderboards."""

from competition.core.auth.access import StaffRole, candidate, staff
from competition.core.errors import Invalid, NotFound
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.leaderboard import schemas
from competition.plugins.leaderboard.errors import LeaderboardHidden, LeaderboardNotPublished
from competition.plugins.leaderboard.presenters import boards as presenters
from competition.plugins.leaderboard.services import reading

READER = candidate() | staff(StaffRole.MODERATOR)
UNREADABLE = (LeaderboardHidden, LeaderboardNotPublished, NotFound)

leaderboard = Service("/leaderboard/")
snapshots = Service("/leaderboard/snapshots/")
performance = Service(
    "/leaderboard/{stage}/{round}/candidate/{candidate_id}/",
    schemas={
        "stage": schemas.STAGE,
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
    """List the published leaderboards, or read one of them.

    To read a leaderboard, give `stage` and `round`, or `exam_id`. `pagination` pages through
    `remaining_candidates`; `top_three` is the same on every page.
    """
    query = request.validated
    if query["stage"] is None and query["round"] is None and query["exam_id"] is None:
        return presenters.summary(reading.summary(request.work, query))
    page = reading.board(request.work, query)
    return presenters.leaderboard(request.work, page, request.public_url)


@snapshots.get(access=staff(StaffRole.MODERATOR), query=schemas.SnapshotFilters)
def list_snapshots(request: Request) -> presenters.SnapshotList:
    """List the snapshots, the newest first, each with the leaderboards that were published in it.

    `GET /leaderboard/?snapshot=` reads one of them.
    """
    found = reading.page_of_snapshots(request.work, request.validated)
    return presenters.snapshot_list(found, request.public_url)


@performance.get(
    access=READER,
    query=schemas.BoardQuery,
    errors=(Invalid, *UNREADABLE),
    polled=True,
)
def read_performance(
    request: Request, stage: str, round: str, candidate_id: str
) -> presenters.PerformanceDetail:
    """Read a ranked candidate's answers, with the right answers.

    Screening candidates can only read their own answers. If another exam that can still be taken
    asks one of the questions, its right answer is withheld. An exam can still be taken if it is
    scheduled or open. An exam that a candidate has started counts too, until its results are
    published or its answer key is corrected, because staff can open it again or give extra time. As
    long as an answer is withheld, other candidates see none of the answers, and staff don't see the
    answers to withheld questions.
    """
    given = request.validated
    found = reading.performance(
        request.work, stage, round, candidate_id, given["exam_id"], given["season"]
    )
    return presenters.performance(request.work, found, request.language)
