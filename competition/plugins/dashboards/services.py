from sqlalchemy import select

from competition.core.models import Candidate, Staff
from competition.core.work import Work
from competition.plugins.dashboards.season import SEASON, SeasonNumbers
from competition.plugins.exams import schedule, statistics
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import records
from competition.plugins.exams.services.records import ListedExam
from competition.plugins.exams.statistics import CandidateStats, Ranking, ScoreOfExam

MOST_RECENT = 5
MOST_UPCOMING = 10


def candidate_dashboard(
    work: Work,
) -> tuple[
    Candidate,
    CandidateStats,
    Ranking,
    list[ScoreOfExam],
    list[ListedExam],
    list[ListedExam],
]:
    """The caller; the last of the caller's scores; the available exams, and the concluded ones."""
    candidate = work.db.get_one(Candidate, work.identity.user_id)
    scores = statistics.scores(work, candidate.id)
    stats, ranking = statistics.stats_of(scores), statistics.ranking(work, candidate)
    exams = records.available_and_concluded(work, candidate)
    return candidate, stats, ranking, scores[:MOST_RECENT], *exams


def staff_dashboard(work: Work) -> tuple[Staff, SeasonNumbers, list[tuple[Exam, int]]]:
    """The caller, and the next exams with how many questions they have."""
    staff = work.db.get_one(Staff, work.identity.user_id)
    return staff, SEASON.read(work), _upcoming(work)


def _upcoming(work: Work) -> list[tuple[Exam, int]]:
    exams = work.db.scalars(
        select(Exam)
        .where(Exam.deleted_at.is_(None), schedule.has_status("scheduled", work.now))
        .order_by(Exam.scheduled_date, Exam.id)
        .limit(MOST_UPCOMING)
    ).all()
    counts = statistics.question_counts(work, [exam.id for exam in exams])
    return [(exam, counts.get(exam.id, 0)) for exam in exams]
