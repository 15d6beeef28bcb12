from collections.abc import Iterator
from uuid import UUID

from competition.core.auth.access import StaffRole, staff
from competition.core.seasons.schemas import SeasonQuery
from competition.core.users import accounts
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.core.work import snapshot
from competition.plugins.exams.services import rows
from competition.plugins.scores import schemas
from competition.plugins.scores.presenters import scores as presenters
from competition.plugins.scores.services import by_hand
from competition.plugins.scores.services.statistics import candidate as of_candidate
from competition.plugins.scores.services.statistics import exam as of_exam

ADMIN = staff(StaffRole.ADMIN)

results = Service("/exams/{exam_id:int}/results/")
scores = Service("/exams/{exam_id:int}/scores/")
manual_score = Service("/exams/{exam_id:int}/submit-exam-score/")
candidate_scores = Service("/candidates/{candidate_id:uuid}/scores/")
candidate_history = Service("/candidates/{candidate_id:uuid}/exam-history/")


@results.get(access=ADMIN, guard=rows.with_results)
def list_results(request: Request, exam_id: int) -> Iterator[presenters.ExamResult]:
    """List all scores of an exam, the highest first."""
    with snapshot(request.work) as work:
        for each in of_exam.results(work, request.target):
            yield presenters.exam_result(*each)


@scores.get(access=ADMIN, guard=rows.with_results, query=schemas.ScoreFilters)
def list_scores(request: Request, exam_id: int) -> presenters.ResultList:
    """List the scores of an exam page by page, the highest first."""
    page = of_exam.page_of_results(request.work, request.target, request.validated)
    return presenters.result_list(
        page.map(lambda each: presenters.exam_result(*each)), request.public_url
    )


@manual_score.put(
    access=ADMIN, body=schemas.ManualScore, guard=rows.locked_against_deletion, changes_season=True
)
def submit_score(request: Request, exam_id: int) -> presenters.ScoreReceipt:
    """Give a candidate a score, in percent.

    The score replaces an earlier score. Neither automatic scoring nor a regrade changes it later.
    """
    work, exam, given = request.work, request.target, request.validated
    candidate, score, updated = by_hand.record_score(
        work, exam, given["candidate_id"], given["score"]
    )
    return presenters.score_receipt(work, exam, candidate, score, updated=updated)


@candidate_scores.get(access=ADMIN, guard=accounts.candidate, query=SeasonQuery)
def list_candidate_scores(request: Request, candidate_id: UUID) -> list[presenters.ScoreRecord]:
    """List a candidate's scores, the latest first."""
    work = request.work
    return [
        presenters.score_record(work, request.target, score)
        for score in of_candidate.scores(work, candidate_id, request.validated["season"])
    ]


@candidate_history.get(access=ADMIN, guard=accounts.candidate, query=SeasonQuery)
def list_candidate_exam_history(
    request: Request, candidate_id: UUID
) -> list[presenters.HistoryItem]:
    """List the exams in which a candidate has a score, the latest first."""
    scores = of_candidate.scores(request.work, candidate_id, request.validated["season"])
    return [presenters.history_item(score) for score in scores]
