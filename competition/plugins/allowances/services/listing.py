"""List the allowances of an exam, and those of a candidate."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import or_, select
from sqlalchemy.orm import joinedload

from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.work import Work
from competition.plugins.allowances.models import Allowance, GivenTime

ORDERING = {"id": Allowance.id, "created_at": Allowance.created_at}
# Options that load the people whom the reply for an allowance shows.
PEOPLE = (joinedload(Allowance.candidate), joinedload(Allowance.created_by))


def page_of_allowances(work: Work, exam_id: int, query: Query) -> Page[Allowance]:
    return paginate(
        work,
        select(Allowance)
        .where(Allowance.exam_id == exam_id)
        .where(*contains_every_word(query["search"], Allowance.reason))
        .options(*PEOPLE),
        query,
        key=Allowance.id,
        created=Allowance.created_at,
        ordering=ORDERING,
    )


def of_candidate(work: Work, candidate_id: UUID) -> Sequence[Allowance]:
    """The allowances for this candidate alone, and those for a school or for all candidates that
    gave this candidate time. The latest comes first."""
    given = select(GivenTime.allowance_id).where(GivenTime.candidate_id == candidate_id)
    return work.db.scalars(
        select(Allowance)
        .where(or_(Allowance.candidate_id == candidate_id, Allowance.id.in_(given)))
        .order_by(Allowance.id.desc())
    ).all()
