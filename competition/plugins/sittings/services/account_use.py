"""Keep the accounts of candidates from being deleted while their exam is running."""

from sqlalchemy import and_, or_, select

from competition.core.messages import Message
from competition.core.users.models import User
from competition.core.users.personal_data import account_use
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.sittings.models import Attempt
from competition.plugins.sittings.services import clock


@account_use("sittings")
def running(work: Work, user: User) -> str | None:
    """The reason why this account can't be deleted now, or None.

    A candidate's account is in use while an exam that they have started is open, or can still be
    submitted. The grace period of a sealed exam does not count, because nobody can submit it any
    longer.
    """
    begun = select(Exam.title).join(Attempt, Attempt.exam_id == Exam.id)
    may_hand_in = and_(clock.running(work), Exam.sealed_at.is_(None))
    is_on = or_(Exam.has_status("ongoing", work.now), may_hand_in)
    title = work.db.scalar(begun.where(Attempt.candidate_id == user.id, is_on).limit(1))
    return None if title is None else Message("The exam ${title} is still running.", title=title)
