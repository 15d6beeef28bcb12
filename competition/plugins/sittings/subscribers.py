from competition.core.events import subscriber
from competition.plugins.exams.events import ExamChanged
from competition.plugins.sittings.services import reopening, sealing


@subscriber(ExamChanged)
def reopen_attempts(event: ExamChanged) -> None:
    """If deadlines move, let candidates continue for whom the service has submitted."""
    if event.moves_deadlines:
        sealing.lock_papers(event.work, [event.exam_id])
        reopening.reopen(event.work, event.exam_id)
