from competition.core.auth.access import StaffRole, candidate, staff
from competition.core.errors import IdempotencyKeyReused, NotFound
from competition.core.schemas import IdempotencyHeaders
from competition.core.users.affected import Affected
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.clarifications import presenters, schemas
from competition.plugins.clarifications.services import announcing, answering, asking
from competition.plugins.exams.errors import ExamNotOpen
from competition.plugins.exams.services import rows
from competition.plugins.sittings.errors import (
    ExamAlreadySubmitted,
    ExamNotEligible,
    ExamNotStarted,
)

MODERATOR = staff(StaffRole.MODERATOR)
READER = candidate() | MODERATOR

of_exam = Service("/exams/{exam_id:int}/clarifications/")
announcements = Service("/exams/{exam_id:int}/announcements/")
announcement_preview = Service("/exams/{exam_id:int}/announcements/preview/")
everywhere = Service("/clarifications/")
answer = Service("/clarifications/{clarification_id:int}/answer/")


@of_exam.post(
    access=candidate(),
    status=201,
    headers=IdempotencyHeaders,
    body=schemas.NewClarification,
    guard=asking.check_sitting,
    errors=(
        ExamNotEligible,
        ExamNotStarted,
        ExamAlreadySubmitted,
        ExamNotOpen,
        IdempotencyKeyReused,
    ),
)
def ask(request: Request, exam_id: int) -> presenters.Clarification:
    """Ask staff something while you take an exam.

    At most three of your questions can wait for an answer at the same time. With an
    `Idempotency-Key`, the request can be sent again, for example if the reply was lost.
    """
    given = request.validated
    asked = asking.ask(
        request.work, exam_id, given["question"], given["text"], given["idempotency_key"]
    )
    return presenters.clarification(request.work, asked)


@of_exam.get(access=READER, query=schemas.ClarificationFilters, errors=(ExamNotStarted,))
def list_clarifications(request: Request, exam_id: int) -> presenters.ClarificationList:
    """List the clarifications in an exam, the newest first.

    Candidates who have started the exam see their own and all public answers; staff see all.
    """
    page = asking.page_of_exam(request.work, exam_id, request.validated)
    return presenters.clarification_list(request.work, page, request.public_url)


@everywhere.get(access=MODERATOR, query=schemas.ClarificationFilters)
def list_all_clarifications(request: Request) -> presenters.ClarificationList:
    """List the clarifications in all exams, the newest first; without `status`, only open ones."""
    page = answering.page_of_all(request.work, request.validated)
    return presenters.clarification_list(request.work, page, request.public_url)


@answer.post(access=MODERATOR, body=schemas.Answer, guard=answering.locked, errors=(NotFound,))
def answer_clarification(request: Request, clarification_id: int) -> presenters.Clarification:
    """Answer a clarification, or dismiss it, until the exam is published.

    A public answer is for everybody who takes the exam. They don't see the question, so the answer
    has to say what they need to know. A later answer replaces an earlier one.
    """
    answered = answering.answer(request.work, request.target, request.validated)
    return presenters.clarification(request.work, answered)


@announcements.post(
    access=MODERATOR,
    status=201,
    headers=IdempotencyHeaders,
    body=schemas.NewAnnouncement,
    guard=announcing.kept_exam,
    errors=(IdempotencyKeyReused,),
)
def announce(request: Request, exam_id: int) -> presenters.Announcement:
    """Tell everybody who takes an exam something.

    It is pushed at once to those who are taking the exam, and those who have submitted get a
    notification. Candidates who start later find it in the list. With an `Idempotency-Key`, the
    request can be sent again, for example if the reply was lost.
    """
    given = request.validated
    row = announcing.announce(request.work, request.target, given["text"], given["idempotency_key"])
    return presenters.announcement(row)


@announcement_preview.get(access=MODERATOR, guard=rows.get)
def preview_announcement(request: Request, exam_id: int) -> Affected:
    """Find out who would be told of an announcement now: the candidates who have started the
    exam."""
    return announcing.preview(request.work, exam_id)


@announcements.get(access=READER, query=schemas.AnnouncementFilters, errors=(ExamNotStarted,))
def list_announcements(request: Request, exam_id: int) -> presenters.AnnouncementList:
    """List the announcements in an exam, the newest first. Candidates need to have started it."""
    page = announcing.page_of_announcements(request.work, exam_id, request.validated)
    return presenters.announcement_list(page, request.public_url)
