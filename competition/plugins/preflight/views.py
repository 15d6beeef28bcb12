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
    """Is everything ready for the exam?"""
    return presenters.preflight(checks.run(request.work, exam_id))


@preparation.post(access=ADMIN, guard=rows.locked, errors=(Invalid,))
def prepare_exam(request: Request, exam_id: int) -> presenters.Preflight:
    """Fix the questions before anybody starts; everything else may still change.

    Prepared already, or started, it changes nothing.
    """
    papers.prepare(request.work, request.target)
    return presenters.preflight(checks.run(request.work, exam_id))


@preparation.delete(access=ADMIN, status=204, guard=rows.locked, errors=(Invalid,))
def undo_preparation(request: Request, exam_id: int) -> None:
    """Let the questions change again: while nobody has started."""
    papers.take_back(request.work, request.target)


@preview.get(access=ADMIN, guard=rows.get)
def preview_exam(request: Request, exam_id: int) -> ExamPaper:
    """The paper as a candidate would get it who started now with the whole time. Nothing is
    started."""
    shown = papers.as_if_started(request.work, request.target)
    return paper(request.work, shown.clock, shown.attempt, shown.paper)
