"""What dashboards show; the numbers over everybody are kept for a minute."""

from sqlalchemy import select

from competition.core.jobs.aggregates import Aggregate
from competition.core.users import headcounts
from competition.core.users.models import Candidate, Staff
from competition.core.work import Work
from competition.plugins.dashboards.models import CandidateSeason, SeasonNumbers, StaffSeason
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services.questions import question_counts
from competition.plugins.questions.services import bank_counts
from competition.plugins.scores.services import records
from competition.plugins.scores.services.statistics import candidate as of_one
from competition.plugins.scores.services.statistics import season

MOST_RECENT = 5
MOST_UPCOMING = 10


def of_candidate(work: Work) -> CandidateSeason:
    """The caller's."""
    candidate = work.db.get_one(Candidate, work.identity.user_id)
    scores = of_one.scores(work, candidate.id)
    available, concluded = records.available_and_concluded(work, candidate)
    return CandidateSeason(
        candidate,
        of_one.stats_of(scores),
        of_one.ranking(work, candidate),
        scores[:MOST_RECENT],
        available,
        concluded,
    )


def of_staff(work: Work) -> StaffSeason:
    """The caller's."""
    staff = work.db.get_one(Staff, work.identity.user_id)
    return StaffSeason(staff, SEASON.read(work), _upcoming(work))


def _upcoming(work: Work) -> list[tuple[Exam, int]]:
    exams = work.db.scalars(
        select(Exam)
        .where(Exam.deleted_at.is_(None), Exam.has_status("scheduled", work.now))
        .order_by(Exam.scheduled_date, Exam.id)
        .limit(MOST_UPCOMING)
    ).all()
    counts = question_counts(work, [exam.id for exam in exams])
    return [(exam, counts.get(exam.id, 0)) for exam in exams]


def _count(work: Work) -> SeasonNumbers:
    return SeasonNumbers(
        candidates=headcounts.candidate_counts(work),
        exams=season.exam_counts(work),
        questions=bank_counts(work),
        scores=season.score_counts(work),
    )


SEASON = Aggregate("dashboards.season", SeasonNumbers, _count)
