from uuid import UUID

from competition.core.auth.access import StaffRole, candidate, staff
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.drafts import presenters, schemas
from competition.plugins.drafts.services import reading, saving
from competition.plugins.exams.errors import ExamNotOpen
from competition.plugins.sittings.errors import ExamAlreadySubmitted, ExamNotStarted

REFUSALS = (ExamNotStarted, ExamAlreadySubmitted, ExamNotOpen)

own_draft = Service("/exams/{exam_id:int}/draft/")
draft_of_candidate = Service("/exams/{exam_id:int}/drafts/{candidate_id:uuid}/")


# First, since most requests are saves: Pyramid tries the methods of a path in this order.
@own_draft.put(
    access=candidate(),
    guard=saving.running_attempt,
    body=schemas.DraftChanges,
    errors=REFUSALS,
    limit="drafts",
)
def save_draft(request: Request, exam_id: int) -> presenters.SavedDraft:
    """Save answers while working on the paper. Questions that are not named keep theirs.

    What comes late, after a save with a larger `sequence`, changes nothing. When the time is over
    and nothing was handed in, the service hands in what is saved.
    """
    work, changes = request.work, request.validated
    saved = saving.save(work, request.target, exam_id, changes["sequence"], changes["answers"])
    return presenters.saved_draft(saved, work.now)


@own_draft.get(
    access=candidate(),
    guard=saving.running_attempt,
    errors=REFUSALS,
    limit="drafts",
)
def read_draft(request: Request, exam_id: int) -> presenters.Draft:
    """What the caller has answered so far, on any device."""
    return presenters.draft(*reading.own(request.work, exam_id))


# The reading is written into the audit trail.
@draft_of_candidate.get(access=staff(StaffRole.ADMIN), guard=reading.of_candidate, transaction=True)
def read_draft_of_candidate(request: Request, exam_id: int, candidate_id: UUID) -> presenters.Draft:
    """What a candidate has saved, whatever was handed in; until the exam is published. The reading
    is recorded."""
    return presenters.draft(*request.target)
