"""Push answers and announcements to candidates, and the number of open questions to staff."""

from collections.abc import Collection, Iterator
from uuid import UUID

from competition.core.push.feeds import feed
from competition.core.push.sockets import followed_frame
from competition.core.work import Work
from competition.plugins.clarifications import presenters
from competition.plugins.clarifications.services import messages, reading


@feed("clarifications", latest=messages.latest)
def push_messages(
    work: Work, user_ids: Collection[UUID], after: int, until: int
) -> Iterator[tuple[UUID, presenters.ExamMessageActivity]]:
    for candidate_id, message in messages.between(work, user_ids, after, until):
        yield candidate_id, presenters.exam_message(message)


@followed_frame("clarifications.open", following="follow_exam")
def open_questions(work: Work, exam_id: int) -> presenters.ExamQuestionActivity:
    """The frame with the number of open questions, for staff who follow the exam."""
    return presenters.exam_question(exam_id, reading.count_open(work, exam_id))
