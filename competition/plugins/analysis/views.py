from pyramid.response import Response

from competition.core.auth.access import StaffRole, staff
from competition.core.errors import NotFound
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.analysis import drawing, presenters, schemas, services
from competition.plugins.exams.services import rows

analysis = Service("/exams/{exam_id:int}/analysis/")

# Other forms of the reply: media type and function, by the value of `format`.
FORMATS = {
    "csv": ("text/csv", presenters.table),
    "svg": ("image/svg+xml", drawing.picture),
}


@analysis.get(
    access=staff(StaffRole.ADMIN),
    guard=rows.get,
    query=schemas.AnalysisQuery,
    errors=(NotFound,),
    media_type=("application/json", "text/csv", "image/svg+xml"),
)
def analyse_exam(request: Request, exam_id: int) -> presenters.ExamAnalysis | Response:
    """How hard each question was, how well it tells the strong from the weak, and which look wrong.

    Of what was handed in, by the key as it is now; scores given by hand do not count. 404 before
    anybody has handed in. The docstrings of the plugin have the formulas.
    """
    found = presenters.analysis(services.analyse(request.work, request.target))
    if request.validated["format"] in FORMATS:
        media_type, render = FORMATS[request.validated["format"]]
        return Response(render(found), content_type=media_type, charset="utf-8")
    return found
