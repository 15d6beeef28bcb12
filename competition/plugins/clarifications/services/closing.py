"""Close the questions that are still open when the results of their exam are published."""

from itertools import groupby

from sqlalchemy import select

from competition.core.messages import Message
from competition.core.work import Work
from competition.plugins.clarifications.models import Clarification
from competition.plugins.exams.models import Exam
from competition.plugins.notifications.events import Notify


def dismiss_open(work: Work) -> None:
    """Dismiss the open questions of all published exams, because nobody can answer them any longer.

    The candidates who asked get a notification. No message is pushed, because nobody can submit the
    exam any longer. Pushing could also cause a deadlock: an answer locks the feed of messages
    before the feed of notifications, but the publication may have locked the feed of notifications
    already.

    The caller must have locked the exams that it publishes, so that nobody answers their questions
    at the same moment.
    """
    open_ones = work.db.execute(
        select(Exam, Clarification)
        .join(Exam, Exam.id == Clarification.exam_id)
        .where(Clarification.status == "open", Exam.published_at.is_not(None))
        .order_by(Exam.id, Clarification.id)
        .with_for_update(of=Clarification)
    ).all()
    for exam, rows in groupby(open_ones, key=lambda row: row[0]):
        askers = set()
        for _, asked in rows:
            asked.status = "dismissed"
            asked.answered_at = work.now
            askers.add(asked.candidate_id)
        subject = Message("Your question about ${exam} was dismissed", exam=exam.title)
        message = Message(
            "The results are published, so nobody can answer your question any longer."
        )
        work.emit(Notify(work, askers, subject, message))
