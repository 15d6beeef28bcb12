from sqlalchemy import select

from competition.core.users.models import Candidate, Staff
from competition.core.work import Work
from competition.plugins.dashboards.season import SEASON, CandidateSeason, StaffSeason
from competition.plugins.exams import schedule, statistics
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import records

MOST_RECENT = 5
MOST_UPCOMING = 10


def of_candidate(work: Work) -> CandidateSeason:
    candidate = work.db.get_one(Candidate, work.identity.user_id)
    scores = statistics.scores(work, candidate.id)
    available, concluded = records.available_and_concluded(work, candidate)
    return CandidateSeason(
        candidate,
        statistics.stats_of(scores),
        statistics.ranking(work, candidate),
        scores[:MOST_RECENT],
        available,
        concluded,
    )


def of_staff(work: Work) -> StaffSeason:
    staff = work.db.get_one(Staff, work.identity.user_id)
    return StaffSeason(staff, SEASON.read(work), _upcoming(work))


def _upcoming(work: Work) -> list[tuple[Exam, int]]:
    exams = work.db.scalars(
        select(Exam)
        .where(Exam.deleted_at.is_(None), schedule.has_status("scheduled", work.now))
        .order_by(Exam.scheduled_date, Exam.id)
        .limit(MOST_UPCOMING)
    ).all()
    counts = statistics.question_counts(work, [exam.id for exam in exams])
    return [(exam, counts.get(exam.id, 0)) for exam in exams]
