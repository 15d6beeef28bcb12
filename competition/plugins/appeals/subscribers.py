from competition.core.events import subscriber
from competition.plugins.appeals import services
from competition.plugins.exams.events import ExamDeleting


@subscriber(ExamDeleting)
def notify_of_deletion(event: ExamDeleting) -> None:
    """Notify candidates whose appeal will not be decided, because its exam is deleted."""
    services.notify_of_deletion(event.work, event.exam_id)
