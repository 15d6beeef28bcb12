from competition.core.auth.access import candidate
from competition.core.errors import IdempotencyKeyReused
from competition.core.schemas import IdempotencyHeaders
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.exams.errors import ExamNotOpen
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


@time.get(
    access=candidate(),
    guard=taking.own_clock,
    errors=(ExamNotEligible,),
    limit="clock",
)
def read_clock(request: Request, exam_id: int) -> presenters.ExamTime:
    """The time of an exam: a countdown before it opens, the caller's clock from the start on."""
    return presenters.exam_time(request.target)


@paper.get(
    access=candidate(),
    transaction=True,
    errors=(ExamNotEligible, ExamAlreadySubmitted, ExamNotOpen),
)
def take_exam(request: Request, exam_id: int) -> presenters.ExamPaper:
    """Open the paper. The first call starts the clock; every later one returns the same."""
    opened = taking.take_exam(request.work, exam_id)
    return presenters.paper(request.work, opened.clock, opened.attempt, opened.paper)


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
    """Hand in the answers, once. Questions that are left out count as unanswered.

    With an `Idempotency-Key` the same answers may be sent again, as after a reply that was lost. A
    service may require that the paper was opened first: 400 `exam_not_started` otherwise.
    """
    sent = request.validated
    submitting.submit_answers(
        request.work, request.target, sent["answers"], sent["idempotency_key"]
    )
    return presenters.submitted(request.work, exam_id)
