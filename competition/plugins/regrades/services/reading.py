"""Read stored regrades, and the candidates whose score or rank they change."""

from collections.abc import Collection, Mapping

from sqlalchemy import func, select
from sqlalchemy.orm import contains_eager, joinedload

from competition.core.errors import NotFound
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.users import affiliations
from competition.core.users.affiliations import AffiliationColumns
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import rows
from competition.plugins.regrades.models import UNKNOWN, Difference, Regrade
from competition.plugins.regrades.presenters import RegradedCandidate, regraded_candidate

ORDERING = {"id": Regrade.id, "created_at": Regrade.created_at, "applied_at": Regrade.applied_at}
FULL_NAME = Candidate.first_name + " " + Candidate.last_name
DIFFERENCE_ORDERING = {
    "score_before": Difference.score_before,
    "score_after": Difference.score_after,
    "rank_before": Difference.rank_before,
    "rank_after": Difference.rank_after,
    "last_name": Candidate.last_name,
}
WITH_PEOPLE = (joinedload(Regrade.created_by), joinedload(Regrade.applied_by))


def get(work: Work, exam_id: int, regrade_id: int) -> Regrade:
    """A regrade of this exam, with the staff who previewed and applied it.

    Raises NotFound if there is no such exam or regrade.
    """
    rows.get(work, exam_id)
    regrade = work.db.get(Regrade, regrade_id, options=WITH_PEOPLE)
    if regrade is None or regrade.exam_id != exam_id:
        raise NotFound(UNKNOWN)
    return regrade


def page_of_regrades(work: Work, exam_id: int, query: Query) -> Page[Regrade]:
    statement = select(Regrade).options(*WITH_PEOPLE).where(Regrade.exam_id == exam_id)
    if query["status"]:
        statement = statement.where(Regrade.status == query["status"])
    statement = statement.where(*contains_every_word(query["search"], Regrade.reason))
    key, created = Regrade.id, Regrade.created_at
    return paginate(work, statement, query, key=key, created=created, ordering=ORDERING)


def _then(exam_ids: Collection[int]) -> AffiliationColumns:
    """The affiliation in the season of these exams, which are all of the same season."""
    season_id = select(func.max(Exam.season_id)).where(Exam.id.in_(exam_ids))
    return affiliations.of_season(season_id.scalar_subquery())


def page_of_differences(work: Work, regrade: Regrade, query: Query) -> Page[tuple[Difference, str]]:
    """A page of the candidates whose score or rank changes, each with the school in the exam's
    season; by default the largest change first."""
    then = _then([regrade.exam_id])
    statement = (
        select(Difference, then.shown_school.label("school"))
        .join(Difference.candidate)
        .options(contains_eager(Difference.candidate))
        .where(Difference.regrade_id == regrade.id)
        .where(*contains_every_word(query["search"], FULL_NAME + " " + then.shown_school))
    )
    page = paginate(
        work,
        then.join(statement),
        query,
        key=Difference.position,
        created=Candidate.date_joined,
        ordering=DIFFERENCE_ORDERING,
        default=[Difference.position],
    )
    return page.map(lambda row: (row.Difference, row.school))


def chosen_otherwise(
    work: Work, regrade_ids: Collection[int]
) -> Mapping[int, tuple[list[RegradedCandidate], list[RegradedCandidate]]]:
    """For each regrade, the candidates whom plugins choose only by the new scores, and the
    candidates whom they choose only by the old scores, sorted by name.

    Plugins that choose candidates use this function to fill the slot `EFFECT`.
    """
    regrades = work.db.scalars(select(Regrade).where(Regrade.id.in_(regrade_ids))).all()
    named = {each for row in regrades for each in (*row.gets_in, *row.falls_out)}
    then = _then({row.exam_id for row in regrades})
    found = (
        select(Candidate, then.shown_school.label("school"))
        .where(Candidate.id.in_(named))
        .order_by(Candidate.last_name, Candidate.first_name, Candidate.id)
    )
    in_order = work.db.execute(then.join(found)).all()

    def shown(ids: Collection[object]) -> list[RegradedCandidate]:
        return [
            regraded_candidate(row.Candidate, row.school)
            for row in in_order
            if row.Candidate.id in ids
        ]

    return {row.id: (shown({*row.gets_in}), shown({*row.falls_out})) for row in regrades}
