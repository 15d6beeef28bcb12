"""Deliver answers and announcements to candidates.

Candidates who can still submit get a message on their sockets. All other candidates who have
started get a notification. A single statement finds and stores the candidates who get a
notification, so nobody is missed or notified twice, even a candidate who submits at the same
moment. Clients without a socket poll the number of messages (`count`).
"""

from collections.abc import Collection, Sequence
from datetime import timedelta
from uuid import UUID

from sqlalchemy import (
    Integer,
    Select,
    Uuid,
    and_,
    any_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
)
from sqlalchemy.orm import aliased, joinedload

from competition.core.database import over_sets, uuids
from competition.core.jobs.housekeeping import retention
from competition.core.messages import Message
from competition.core.push.feeds import lock_feed
from competition.core.push.notify import announce
from competition.core.work import Work
from competition.plugins.clarifications.models import (
    Announcement,
    Clarification,
    ExamMessage,
    NotifiedCandidate,
)
from competition.plugins.exams.models import Exam
from competition.plugins.notifications.events import Notify
from competition.plugins.sittings.models import Attempt
from competition.plugins.sittings.services import clock

FEED = "clarifications"
# How long the service stores which candidates got a notification instead of a pushed message.
# Socket processes push a message within seconds.
RETAINED_FOR = timedelta(days=1)

_EXAM = bindparam("exam_id", type_=Integer())
_CANDIDATE = bindparam("candidate_id", type_=Uuid())
_of_all = select(func.count()).where(
    ExamMessage.exam_id == _EXAM, ExamMessage.candidate_id.is_(None)
)
_of_candidate = select(func.count()).where(
    ExamMessage.exam_id == _EXAM, ExamMessage.candidate_id == _CANDIDATE
)
_has_started = exists().where(Attempt.exam_id == _EXAM, Attempt.candidate_id == _CANDIDATE)
COUNT = select(
    case((_has_started, _of_all.scalar_subquery() + _of_candidate.scalar_subquery()), else_=0)
)


def count(work: Work, exam_id: int) -> int:
    """How many messages of an exam concern the caller; 0 before the caller starts it."""
    of_caller = {"exam_id": exam_id, "candidate_id": work.identity.user_id}
    return work.db.scalar(COUNT, of_caller) or 0


def push_announcement(work: Work, exam: Exam, made: Announcement) -> None:
    """Push an announcement to the candidates who can still submit the exam, and notify those who
    have started it but can no longer submit.

    Call this late in the transaction, like `push_answer`: it takes locks that other transactions
    wait for.
    """
    to_notify = _push(
        work, ExamMessage(exam_id=exam.id, announcement_id=made.id, created_at=work.now)
    )
    subject = Message("An announcement about ${exam}", exam=exam.title)
    work.emit(Notify(work, to_notify, subject, made.text))


def push_answer(work: Work, exam: Exam, asked: Clarification, *, was_public: bool) -> None:
    """Push an answer to the candidate who asked. If it is public, or was until now, push it to all
    other candidates of the exam too. Candidates who can no longer submit are notified instead."""
    concerns_all = asked.is_public or was_public
    to_notify = _push(
        work,
        ExamMessage(
            exam_id=exam.id,
            candidate_id=None if concerns_all else asked.candidate_id,
            clarification_id=asked.id,
            created_at=work.now,
        ),
    )
    subject = Message("Your question about ${exam} was answered", exam=exam.title)
    message = asked.answer
    if message is None:
        subject = Message("Your question about ${exam} was dismissed", exam=exam.title)
        message = Message("Staff have closed your question without an answer.")
    asker = NotifiedCandidate.candidate_id == asked.candidate_id
    work.emit(Notify(work, to_notify.where(asker), subject, message))
    if asked.is_public:
        subject = Message("An answer to a question about ${exam}", exam=exam.title)
        work.emit(Notify(work, to_notify.where(~asker), subject, message))


def _push(work: Work, message: ExamMessage) -> Select[UUID]:
    """Store a message and push it. Candidates who can no longer submit get no push. Returns a
    SELECT of these candidates, whom the caller has to notify instead."""
    lock_feed(work, FEED)
    work.db.add(message)
    work.db.flush()
    is_concerned = Attempt.exam_id == message.exam_id
    if message.candidate_id is not None:
        is_concerned &= Attempt.candidate_id == message.candidate_id
    with over_sets(work.db):
        work.db.execute(
            insert(NotifiedCandidate).from_select(
                ["message_id", "candidate_id"],
                select(literal(message.id), Attempt.candidate_id)
                .join(Exam, Exam.id == Attempt.exam_id)
                .where(is_concerned, ~clock.can_submit(work)),
            )
        )
    announce(work, FEED)
    return select(NotifiedCandidate.candidate_id).where(NotifiedCandidate.message_id == message.id)


def latest(work: Work) -> int:
    """The id of the latest message, or 0."""
    return work.db.scalar(select(func.max(ExamMessage.id))) or 0


def between(
    work: Work, user_ids: Collection[UUID], after: int, until: int
) -> Sequence[tuple[UUID, ExamMessage]]:
    """Pairs of a user and a message to push to them, in the order of the messages' ids.

    The messages have ids above `after`, up to `until`. If a question was answered again in the
    meantime, only the latest message about it is returned.
    """
    are_theirs = Attempt.candidate_id == any_(uuids(user_ids))
    later = aliased(ExamMessage)
    is_replaced = exists().where(
        later.clarification_id == ExamMessage.clarification_id, later.id > ExamMessage.id
    )
    was_notified = exists().where(
        NotifiedCandidate.message_id == ExamMessage.id,
        NotifiedCandidate.candidate_id == Attempt.candidate_id,
    )
    may_read = or_(
        ExamMessage.announcement_id.is_not(None),
        Clarification.is_public,
        Clarification.candidate_id == Attempt.candidate_id,
    )
    found = work.db.execute(
        select(Attempt.candidate_id, ExamMessage.id)
        .join(
            ExamMessage,
            and_(
                ExamMessage.exam_id == Attempt.exam_id,
                or_(
                    ExamMessage.candidate_id.is_(None),
                    ExamMessage.candidate_id == Attempt.candidate_id,
                ),
            ),
        )
        .outerjoin(Clarification, Clarification.id == ExamMessage.clarification_id)
        .where(ExamMessage.id > after, ExamMessage.id <= until, are_theirs)
        .where(may_read, ~is_replaced, ~was_notified)
        .order_by(ExamMessage.id, Attempt.candidate_id)
    ).all()
    loaded = work.db.scalars(
        select(ExamMessage)
        .where(ExamMessage.id.in_({message_id for _, message_id in found}))
        .options(joinedload(ExamMessage.clarification), joinedload(ExamMessage.announcement))
    )
    by_id = {message.id: message for message in loaded}
    return [(candidate_id, by_id[message_id]) for candidate_id, message_id in found]


@retention("clarifications.notified")
def delete_old(work: Work) -> None:
    """Delete the rows about candidates who got a notification instead of a pushed message, after a
    day."""
    old = select(ExamMessage.id).where(ExamMessage.created_at < work.now - RETAINED_FOR)
    work.db.execute(delete(NotifiedCandidate).where(NotifiedCandidate.message_id.in_(old)))
