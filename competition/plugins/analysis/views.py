from pyramid.response import Response

from competition.core.auth.access import StaffRole, staff
from competition.core.errors import NotFound
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.analysis import drawing, presenters, schemas, services
from competition.plugins.exams.services import rows

analysis = Service("/exams/{exam_id:int}/analysis/")
answered = Service("/questions/answers/")

# Other formats of the reply: media type and function, by the value of `format`.
FORMATS = {
    "csv": ("text/csv", presenters.table),
    "svg": ("image/svg+xml", drawing.picture),
}


@analysis.get(
    access=staff(StaffRole.ADMIN),
    guard=rows.with_results,
    query=schemas.AnalysisQuery,
    errors=(NotFound,),
    media_type=("application/json", "text/csv", "image/svg+xml"),
)
def analyse_exam(request: Request, exam_id: int) -> presenters.ExamAnalysis | Response:
    """Analyse how hard each question of an exam was, and which questions look wrong.

    The analysis also says how well each question separates strong from weak candidates. Only
    submissions count, marked by the current answer key. Scores given by staff do not count. The
    status is 404 until a candidate has submitted answers.
    """
    found = presenters.analysis(services.analyse(request.work, request.target))
    if request.validated["format"] in FORMATS:
        media_type, render = FORMATS[request.validated["format"]]
        return Response(render(found), content_type=media_type, charset="utf-8")
    return found


@answered.get(access=staff(StaffRole.MODERATOR), query=schemas.AnsweredQuery)
def list_answered_questions(request: Request) -> presenters.AnsweredQuestions:
    """Get the share of right answers to each of these questions, in all exams that are sealed.

    Only submissions count, marked by the current answer keys. Exams in which the question no longer
    counts are left out. So are questions that nobody has answered.
    """
    found = services.right_answers(request.work, request.validated["question_ids"])
    return presenters.answered_questions(found)
