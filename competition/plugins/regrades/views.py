from competition.core.auth.access import StaffRole, staff
from competition.core.errors import Invalid
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.exams.services import rows
from competition.plugins.regrades import presenters, schemas
from competition.plugins.regrades.errors import PreviewOutdated
from competition.plugins.regrades.services import applying, reading

ADMIN = staff(StaffRole.ADMIN)

regrades = Service("/exams/{exam_id:int}/regrades/")
regrade = Service("/exams/{exam_id:int}/regrades/{regrade_id:int}/")
application = Service("/exams/{exam_id:int}/regrades/{regrade_id:int}/apply/")
reversal = Service("/exams/{exam_id:int}/regrades/{regrade_id:int}/revert/")


@regrades.get(access=ADMIN, query=schemas.RegradeFilters, guard=rows.get)
def list_regrades(request: Request, exam_id: int) -> presenters.RegradeList:
    """List the regrades of an exam, previews included, the newest first."""
    page = reading.page_of_regrades(request.work, exam_id, request.validated)
    return presenters.regrade_list(request.work, page, request.public_url)


@regrades.post(
    access=ADMIN, status=201, body=schemas.NewRegrade, guard=applying.over, changes_season=True
)
def preview_regrade(request: Request, exam_id: int) -> presenters.Regrade:
    """Preview a correction of an exam's answer key.

    Nothing changes until the preview is applied. The exam has to be over, so that no candidate can
    submit any longer. A correction replaces an earlier correction of the same question.
    """
    given = request.validated
    row = applying.preview(request.work, request.target, given["changes"], given["reason"])
    return presenters.regrade(request.work, row)


@regrade.get(access=ADMIN, query=schemas.DifferenceFilters, guard=reading.get)
def get_regrade(request: Request, exam_id: int, regrade_id: int) -> presenters.RegradeDetail:
    """Get a regrade, and the candidates whose score or rank it changes, the largest change
    first."""
    page = reading.page_of_differences(request.work, request.target, request.validated)
    return presenters.regrade_detail(request.work, request.target, page, request.public_url)


@regrade.delete(access=ADMIN, status=204, guard=reading.get, errors=(Invalid,), changes_season=True)
def delete_regrade(request: Request, exam_id: int, regrade_id: int) -> None:
    """Delete a preview. A regrade that was applied stays, also if it was reverted."""
    applying.remove(request.work, request.target)


@application.post(access=ADMIN, guard=reading.get, errors=(PreviewOutdated,), changes_season=True)
def apply_regrade(request: Request, exam_id: int, regrade_id: int) -> presenters.Regrade:
    """Apply a preview: correct the scores and ranks, also on a published leaderboard.

    Candidates whose score changes are notified, with the reason, if they can see their score. This
    seals the exam, so that candidates can't be given extra time afterwards. If the regrade is
    already applied, nothing changes.
    """
    applying.apply(request.work, request.target)
    return presenters.regrade(request.work, request.target)


@reversal.post(access=ADMIN, guard=reading.get, errors=(Invalid,), changes_season=True)
def revert_regrade(request: Request, exam_id: int, regrade_id: int) -> presenters.Regrade:
    """Revert the regrade of the exam that was applied last.

    Scores and ranks are computed again, with the corrections of the earlier regrades alone.
    Candidates whose score changes are notified, if they can see their score.
    """
    applying.revert(request.work, request.target)
    return presenters.regrade(request.work, request.target)
