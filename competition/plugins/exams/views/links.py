"""Adding questions to exams and removing them."""

from competition.core.auth.access import StaffRole, staff
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.exams import schemas
from competition.plugins.exams.presenters import links as presenters
from competition.plugins.exams.services import links
from competition.plugins.questions import services as bank

ADMIN = staff(StaffRole.ADMIN)

question_links = Service("/questions/{question_id:int}/exams/")
bulk_links = Service("/questions/bulk-add-to-exams/")


@question_links.get(
    access=staff(StaffRole.MODERATOR), query=schemas.QuestionExamFilters, guard=bank.get
)
def list_question_exams(request: Request, question_id: int) -> presenters.QuestionExamList:
    """List the exams that ask a question, the newest first, with counts of the candidates' answers
    to the question."""
    page = links.page_of_exams(request.work, question_id, request.validated)
    return presenters.question_exams(request.work, question_id, page, request.public_url)


@question_links.post(access=ADMIN, body=schemas.LinkChanges, guard=bank.get, changes_season=True)
def change_question_links(request: Request, question_id: int) -> presenters.LinkReport:
    """Add a question to exams, and remove it from others.

    If an exam can't be changed, the other exams are still changed; the reply lists every exam.
    Exams whose questions are already frozen can't be changed. If an exam is of a closed season,
    nothing is changed at all.
    """
    add, remove = request.validated["add_to_exams"], request.validated["remove_from_exams"]
    return links.change_links(request.work, request.target, add, remove)


@bulk_links.post(access=ADMIN, body=schemas.BulkAddition, changes_season=True)
def add_questions_to_exams(request: Request) -> presenters.BulkReport:
    """Add every given question to every given exam.

    If a question or exam fails, the others are still processed; the reply lists every result. If an
    exam is of a closed season, nothing is changed at all.
    """
    given = request.validated
    return links.add_in_bulk(request.work, given["question_ids"], given["exam_ids"])
