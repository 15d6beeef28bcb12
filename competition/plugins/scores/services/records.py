"""A candidate's exams: those that the candidate has taken, and those that are open, announced or
over."""

from dataclasses import dataclass, replace
from datetime import datetime
from operator import attrgetter
from typing import Any, get_args
from uuid import UUID

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    DateTime,
    Float,
    Integer,
    Row,
    Select,
    and_,
    bindparam,
    case,
    cast,
    exists,
    join,
    or_,
    outerjoin,
    select,
)
from sqlalchemy.orm import InstrumentedAttribute

from competition.core.auth.access import CandidateRole
from competition.core.messages import Message
from competition.core.seasons import current as seasons
from competition.core.seasons.models import PastSeason
from competition.core.users.models import User
from competition.core.users.personal_data import personal_data
from competition.core.work import Work
from competition.plugins.exams.models import Exam, FrozenPaper, Paper
from competition.plugins.exams.services import eligibility, papers
from competition.plugins.scores.models import Score
from competition.plugins.scores.presenters.records import Enrollment
from competition.plugins.scores.presenters.scores import LeaderboardRanking
from competition.plugins.scores.services import visibility
from competition.plugins.scores.services.standings import STANDINGS
from competition.plugins.scores.services.statistics import candidate as statistics
from competition.plugins.sittings.models import Attempt, Submission

# A score with its submission and paper. Both may be missing for a score that staff gave.
TakenExam = tuple[Score, Submission | None, FrozenPaper | None]
NOW = bindparam("now", type_=DateTime(timezone=True))
# The statuses of exams that are listed; such exams have dates.
LISTED = ("scheduled", "ongoing", "concluded")
# The columns of an exam that a list needs.
EXAM_COLUMNS = (
    Exam.id,
    Exam.title,
    Exam.stage,
    Exam.round,
    Exam.description,
    Exam.scheduled_date,
    Exam.closes_at,
    Exam.countdown_minutes,
    Exam.open_duration_hours,
    Exam.deleted_at,
    Exam.season_id,
    Exam.is_current,
)


@dataclass(frozen=True)
class Progress:
    """A candidate's rank, scores and exams. All rows have the columns of `PROGRESS`.

    `scored` are the scores that the caller may see by now, the latest first. `available` are the
    open exams of the candidate's stage, done or not (decisions G28). `upcoming` are the scheduled
    exams of this stage. Both are in the order in which the exams open. `concluded` are the exams of
    this stage and of earlier stages that are over, the latest first. Exams without questions are
    only `upcoming`.
    """

    ranking: LeaderboardRanking
    scored: list[Row[Any]]
    available: list[tuple[Row[Any], Enrollment]]
    upcoming: list[Row[Any]]
    concluded: list[tuple[Row[Any], Enrollment]]


def exams_taken(work: Work, candidate_id: UUID) -> list[TakenExam]:
    """The exams in which the candidate has a score that the caller may see, the latest first.

    They are of the season that the request has chosen with `seasons.ask`, by default the current
    season.
    """
    scores = statistics.scores(work, candidate_id, seasons.asked(work))
    handed_in = {
        submission.exam_id: (submission, papers.value(work, paper))
        for submission, paper in work.db.execute(
            select(Submission, Paper)
            .join(Paper, Paper.exam_id == Submission.exam_id)
            .where(Submission.candidate_id == candidate_id)
        )
    }
    return [(score, *handed_in.get(score.exam_id, (None, None))) for score in scores]


def progress(work: Work, candidate_id: UUID) -> Progress:
    """The candidate's rank, scores and exams, as far as the caller may see them, in the season that
    the request has chosen with `seasons.ask`, by default the current season."""
    audience = visibility.audience_of(work)
    standings = STANDINGS[audience].read(work)
    season_id = seasons.asked(work)
    statements = PROGRESS if season_id is None else PROGRESS_IN_SEASON
    values = statistics.total_and_rank_values(work, candidate_id, standings)
    known = {**values, "now": work.now, "season": season_id}
    rows = work.db.execute(statements[audience], known).all()
    candidate = rows[0]
    listed = [row for row in rows if row.status in LISTED and row.deleted_at is None]
    # Nobody can start an exam without questions.
    offered = [row for row in listed if row.question_count or row.is_done]
    past = None if season_id is None else _past(work, candidate_id, season_id)
    # The stage that the candidate had reached in the season.
    passed = _stages_until(candidate.role if past is None else past.stage)
    return Progress(
        ranking=statistics.ranking_of(standings, candidate, season_id),
        scored=sorted(
            (row for row in rows if row.value is not None),
            key=attrgetter("recorded_at", "score_id"),
            reverse=True,
        ),
        available=[
            (row, "done" if row.is_done else "not_done")
            for row in offered
            if row.status == "ongoing" and eligibility.is_for(row, candidate)
        ],
        upcoming=[
            row
            for row in listed
            if row.status == "scheduled" and eligibility.is_for(row, candidate)
        ],
        concluded=[
            (row, _enrollment(row, past))
            for row in reversed(offered)
            if row.status == "concluded"
            and (row.stage in passed or (season_id is not None and row.is_done))
        ],
    )


def _past(work: Work, candidate_id: UUID, season_id: int) -> PastSeason | None:
    """The candidate's record of an ended season, or None if they had not joined the season."""
    past = work.db.get(PastSeason, (candidate_id, season_id))
    return past if past is not None and past.had_joined else None


def _stages_until(role: str) -> list[CandidateRole]:
    roles = list(CandidateRole)
    return roles[: roles.index(CandidateRole(role)) + 1]


def _progress(
    audience: visibility.Audience, is_of_season: ColumnElement[bool] | InstrumentedAttribute[bool]
) -> Select[Any]:
    """SELECT of the candidate with total score and rank, joined to each exam of the season that has
    a date, or in which the candidate has a score. The exams are in the order of their dates.

    If there is no such exam, the result is one row without an exam.
    """
    # Without MATERIALIZED, PostgreSQL would compute the total again for each exam.
    candidate = statistics.total_and_rank(audience).cte("candidate").prefix_with("MATERIALIZED")
    candidate_id: BindParameter[UUID] = bindparam("candidate_id")
    of_candidate = and_(Score.exam_id == Exam.id, Score.candidate_id == candidate_id)
    has_handed_in = exists().where(
        Submission.exam_id == Exam.id, Submission.candidate_id == candidate_id
    )
    is_scored = Score.exam_id.is_not(None)
    # The rank is as of the latest ranking, and everything else as of now.
    shown = visibility.score_shown_to(audience, replace(visibility.LATER, at=NOW))
    is_seen = and_(is_scored, shown)
    columns: tuple[Any, ...] = (
        *candidate.c,
        *EXAM_COLUMNS,
        Exam.question_count.label("question_count"),
        Exam.status_at(NOW).label("status"),
        or_(is_scored, has_handed_in).label("is_done"),
        case((is_seen, Score.value)).label("value"),
        Score.id.label("score_id"),
        Score.recorded_at,
    )
    exams = join(Exam, Score, of_candidate, isouter=True)
    has_a_date = Exam.scheduled_date.is_not(None)
    return (
        select(*columns)
        .select_from(outerjoin(candidate, exams, and_(is_of_season, or_(has_a_date, is_scored))))
        .order_by(Exam.scheduled_date, Exam.id)
    )


PROGRESS: dict[visibility.Audience, Select[Any]] = {
    audience: _progress(audience, Exam.is_current) for audience in get_args(visibility.Audience)
}
# The same statements for the season of the parameter `season`. A past season has no live ranks.
PROGRESS_IN_SEASON: dict[visibility.Audience, Select[Any]] = {
    audience: _progress(audience, Exam.season_id == bindparam("season", type_=Integer()))
    for audience in get_args(visibility.Audience)
}


def _enrollment(row: Row[Any], past: PastSeason | None) -> Enrollment:
    """The candidate's enrollment in an exam that is over.

    `past` is the candidate's PastSeason if the exam's season has ended and the candidate had joined
    the season; otherwise None.

    An exam counts as `missed` only if the candidate had registered, and joined its season, before
    it closed (decisions G27).
    """
    if row.is_done:
        return "done"
    at = _joined_at(row, past)
    return "missed" if at is not None and at < row.closes_at else "not_done"


def _joined_at(row: Row[Any], past: PastSeason | None) -> datetime | None:
    """When the candidate joined the season of the exam; None if they have not. If everybody counts
    as joined, this is the time of the registration."""
    if past is not None:
        at = past.joined_at
    elif row.is_current and eligibility.has_joined(row, row):
        at = row.season_joined_at if row.season == row.season_id else None
    else:
        return None
    registered: datetime = row.date_joined
    return registered if at is None else max(registered, at)


def export(work: Work, user: User) -> list[dict[str, Any]]:
    """The exams that the user has started or has a score in, the earliest first.

    Each has the submitted answers, one character per question in the order of the paper, and the
    score if candidates can see it by now.
    """
    is_seen = visibility.score_shown_to("candidates", visibility.now(work))
    rows = work.db.execute(
        select(
            Exam.id.label("exam"),
            Exam.title,
            Attempt.started_at,
            Submission.submitted_at,
            Submission.handed_in_by,
            Submission.answers,
            cast(Score.value, Float).label("score"),
        )
        .outerjoin(Attempt, and_(Attempt.exam_id == Exam.id, Attempt.candidate_id == user.id))
        .outerjoin(
            Submission, and_(Submission.exam_id == Exam.id, Submission.candidate_id == user.id)
        )
        .outerjoin(Score, and_(Score.exam_id == Exam.id, Score.candidate_id == user.id, is_seen))
        .where(or_(Attempt.exam_id.is_not(None), Score.exam_id.is_not(None)))
        .order_by(Exam.scheduled_date, Exam.id)
    )
    return [dict(row._mapping) for row in rows]


@personal_data(
    "records",
    export=export,
    kind="candidate",
    withheld=Message("scores, until candidates can see them"),
    remains=Message("your answers and scores in exams, and when you started and submitted"),
)
def erase(work: Work, user: User) -> None:
    """Do nothing: answers and scores stay, linked to the anonymised account.

    The ranks and averages of other candidates depend on them.
    """
