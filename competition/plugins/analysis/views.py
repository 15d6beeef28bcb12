from competition.core.auth.access import StaffRole, staff
from competition.core.errors import NotFound
from competition.core.web.request import Request
from competition.core.web.service import Format, Service
from competition.plugins.analysis import drawing, presenters, schemas, services
from competition.plugins.exams.services import rows

analysis = Service("/exams/{exam_id:int}/analysis/")


@analysis.get(
    access=staff(StaffRole.ADMIN),
    guard=rows.get,
    query=schemas.AnalysisQuery,
    errors=(NotFound,),
    formats={
        "csv": Format("text/csv", presenters.table),
        "svg": Format("image/svg+xml", drawing.picture),
    },
)
def analyse_exam(request: Request, exam_id: int) -> presenters.ExamAnalysis:
    """How hard each question was, how well it tells the strong from the weak, and which look wrong.

    Of what was handed in, by the key as it is now; scores given by hand do not count. 404 before
    anybody has handed in. The docstrings of the plugin have the formulas.
    """
    return presenters.analysis(services.analyse(request.work, request.target))
