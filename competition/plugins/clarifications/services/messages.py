"""Tell the candidates of an exam of answers and announcements, and count what they were told."""

from collections.abc import Collection, Sequence
from uuid import UUID

from sqlalchemy import ARRAY, ColumnElement, Uuid, any_, bindparam, case, exists, func, or_, select
from sqlalchemy.orm import joinedload

from competition.core.push.feeds import lock_feed
from competition.core.push.notify import announce
from competition.core.work import Work
from competition.plugins.clarifications.models import Announcement, Clarification, ExamMessage
from competition.plugins.exams.models import Exam
from competition.plugins.notifications.events import Notify
from competition.plugins.sittings.models import Attempt, Submission
from competition.plugins.sittings.services import clock

FEED = "clarifications"


def tell(
    work: Work,
    exam_id: int,
    subject: str,
    text: str,
    *,
    candidate_id: UUID | None = None,
    clarification: Clarification | None = None,
    announcement: Announcement | None = None,
) -> None:
    """Tell one candidate, or all who have started the exam, of an answer or an announcement.

    Sockets of candidates who are taking the exam get it at once. Those who have submitted get a
    notification with this subject and text. Call this late in the transaction, because it takes a
    lock that all such transactions share.
    """
    lock_feed(work, FEED)
    work.db.add(
        ExamMessage(
            exam_id=exam_id,
            candidate_id=candidate_id,
            clarification_id=clarification and clarification.id,
            announcement_id=announcement and announcement.id,
            created_at=work.now,
        )
    )
    work.db.flush()
    announce(work, FEED)
    submitted = select(Submission.candidate_id).where(Submission.exam_id == exam_id)
    if candidate_id is not None:
        submitted = submitted.where(Submission.candidate_id == candidate_id)
    work.emit(Notify(work, submitted, subject, text))


def latest(work: Work) -> int:
    """The id of the latest message, or 0."""
    return work.db.scalar(select(func.max(ExamMessage.id))) or 0


def between(
    work: Work, user_ids: Collection[UUID], after: int, until: int
) -> Sequence[tuple[UUID, ExamMessage]]:
    """The messages with an id above `after`, up to `until`, to those of these users who were taking
    the exam when they were sent."""
    are_theirs = Attempt.candidate_id == any_(
        bindparam("user_ids", list(user_ids), type_=ARRAY(Uuid()))
    )
    found = work.db.execute(
        select(Attempt.candidate_id, ExamMessage)
        .join(ExamMessage, ExamMessage.exam_id == Attempt.exam_id)
        .join(Exam, Exam.id == Attempt.exam_id)
        .where(ExamMessage.id > after, ExamMessage.id <= until, are_theirs)
        .where(_is_for(Attempt.candidate_id), clock.can_submit(work, ExamMessage.created_at))
        .options(joinedload(ExamMessage.clarification), joinedload(ExamMessage.announcement))
        .order_by(ExamMessage.id, Attempt.candidate_id)
    )
    return [(candidate_id, message) for candidate_id, message in found]


def count(work: Work, exam_ids: Collection[int]) -> dict[int, int]:
    """The number of messages to the caller in each of these exams; 0 before the caller's start."""
    me = work.identity.user_id
    has_started = exists().where(Attempt.exam_id == ExamMessage.exam_id, Attempt.candidate_id == me)
    rows = work.db.execute(
        select(ExamMessage.exam_id, func.count(case((has_started, 1))))
        .where(ExamMessage.exam_id.in_(exam_ids), _is_for(me))
        .group_by(ExamMessage.exam_id)
    )
    found = {exam_id: number for exam_id, number in rows}
    return {exam_id: found.get(exam_id, 0) for exam_id in exam_ids}


def _is_for(candidate_id: object) -> ColumnElement[bool]:
    """SQL condition: whether a message is for this candidate, if they have started its exam."""
    return or_(ExamMessage.candidate_id.is_(None), ExamMessage.candidate_id == candidate_id)
