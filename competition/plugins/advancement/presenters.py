from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import NotRequired, TypedDict

from sqlalchemy import Row

from competition.core.auth.access import CandidateRole
from competition.core.lists import Page, Pagination
from competition.core.users.models import Candidate
from competition.core.users.profiles import StaffProfile, editor_profile
from competition.core.work import Work
from competition.plugins.advancement import models
from competition.plugins.advancement.models import (
    Advanced,
    Cut,
    NextStage,
    PlanStatus,
    Reason,
    Ties,
)
from competition.plugins.exams.models import Stage
from competition.plugins.leaderboard.presenters.boards import RankedCandidate
from competition.plugins.scores.presenters.scores import number


class Rule(TypedDict):
    """The rule that decides who advances; it has exactly one of the three fields."""

    top: NotRequired[int]
    percent: NotRequired[float]
    minimum: NotRequired[float]


class AdvancementPlan(TypedDict):
    """A plan: the rule by which candidates advance from a stage to a later stage. The rule applies
    to the sum of their scores in `exams`, a list of ids. If `status` is `frozen`, a candidate has
    started one of the exams, and the plan can't be changed any longer. `applied_at` is the last
    time at which the plan was applied, or null. `undo_refusal` is the reason why an applied plan
    can't be undone any longer, or null."""

    id: int
    season: int
    from_stage: Stage
    to_stage: NextStage
    exams: list[int]
    rule: Rule
    ties: Ties
    status: PlanStatus
    is_deletable: bool
    created_by: StaffProfile | None
    created_at: datetime
    applied_at: datetime | None
    undo_refusal: str | None


class AdvancementPlanList(TypedDict):
    results: list[AdvancementPlan]
    pagination: Pagination


class Contender(TypedDict):
    rank: int
    candidate: RankedCandidate
    total_score: float


class AdvancementPreview(TypedDict):
    """A page of the ranking, the best candidates first. `advance` are the candidates on this page
    who advance, and `stay` the other candidates on this page. `ranked`, `advancing`, `moving` and
    `tied_at_the_cut` count the candidates on all pages. `moving` leaves out the advancing
    candidates who are not in the plan's `from_stage`: applying the plan does not move them.
    `cut_off` is the lowest total score that advances, or null if nobody advances."""

    cut_off: float | None
    ranked: int
    advancing: int
    moving: int
    tied_at_the_cut: int
    advance: list[Contender]
    stay: list[Contender]
    pagination: Pagination


class AdvancedCandidate(TypedDict):
    """A candidate who advanced. `reason` is `place` for one of the places of the rule, `tie` for a
    tie at the cut-off, and `minimum` for enough points."""

    candidate: RankedCandidate
    rank: int
    total_score: float
    reason: Reason


class AdvancedCandidateList(TypedDict):
    results: list[AdvancedCandidate]
    pagination: Pagination


class AdvancementResult(TypedDict):
    """The result of applying or undoing a plan. `advanced` is the number of candidates who have
    advanced by it."""

    advanced: int


@dataclass(frozen=True)
class RankedRow:
    """A candidate with their rank and total score, and whether they advance by the plan's rule.
    `school` is the candidate's school in the season of the plan."""

    rank: int
    candidate: Candidate
    school: str
    total: Decimal
    advances: bool


def plan(work: Work, row: models.Plan, undo_refusal: str | None) -> AdvancementPlan:
    return AdvancementPlan(
        id=row.id,
        season=row.season_id,
        from_stage=row.from_stage,
        to_stage=row.to_stage,
        exams=row.exam_ids,
        rule=_rule(row.rule),
        ties=row.ties,
        status=row.status,
        is_deletable=row.is_deletable,
        created_by=editor_profile(work, row.created_by),
        created_at=row.created_at,
        applied_at=row.applied_at,
        undo_refusal=undo_refusal,
    )


def _rule(rule: models.Rule) -> Rule:
    match rule.kind:
        case "top":
            return Rule(top=int(rule.value))
        case "percent":
            return Rule(percent=float(rule.value))
        case "minimum":
            return Rule(minimum=float(rule.value))


def plan_list(
    work: Work, page: Page[models.Plan], undo_refusals: Iterable[str | None], url: str
) -> AdvancementPlanList:
    rows = zip(page.items, undo_refusals, strict=True)
    return AdvancementPlanList(
        results=[plan(work, row, refusal) for row, refusal in rows],
        pagination=page.pagination(url),
    )


def preview(cut: Cut, moving: int, page: Page[RankedRow], url: str) -> AdvancementPreview:
    return AdvancementPreview(
        cut_off=None if cut.lowest is None else number(cut.lowest),
        ranked=cut.ranked,
        advancing=cut.advancing,
        moving=moving,
        tied_at_the_cut=cut.tied,
        advance=_contenders(row for row in page.items if row.advances),
        stay=_contenders(row for row in page.items if not row.advances),
        pagination=page.pagination(url),
    )


def _contenders(rows: Iterable[RankedRow]) -> list[Contender]:
    return [
        Contender(
            rank=row.rank,
            candidate=_candidate(row.candidate, row.school),
            total_score=number(row.total),
        )
        for row in rows
    ]


def advanced_list(
    page: Page[Row[tuple[Candidate, Advanced, str]]], url: str
) -> AdvancedCandidateList:
    return AdvancedCandidateList(
        results=[_advanced(row.Candidate, row.Advanced, row.school) for row in page.items],
        pagination=page.pagination(url),
    )


def _advanced(candidate: Candidate, row: Advanced, school: str) -> AdvancedCandidate:
    return AdvancedCandidate(
        candidate=_candidate(candidate, school),
        rank=row.rank,
        total_score=number(row.total),
        reason=row.reason,
    )


def _candidate(candidate: Candidate, school: str) -> RankedCandidate:
    return RankedCandidate(
        id=candidate.number,
        user_id=candidate.id,
        full_name=candidate.full_name,
        school=school,
        role=CandidateRole(candidate.role),
    )
