"""Close the questions that are still open when the results of their exam are published."""

from itertools import groupby

from sqlalchemy import select

from competition.core.work import Work
from competition.plugins.clarifications.models import Clarification
from competition.plugins.clarifications.services import messages
from competition.plugins.exams.models import Exam


def dismiss_open(work: Work) -> None:
    """Dismiss the open questions of all published exams, because nobody can answer them any longer.

    The candidates who asked are notified. The caller has locked the exams that it publishes, so no
    question of theirs is answered at the same moment.
    """
    open_ones = work.db.execute(
        select(Exam, Clarification)
        .join(Exam, Exam.id == Clarification.exam_id)
        .where(Clarification.status == "open", Exam.published_at.is_not(None))
        .order_by(Exam.id, Clarification.id)
        .with_for_update(of=Clarification)
    ).all()
    for exam, rows in groupby(open_ones, key=lambda row: row[0]):
        closed = [asked for _, asked in rows]
        for asked in closed:
            asked.status = "dismissed"
            asked.answered_at = work.now
        messages.push_closed(work, exam, closed)
