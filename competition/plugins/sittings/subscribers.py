from competition.core.errors import Invalid
from competition.core.events import subscriber
from competition.core.messages import Message
from competition.plugins.exams.events import ExamChanged, ExamDeleting
from competition.plugins.exams.models import Exam
from competition.plugins.sittings.services import reopening, sealing


@subscriber(ExamChanged)
def reopen_attempts(event: ExamChanged) -> None:
    """If deadlines move, withdraw the automatic submissions of candidates who have time again."""
    if event.moves_deadlines:
        sealing.lock_papers(event.work, [event.exam_id])
        reopening.reopen(event.work, event.exam_id)


@subscriber(ExamDeleting)
def keep_running_exam(event: ExamDeleting) -> None:
    """Reject the deletion of an exam that a candidate can still submit, because the candidate would
    lose the exam without notice."""
    exam = event.work.db.get_one(Exam, event.exam_id)
    has_attempts = exam.first_started_at is not None and exam.sealed_at is None
    if has_attempts and sealing.is_running(event.work, exam.id):
        raise Invalid(
            Message(
                "A candidate can still submit this exam. Conclude it first, and delete it once the"
                " grace period is over.",
                "still_running",
            )
        )
