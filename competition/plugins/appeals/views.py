from competition.core.auth.access import StaffRole, candidate, staff
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.appeals import presenters, schemas, services
from competition.plugins.appeals.errors import AppealsClosed
from competition.plugins.exams.services import rows

all_appeals = Service("/appeals/")
appeals = Service("/exams/{exam_id:int}/appeals/")
single = Service("/appeals/{appeal_id:int}/")
answer = Service("/appeals/{appeal_id:int}/answer/")


@all_appeals.get(access=candidate() | staff(StaffRole.MODERATOR), query=schemas.AllAppealFilters)
def list_all_appeals(request: Request) -> presenters.AppealList:
    """List the appeals in all exams of a season, the newest first.

    Candidates only see their own appeals.
    """
    page = services.page_of_all(request.work, request.validated)
    return presenters.appeal_list(request.work, page, request.public_url)


@single.get(access=candidate() | staff(StaffRole.MODERATOR), guard=services.readable)
def get_appeal(request: Request, appeal_id: int) -> presenters.Appeal:
    """Get an appeal with the answer. Candidates only get their own."""
    return presenters.appeal(request.work, request.target)


@appeals.get(
    access=candidate() | staff(StaffRole.MODERATOR), query=schemas.AppealFilters, guard=rows.get
)
def list_appeals(request: Request, exam_id: int) -> presenters.AppealList:
    """List the appeals in an exam, the newest first. Candidates only see their own."""
    page = services.page_of_exam(request.work, exam_id, request.validated)
    return presenters.appeal_list(request.work, page, request.public_url)


@appeals.post(
    access=candidate(),
    status=201,
    body=schemas.NewAppeal,
    guard=services.check_open,
    errors=(AppealsClosed,),
    changes_season=True,
)
def make_appeal(request: Request, exam_id: int) -> presenters.Appeal:
    """Appeal against a question of a published exam, or against the whole result."""
    given = request.validated
    row = services.appeal(request.work, request.target, given["question"], given["text"])
    return presenters.appeal(request.work, row)


@answer.post(
    access=staff(StaffRole.ADMIN),
    body=schemas.AppealAnswer,
    guard=services.get,
    changes_season=True,
)
def answer_appeal(request: Request, appeal_id: int) -> presenters.Appeal:
    """Accept or reject an appeal, and notify the candidate of the answer.

    If the candidate's account was erased, only the decision is stored, and `answer` is null.
    """
    row = services.answer(request.work, request.target, request.validated)
    return presenters.appeal(request.work, row)
