from competition.core.auth.access import StaffRole, staff
from competition.core.errors import Invalid
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.exams.services import rows
from competition.plugins.preflight import presenters
from competition.plugins.preflight.services import checks, papers
from competition.plugins.sittings.presenters import ExamPaper, paper

ADMIN = staff(StaffRole.ADMIN)

preflight = Service("/exams/{exam_id:int}/preflight/")
preparation = Service("/exams/{exam_id:int}/prepare/")
preview = Service("/exams/{exam_id:int}/preview/")


@preflight.get(access=ADMIN, guard=rows.get)
def check_exam(request: Request, exam_id: int) -> presenters.Preflight:
    """Check whether the exam and the service are ready for the start."""
    return presenters.preflight(checks.run(request.work, exam_id))


@preparation.post(access=ADMIN, guard=rows.locked, errors=(Invalid,), changes_season=True)
def prepare_exam(request: Request, exam_id: int) -> presenters.Preflight:
    """Freeze the questions of an exam before anyone starts it, and run all checks.

    Everything else can still be changed. If the questions are already frozen, only the checks run.
    """
    papers.prepare(request.work, request.target)
    return presenters.preflight(checks.run(request.work, exam_id))


@preparation.delete(
    access=ADMIN, status=204, guard=rows.locked, errors=(Invalid,), changes_season=True
)
def undo_preparation(request: Request, exam_id: int) -> None:
    """Allow changes of the questions again, as long as no candidate has started the exam."""
    papers.take_back(request.work, request.target)


@preview.get(access=ADMIN, guard=rows.get)
def preview_exam(request: Request, exam_id: int) -> ExamPaper:
    """Preview the paper: the reply to a candidate who starts now with the full time.

    This starts no attempt.
    """
    shown = papers.as_if_started(request.work, request.target)
    return paper(request.work, *shown, request.language)
