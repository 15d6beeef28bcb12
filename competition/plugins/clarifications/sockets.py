"""Push answers and announcements to candidates who are taking an exam, and the number of open
questions to staff who follow it."""

from collections.abc import Collection, Iterator
from uuid import UUID

from competition.core.push.feeds import feed
from competition.core.push.sockets import also_followed
from competition.core.work import Work
from competition.plugins.clarifications import presenters
from competition.plugins.clarifications.services import answering, messages


@feed("clarifications", latest=messages.latest)
def push_messages(
    work: Work, user_ids: Collection[UUID], after: int, until: int
) -> Iterator[tuple[UUID, presenters.ExamMessageActivity]]:
    for candidate_id, message in messages.between(work, user_ids, after, until):
        frame = presenters.message_activity(candidate_id, message)
        if frame is not None:
            yield candidate_id, frame


@also_followed("clarifications", action="follow_exam")
def open_questions(work: Work, exam_id: int) -> presenters.ExamQuestionActivity:
    return presenters.question_activity(exam_id, answering.open_in(work, exam_id))
