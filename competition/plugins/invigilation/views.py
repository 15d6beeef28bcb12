from competition.core.auth.access import StaffRole, staff
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.exams.services import rows
from competition.plugins.invigilation import presenters, schemas
from competition.plugins.invigilation.services import watching

invigilation = Service("/exams/{exam_id:int}/invigilation/")


@invigilation.get(
    access=staff(StaffRole.MODERATOR),
    guard=rows.get,
    query=schemas.WatchQuery,
    limit="invigilation",
    polled=("server_time",),
)
def watch_exam(request: Request, exam_id: int) -> presenters.Watch:
    """List the candidates of an exam by name, with the state of each.

    The state shows who has not started, is taking the exam, has gone silent, or has submitted.
    `counts` covers all candidates, regardless of the filters. In an exam of a closed season, those
    who could take it at the season's end, and did not, have not started.
    """
    work, exam = request.work, request.target
    counted = watching.counts(work, exam)
    page = watching.page_of_seats(work, exam, request.validated, counted)
    counts = presenters.state_counts(counted)
    return presenters.watch(work, exam, counts, page, request.public_url)
