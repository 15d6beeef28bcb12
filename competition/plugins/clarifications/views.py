from competition.core.auth.access import StaffRole, candidate, staff
from competition.core.errors import IdempotencyKeyReused, PreconditionFailed
from competition.core.schemas import IdempotencyHeaders
from competition.core.users.affected import Affected
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.clarifications import presenters, schemas
from competition.plugins.clarifications.services import announcing, answering, asking, reading
from competition.plugins.exams.errors import ExamNotOpen
from competition.plugins.exams.services import rows
from competition.plugins.sittings.errors import ExamAlreadySubmitted, ExamNotStarted

MODERATOR = staff(StaffRole.MODERATOR)
READER = candidate() | MODERATOR

clarifications = Service("/exams/{exam_id:int}/clarifications/")
open_clarifications = Service("/clarifications/")
answer = Service("/clarifications/{clarification_id:int}/answer/")
announcements = Service("/exams/{exam_id:int}/announcements/")
announcement_preview = Service("/exams/{exam_id:int}/announcements/preview/")


@clarifications.get(
    access=READER,
    query=schemas.ClarificationFilters,
    guard=reading.check_reader,
    errors=(ExamNotStarted,),
    limit="clarifications",
)
def list_clarifications(request: Request, exam_id: int) -> presenters.ClarificationList:
    """List the questions that candidates have asked during an exam, the newest first.

    Candidates get their own questions once they have started, and the public answers to questions
    of others, without the questions. Staff get all questions, with the candidates.
    """
    page = reading.page_of_exam(request.work, exam_id, request.validated)
    return presenters.clarification_list(request.work, request.target, page, request.public_url)


@clarifications.post(
    access=candidate(),
    status=201,
    headers=IdempotencyHeaders,
    guard=asking.check_sitting,
    body=schemas.NewClarification,
    errors=(ExamNotStarted, ExamAlreadySubmitted, ExamNotOpen, IdempotencyKeyReused),
)
def ask(request: Request, exam_id: int) -> presenters.Clarification:
    """Ask about a question of the exam that you are taking, or about the exam as a whole.

    You can have at most three open questions in an exam. With an `Idempotency-Key`, the same
    question can be sent again, for example if the reply was lost.
    """
    given = request.validated
    row = asking.ask(
        request.work, request.target, given["question"], given["text"], given["idempotency_key"]
    )
    return presenters.clarification(request.work, row)


@open_clarifications.get(
    access=MODERATOR, query=schemas.OpenClarificationQuery, limit="clarifications"
)
def list_open_clarifications(request: Request) -> presenters.OpenClarificationList:
    """List the open questions of all exams of a season, the newest first, also of exams that are
    over.

    When the results of an exam are published, its open questions are dismissed. With `candidate`,
    the list has all questions of this candidate instead, of all seasons unless you name one.
    """
    page = reading.page_of_open(request.work, request.validated)
    return presenters.open_clarification_list(request.work, page, request.public_url)


@answer.post(
    access=MODERATOR,
    body=schemas.ClarificationAnswer,
    guard=answering.locked,
    errors=(PreconditionFailed,),
    changes_season=True,
)
def answer_clarification(request: Request, clarification_id: int) -> presenters.Clarification:
    """Answer a question of a candidate, or dismiss it.

    A public answer goes to all candidates of the exam. They don't see the question, so the answer
    has to make sense without it. You can answer until the results are published; a later answer
    replaces an earlier answer, unless you set `only_if_open`.
    """
    given = request.validated
    row = answering.answer(
        request.work,
        request.target,
        given["answer"],
        is_public=bool(given["public"]),
        only_if_open=given["only_if_open"],
    )
    return presenters.clarification(request.work, row)


@announcements.get(
    access=READER,
    query=schemas.AnnouncementQuery,
    guard=reading.check_reader,
    errors=(ExamNotStarted,),
    limit="clarifications",
)
def list_announcements(request: Request, exam_id: int) -> presenters.AnnouncementList:
    """List the announcements in an exam, the newest first.

    Candidates can list them only once they have started the exam.
    """
    page = announcing.page_of_announcements(request.work, exam_id, request.validated)
    return presenters.announcement_list(page, request.public_url)


@announcements.post(
    access=MODERATOR,
    status=201,
    headers=IdempotencyHeaders,
    guard=announcing.exam,
    body=schemas.NewAnnouncement,
    errors=(IdempotencyKeyReused,),
    changes_season=True,
)
def announce(request: Request, exam_id: int) -> presenters.Announcement:
    """Announce something to all candidates of an exam. It can't be taken back.

    Candidates who are taking the exam get it at once on their sockets. Candidates who have started
    and can no longer submit get a notification. With an `Idempotency-Key`, the request can be sent
    again, for example if the reply was lost.
    """
    given = request.validated
    row = announcing.announce(request.work, request.target, given["text"], given["idempotency_key"])
    return presenters.announcement(row)


@announcement_preview.get(access=MODERATOR, guard=rows.get)
def preview_announcement(request: Request, exam_id: int) -> Affected:
    """Preview the recipients of an announcement: all candidates who have started the exam."""
    return announcing.preview(request.work, exam_id)
