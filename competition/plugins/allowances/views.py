from uuid import UUID

from competition.core.auth.access import StaffRole, staff
from competition.core.errors import IdempotencyKeyReused, Invalid
from competition.core.schemas import IdempotencyHeaders
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.allowances import presenters, schemas
from competition.plugins.allowances.services import giving, percent
from competition.plugins.exams.services import rows
from competition.plugins.people.services import profiles

MODERATOR = staff(StaffRole.MODERATOR)
ADMIN = staff(StaffRole.ADMIN)

allowances = Service("/exams/{exam_id:int}/allowances/")
allowance = Service("/exams/{exam_id:int}/allowances/{allowance_id:int}/")
candidate_allowance = Service("/candidates/{candidate_id:uuid}/allowance/")


@allowances.get(access=MODERATOR, query=schemas.AllowanceQuery, guard=rows.get)
def list_allowances(request: Request, exam_id: int) -> presenters.AllowanceList:
    """The time that was given in an exam, the latest first."""
    page = giving.page_of_allowances(request.work, exam_id, request.validated)
    return presenters.allowance_list(request.work, page, request.public_url)


@allowances.post(
    access=ADMIN,
    status=201,
    headers=IdempotencyHeaders,
    guard=giving.locked_exam,
    body=schemas.NewAllowance,
    errors=(IdempotencyKeyReused,),
)
def give_allowance(request: Request, exam_id: int) -> presenters.Allowance:
    """Give a candidate, a school or everybody more time, also while the exam runs.

    Set `extra_minutes` to add the same time for everyone concerned, including candidates who start
    later. Set `lost` to give back the part of an interval, such as a power cut, that each running
    attempt lost. If the interval reaches beyond the deadline of an attempt, its candidate has, from
    now on, what was left when the interval began. The same interval is given back once.

    An allowance for a school is for the candidates who belong to it now: a school that candidates
    have changed themselves, after they were approved, does not count.

    Connected clients are notified immediately. If answers were submitted automatically and the
    candidate now has time left, the submission is withdrawn and the candidate can continue. 400
    `invalid` if nobody would get anything although somebody was sitting the exam. With an
    `Idempotency-Key` the request may be sent again, as after a reply that was lost.
    """
    given = dict(request.validated)
    key = given.pop("idempotency_key")
    row = giving.give(request.work, request.target, given, key)
    return presenters.allowance(request.work, row)


@allowance.delete(access=ADMIN, status=204, guard=giving.locked, errors=(Invalid,))
def delete_allowance(request: Request, exam_id: int, allowance_id: int) -> None:
    """Take an allowance back that nobody has used: once somebody whom it is for has started, it
    stays."""
    giving.take_back(request.work, request.target)


@candidate_allowance.get(access=ADMIN, guard=profiles.candidate)
def get_candidate_allowance(request: Request, candidate_id: UUID) -> presenters.CandidatePercent:
    """How much longer a candidate's time is in every exam that they start from now on."""
    found = percent.of_candidate(request.work, candidate_id)
    return presenters.candidate_percent(request.work, **vars(found))


@candidate_allowance.put(access=ADMIN, body=schemas.NewPercent, guard=profiles.candidate)
def change_candidate_allowance(request: Request, candidate_id: UUID) -> presenters.CandidatePercent:
    """Say how much longer a candidate's time is. What they have started keeps the time that it
    has."""
    changed = percent.change(request.work, request.target, **request.validated)
    return presenters.candidate_percent(request.work, **vars(changed))
