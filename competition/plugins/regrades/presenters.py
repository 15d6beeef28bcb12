from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, NotRequired, TypedDict
from uuid import UUID

from competition.core.lists import Page, Pagination
from competition.core.slots import Contributed, spread
from competition.core.users.models import Candidate
from competition.core.users.profiles import StaffProfile, editor_profile
from competition.core.work import Work
from competition.plugins.questions.models import Answer
from competition.plugins.regrades import models
from competition.plugins.regrades.models import Status
from competition.plugins.regrades.offered_slots import EFFECT
from competition.plugins.scores.presenters.scores import number


class Change(TypedDict):
    """The answers to a question that count as right: each option in `accept`. With `credit_all`,
    every answer counts as right, also a blank answer. With `void`, the question no longer counts.
    """

    question: int
    accept: NotRequired[list[Answer]]
    void: NotRequired[bool]
    credit_all: NotRequired[bool]


class RegradeEffect(TypedDict):
    """The effect of a regrade. The averages are those of all scores in the exam, including scores
    given by staff."""

    scores_changed: int
    up: int
    down: int
    ranks_changed: int
    average_before: float
    average_after: float
    contributed: NotRequired[Annotated[Contributed, EFFECT]]


class Regrade(TypedDict):
    """A preview, or a regrade that was applied or reverted. `exam` is the id of the exam."""

    id: int
    exam: int
    status: Status
    changes: list[Change]
    reason: str
    effect: RegradeEffect
    created_by: StaffProfile | None
    created_at: datetime
    applied_by: StaffProfile | None
    applied_at: datetime | None


class RegradeList(TypedDict):
    results: list[Regrade]
    pagination: Pagination


class RegradedCandidate(TypedDict):
    user_id: UUID
    full_name: str
    school: str


class RegradedScore(TypedDict):
    """A candidate whose score or rank changes. A deactivated candidate has no rank."""

    candidate: RegradedCandidate
    score_before: float
    score_after: float
    rank_before: int | None
    rank_after: int | None


class RegradeDetail(Regrade):
    """A regrade, and a page of the candidates whose score or rank changes, the largest change
    first."""

    results: list[RegradedScore]
    pagination: Pagination


def regrades(work: Work, rows: Sequence[models.Regrade]) -> list[Regrade]:
    fields = EFFECT.load(work, [row.id for row in rows])
    return [_regrade(work, *each) for each in zip(rows, fields, strict=True)]


def regrade(work: Work, row: models.Regrade) -> Regrade:
    [shown] = regrades(work, [row])
    return shown


def regrade_list(work: Work, page: Page[models.Regrade], url: str) -> RegradeList:
    return RegradeList(results=regrades(work, page.items), pagination=page.pagination(url))


def regrade_detail(
    work: Work, row: models.Regrade, page: Page[tuple[models.Difference, str]], url: str
) -> RegradeDetail:
    """The reply for a regrade. The page has each difference with the candidate's school."""
    return RegradeDetail(
        **regrade(work, row),
        results=[_score(*each) for each in page.items],
        pagination=page.pagination(url),
    )


def regraded_candidate(candidate: Candidate, school: str) -> RegradedCandidate:
    return RegradedCandidate(user_id=candidate.id, full_name=candidate.full_name, school=school)


def _regrade(work: Work, row: models.Regrade, fields: Contributed) -> Regrade:
    effect = RegradeEffect(
        scores_changed=row.scores_changed,
        up=row.up,
        down=row.down,
        ranks_changed=row.ranks_changed,
        average_before=number(row.average_before),
        average_after=number(row.average_after),
        contributed=fields,
    )
    return Regrade(
        id=row.id,
        exam=row.exam_id,
        status=row.status,
        changes=row.changes,  # type: ignore[typeddict-item]  # validated by the schema
        reason=row.reason,
        effect=spread(effect),
        created_by=editor_profile(work, row.created_by),
        created_at=row.created_at,
        applied_by=editor_profile(work, row.applied_by),
        applied_at=row.applied_at,
    )


def _score(row: models.Difference, school: str) -> RegradedScore:
    return RegradedScore(
        candidate=regraded_candidate(row.candidate, school),
        score_before=number(row.score_before),
        score_after=number(row.score_after),
        rank_before=row.rank_before,
        rank_after=row.rank_after,
    )
