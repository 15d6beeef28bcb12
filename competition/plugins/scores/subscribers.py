from competition.core.events import subscriber
from competition.core.jobs import jobs
from competition.plugins.exams.models import Exam
from competition.plugins.notifications.events import Notify
from competition.plugins.scores.events import ScoresCorrected, ScoresRecorded
from competition.plugins.scores.services import scoring, visibility
from competition.plugins.sittings.events import SubmissionsStored, SubmissionsWithdrawn


@subscriber(SubmissionsStored)
def score_what_was_stored(event: SubmissionsStored) -> None:
    """Enqueue a scoring job for each submission of a burst; a worker runs them together."""
    work, exam_id = event.work, event.exam_id
    named = str(*event.candidate_ids) if len(event.candidate_ids) == 1 else None
    if event.candidate_ids:
        jobs.enqueue(work, "scores.score", key=str(exam_id), exam_id=exam_id, candidate_id=named)


@subscriber(SubmissionsWithdrawn)
def unscore_what_was_withdrawn(event: SubmissionsWithdrawn) -> None:
    scoring.unscore(event.work, event.exam_id, event.candidate_ids)


@subscriber(ScoresRecorded)
def tell_who_can_see_it(event: ScoresRecorded) -> None:
    """Notify candidates of a new score; not where candidates see scores later than staff."""
    work = event.work
    exam = work.db.get_one(Exam, event.exam_id)
    if not isinstance(event, ScoresCorrected) and not visibility.is_held_back(work, exam):
        message = f"You have a score in {exam.title}."
        work.emit(Notify(work, event.candidate_ids, "Your score", message, about="scores"))
