from competition.core.auth.access import StaffRole, candidate, staff
from competition.core.errors import IdempotencyKeyReused, NotFound, PermissionDenied
from competition.core.schemas import IdempotencyHeaders
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.exams.errors import ExamNotOpen
from competition.plugins.exams.services import rows
from competition.plugins.sittings import presenters, schemas
from competition.plugins.sittings.errors import (
    ExamAlreadySubmitted,
    ExamNotEligible,
    ExamNotStarted,
)
from competition.plugins.sittings.services import submitting, taking

time = Service("/exams/{exam_id:int}/time/")
paper = Service("/exams/{exam_id:int}/take-exam/")
submission = Service("/exams/{exam_id:int}/submit-exam-answers/")
conclusion_preview = Service("/exams/{exam_id:int}/conclude/preview/")
own_answers = Service("/exams/{exam_id:int}/submitted-answers/")


@time.get(
    access=candidate(),
    guard=taking.own_clock,
    errors=(ExamNotEligible,),
    limit="clock",
)
def read_clock(request: Request, exam_id: int) -> presenters.ExamTime:
    """Get the times of an exam, and the caller's clock once they have started.

    The request also works before the exam opens, for a countdown, and after the exam has closed.
    """
    return presenters.exam_time(request.work, request.target)


@paper.get(
    access=candidate(),
    transaction="on demand",
    errors=(ExamNotEligible, ExamAlreadySubmitted, ExamNotOpen),
    limit="paper",
)
def take_exam(request: Request, exam_id: int) -> presenters.ExamPaper:
    """Open the paper of an exam.

    The first call starts the caller's clock. Later calls, also from other devices, return the same
    paper while the clock runs on. With `Accept-Language`, `spoken` is in that language.
    """
    opened = taking.take_exam(request.work, exam_id)
    return presenters.paper(request.work, *opened, request.language)


@submission.post(
    access=candidate(),
    status=201,
    headers=IdempotencyHeaders,
    guard=submitting.check_submission,
    body=schemas.AnswerSheet,
    errors=(
        ExamNotEligible,
        ExamAlreadySubmitted,
        ExamNotOpen,
        ExamNotStarted,
        IdempotencyKeyReused,
    ),
    limit="submission",
)
def submit_answers(request: Request, exam_id: int) -> presenters.Submitted:
    """Submit the answers to an exam. This is final.

    Questions that are left out count as unanswered. With an `Idempotency-Key`, the same answers can
    be sent again, for example if the reply was lost. The service may require that you open the
    paper first. If you have not, it then replies 400 `exam_not_started`.
    """
    sent = request.validated
    submitting.submit_answers(
        request.work, request.target, sent["answers"], sent["idempotency_key"]
    )
    return presenters.submitted(request.work, exam_id)


@conclusion_preview.get(access=staff(StaffRole.ADMIN), guard=rows.get)
def preview_conclusion(request: Request, exam_id: int) -> presenters.ConclusionPreview:
    """Preview concluding an exam now: the candidates who are taking it would be affected.

    They could still submit until `hand_in_until`.
    """
    return taking.conclusion(request.work, request.target)


@own_answers.get(access=candidate(verified=False), errors=(NotFound, PermissionDenied))
def read_own_answers(request: Request, exam_id: int) -> presenters.SubmittedAnswers:
    """Read the answers that you submitted, or that the service submitted for you.

    This works once nobody can submit the exam any longer; until then the status is 403. With
    `Accept-Language`, `spoken` is in that language.
    """
    submission, paper = submitting.own_submission(request.work, exam_id)
    return presenters.submitted_answers(submission, paper, request.language)
