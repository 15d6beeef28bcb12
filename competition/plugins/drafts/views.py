from uuid import UUID

from competition.core.auth.access import StaffRole, candidate, staff
from competition.core.errors import Invalid
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.drafts import presenters, schemas
from competition.plugins.drafts.services import reading, reopening, saving
from competition.plugins.exams.errors import ExamNotOpen
from competition.plugins.sittings.errors import ExamAlreadySubmitted, ExamNotStarted

ERRORS = (ExamNotStarted, ExamAlreadySubmitted, ExamNotOpen)

own_draft = Service("/exams/{exam_id:int}/draft/")
reopened = Service("/exams/{exam_id:int}/attempts/{candidate_id:uuid}/reopen/")
draft_of_candidate = Service("/exams/{exam_id:int}/drafts/{candidate_id:uuid}/")


# Declared first, because most requests are saves: Pyramid tries the methods of a path in the order
# of their declarations.
@own_draft.put(
    access=candidate(),
    guard=saving.running_attempt,
    body=schemas.DraftChanges,
    errors=ERRORS,
    limit="drafts",
)
def save_draft(request: Request, exam_id: int) -> presenters.SavedDraft:
    """Save answers while working on the paper.

    Questions that are left out keep their answers. A save that arrives after a save with a larger
    `sequence` changes nothing. Nor does a save that `follows` a draft from before the attempt was
    reopened. If the candidate has not submitted when the time is over, the
    service normally submits the saved answers.
    """
    work, changes = request.work, request.validated
    saved = saving.save(
        work,
        request.target,
        exam_id,
        changes["sequence"],
        changes["answers"],
        follows=changes["follows"],
    )
    return presenters.saved_draft(saved, work.now)


@own_draft.get(
    access=candidate(),
    guard=saving.running_attempt,
    errors=ERRORS,
    limit="drafts",
)
def read_draft(request: Request, exam_id: int) -> presenters.Draft:
    """Get the answers that the caller has saved so far, on any device."""
    return presenters.draft(*reading.own(request.work, exam_id))


# This GET has a transaction, because reading a draft is recorded in the audit trail.
@draft_of_candidate.get(access=staff(StaffRole.ADMIN), guard=reading.of_candidate, transaction=True)
def read_draft_of_candidate(request: Request, exam_id: int, candidate_id: UUID) -> presenters.Draft:
    """Get the answers that a candidate has saved, even if they have submitted other answers.

    Drafts can be read until the exam is published, or some days longer if the service is configured
    so. Each reading is recorded in the audit trail.
    """
    return presenters.draft(*request.target)


@reopened.post(
    access=staff(StaffRole.ADMIN),
    body=schemas.Reopening,
    guard=reopening.locked_exam,
    errors=(Invalid,),
    changes_season=True,
)
def reopen_attempt(
    request: Request, exam_id: int, candidate_id: UUID
) -> presenters.ReopenedAttempt:
    """Take back a candidate's own submission, so that the candidate can continue.

    The submitted answers become the draft, and an automatic score is deleted. The clock did not
    stop with the submission: the candidate has the time that is left, plus `extra_minutes`. The
    candidate's connected clients are notified immediately. A receipt of the submission stays valid.

    The reply is 400 `invalid` if the candidate has not submitted, if nobody can submit the exam any
    longer, if the time is over even with `extra_minutes`, if the candidate can see the score, or if
    the candidate's account was erased.
    """
    work = request.work
    deadline = reopening.reopen(work, request.target, candidate_id, request.validated)
    return presenters.reopened_attempt(exam_id, candidate_id, deadline, work.now)
