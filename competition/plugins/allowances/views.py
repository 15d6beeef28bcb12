from uuid import UUID

from competition.core.auth.access import StaffRole, candidate, staff
from competition.core.errors import IdempotencyKeyReused, Invalid
from competition.core.schemas import IdempotencyHeaders
from competition.core.users import accounts
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.allowances import presenters, schemas
from competition.plugins.allowances.services import giving, listing, percent
from competition.plugins.exams.services import rows
from competition.plugins.sittings.errors import ExamNotEligible
from competition.plugins.sittings.services import taking

MODERATOR = staff(StaffRole.MODERATOR)
ADMIN = staff(StaffRole.ADMIN)

allowances = Service("/exams/{exam_id:int}/allowances/")
allowance = Service("/exams/{exam_id:int}/allowances/{allowance_id:int}/")
own_time = Service("/exams/{exam_id:int}/own-time/")
preview = Service("/exams/{exam_id:int}/allowances/preview/")
candidate_allowance = Service("/candidates/{candidate_id:uuid}/allowance/")


@allowances.get(access=MODERATOR, query=schemas.AllowanceQuery, guard=rows.get)
def list_allowances(request: Request, exam_id: int) -> presenters.AllowanceList:
    """List the extra time that was given in an exam, the latest first."""
    page = listing.page_of_allowances(request.work, exam_id, request.validated)
    return presenters.allowance_list(request.work, request.target, page, request.public_url)


@allowances.post(
    access=ADMIN,
    status=201,
    headers=IdempotencyHeaders,
    guard=giving.locked_exam,
    body=schemas.NewAllowance,
    errors=(IdempotencyKeyReused,),
    changes_season=True,
)
def give_allowance(request: Request, exam_id: int) -> presenters.Allowance:
    """Give a candidate, a school or all candidates extra time, even during the exam.

    Set `extra_minutes` to add the same time for everyone concerned, including candidates who start
    later. Set `lost` to give back the part of an interval, such as a power cut, that each running
    attempt lost. If the interval extends beyond a candidate's deadline, the candidate now gets the
    time that was left when the interval started. The same interval is given back only once.

    An allowance for a school is for the candidates who belong to it now. If candidates have changed
    their school themselves after they were approved, the change does not count.

    Connected clients are notified immediately. If answers were submitted automatically and the
    candidate now has time left, the submission is withdrawn and the candidate can continue.

    The reply is 400 `invalid` if no candidate would get time although some were taking the exam.
    With an `Idempotency-Key`, the request can be sent again, for example if the reply was lost.
    """
    given = dict(request.validated)
    key = given.pop("idempotency_key")
    row = giving.give(request.work, request.target, given, key)
    return presenters.allowance(request.work, request.target, row)


@own_time.get(access=candidate(), guard=taking.own_clock, errors=(ExamNotEligible,), limit="clock")
def read_own_time(request: Request, exam_id: int) -> presenters.OwnTime:
    """Get how long the caller can work on an exam, with their own extra time.

    Before the start, this is the time that they get if they start now, or when the exam opens. The
    time is shorter if the exam closes earlier. It does not yet include lost time of an interval
    that is not over. After the start, this time ends at the clock's `deadline`.
    """
    return presenters.own_time(giving.time_from_start(request.work, request.target))


@preview.post(access=ADMIN, body=schemas.NewAllowance, guard=rows.locked, changes_season=True)
def preview_allowance(request: Request, exam_id: int) -> presenters.AllowancePreview:
    """Find out which candidates would get extra time now. Nothing is changed.

    `can_start` counts the candidates who have not started, and would get the time when they start.
    The reply is 400 `invalid` if giving the time would be rejected, for example because the school
    has no candidate.
    """
    return giving.preview(request.work, request.target, request.validated)


@allowance.delete(
    access=ADMIN, status=204, guard=giving.locked, errors=(Invalid,), changes_season=True
)
def delete_allowance(request: Request, exam_id: int, allowance_id: int) -> None:
    """Delete an allowance that no candidate has used yet.

    Extra minutes can't be deleted once a candidate who gets them has started the exam. A lost
    interval can't be deleted once an attempt has got time back for it.
    """
    giving.take_back(request.work, request.target)


@candidate_allowance.get(access=ADMIN, guard=accounts.candidate)
def get_candidate_allowance(request: Request, candidate_id: UUID) -> presenters.CandidatePercent:
    """Get the extra time that a candidate has in every exam, as a percentage."""
    found = percent.of_candidate(request.work, candidate_id)
    return presenters.candidate_percent(request.work, found)


@candidate_allowance.put(access=ADMIN, body=schemas.NewPercent, guard=accounts.candidate)
def change_candidate_allowance(request: Request, candidate_id: UUID) -> presenters.CandidatePercent:
    """Set the extra time that a candidate has in every exam, as a percentage.

    Exams that the candidate has already started keep their time.
    """
    changed = percent.change(request.work, request.target, **request.validated)
    return presenters.candidate_percent(request.work, changed)
