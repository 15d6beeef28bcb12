"""Tables of advancement plans and of the candidates who advanced by them."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal, get_args
from uuid import UUID

from sqlalchemy import ForeignKey, Identity, Index, Numeric, String, func, select
from sqlalchemy.orm import Mapped, column_property, mapped_column, relationship

from competition.core.auth.access import CandidateRole
from competition.core.choices import one_of
from competition.core.database import Base
from competition.core.users.models import Staff
from competition.plugins.exams.models import Exam, Stage

NextStage = Literal["league", "final", "winner"]
RuleKind = Literal["top", "percent", "minimum"]
RULE_KINDS: tuple[RuleKind, ...] = get_args(RuleKind)
Ties = Literal["in", "out"]
# Why a candidate advanced: by one of the places, by a tie at the cut-off, or by enough points.
Reason = Literal["place", "tie", "minimum"]
PlanStatus = Literal["open", "frozen", "applied", "undone"]


@dataclass(frozen=True)
class Rule:
    """A rule that decides who advances.

    Depending on `kind`, `value` is the number of candidates (`top`), their percentage of all ranked
    candidates (`percent`), or the lowest total score that advances (`minimum`).
    """

    kind: RuleKind
    value: Decimal


class PlannedExam(Base):
    """An exam whose scores count for a plan.

    The row stays if the exam is marked as deleted. It also stays if the exam was moved into a later
    season than the plan's. The exam then does not count, unless that season is undone.
    """

    __tablename__ = "advancement_exam"

    plan_id: Mapped[int] = mapped_column(
        ForeignKey("advancement_plan.id", ondelete="CASCADE"), primary_key=True
    )
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id"), primary_key=True, index=True)
    # The index of the exam in the list of exams that was sent, from 0.
    position: Mapped[int]

    season_id: Mapped[int] = column_property(
        select(Exam.season_id).where(Exam.id == exam_id).correlate_except(Exam).scalar_subquery()
    )
    first_started_at: Mapped[datetime | None] = column_property(
        select(Exam.first_started_at)
        .where(Exam.id == exam_id)
        .correlate_except(Exam)
        .scalar_subquery()
    )


class Plan(Base):
    """A plan: the rule by which candidates of a stage advance.

    `changed_at`, `applied_at` and `undone_at` are the last times at which it was changed, applied
    and undone.
    """

    __tablename__ = "advancement_plan"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    from_stage: Mapped[Stage] = mapped_column(String(20))
    to_stage: Mapped[NextStage] = mapped_column(String(20))
    rule_kind: Mapped[RuleKind] = mapped_column(String(20))
    rule_value: Mapped[Decimal] = mapped_column(Numeric)
    # If there are not enough places for all candidates with the total at the cut-off, all of them
    # advance ("in"), or all of them stay ("out").
    ties: Mapped[Ties] = mapped_column(String(3))
    created_by_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("user.id", ondelete="SET NULL"), index=True
    )
    created_at: Mapped[datetime]
    changed_at: Mapped[datetime | None]
    applied_at: Mapped[datetime | None]
    undone_at: Mapped[datetime | None]

    created_by: Mapped[Staff | None] = relationship(lazy="raise")
    exams: Mapped[list[PlannedExam]] = relationship(
        lazy="raise", order_by=PlannedExam.position, cascade="all, delete-orphan"
    )
    # A plan belongs to one season, to which all of its exams belonged when they were added. Exams
    # can only move to a later season, and back. So the plan's season is the earliest of its exams.
    season_id: Mapped[int] = column_property(
        select(func.min(Exam.season_id))
        .join(PlannedExam, Exam.id == PlannedExam.exam_id)
        .where(PlannedExam.plan_id == id)
        .correlate_except(Exam, PlannedExam)
        .scalar_subquery()
    )
    # The leaderboard of a deleted exam can't be published, so the plan can't be applied.
    has_deleted_exam: Mapped[bool] = column_property(
        select(PlannedExam.exam_id)
        .join(Exam, Exam.id == PlannedExam.exam_id)
        .where(PlannedExam.plan_id == id, Exam.deleted_at.is_not(None))
        .exists()
    )

    __table_args__ = (
        one_of("from_stage", Stage),
        one_of("to_stage", NextStage),
        one_of("rule_kind", RuleKind),
        one_of("ties", Ties),
        Index("ix_advancement_plan_created_at_id", "created_at", "id"),
    )

    @property
    def counting(self) -> list[PlannedExam]:
        """The exams whose scores count: those that were not moved to a later season than the
        plan's."""
        return [each for each in self.exams if each.season_id == self.season_id]

    @property
    def exam_ids(self) -> list[int]:
        return [each.exam_id for each in self.counting]

    @property
    def started_at(self) -> datetime | None:
        """When a candidate first started one of the exams that count; None if nobody has."""
        starts = (each.first_started_at for each in self.counting)
        return min((each for each in starts if each is not None), default=None)

    @property
    def updated_at(self) -> datetime:
        """When the plan was last changed, or created if it never was. Clients send this time in
        `If-Match` as the plan's version."""
        return self.changed_at or self.created_at

    @property
    def rule(self) -> Rule:
        return Rule(self.rule_kind, self.rule_value)

    @property
    def status(self) -> PlanStatus:
        if self.undone_at is not None:
            return "undone"
        if self.applied_at is not None:
            return "applied"
        return "open" if self.started_at is None else "frozen"

    @property
    def is_deletable(self) -> bool:
        """Whether the plan can be deleted: it was never applied, and nobody can have relied on it.

        Nobody can have relied on it if no candidate has started one of its exams, or if it was
        created or changed after the first start. A plan that was never applied can also be deleted
        if one of its exams was deleted, because it can no longer be applied.
        """
        if self.status == "frozen" and self.started_at is not None:
            return self.started_at < self.updated_at or self.has_deleted_exam
        return self.status == "open"

    @property
    def leads_up(self) -> bool:
        """Whether `to_stage` is later than `from_stage`."""
        stages = list(CandidateRole)
        return stages.index(CandidateRole(self.to_stage)) > stages.index(
            CandidateRole(self.from_stage)
        )


class Advanced(Base):
    """A candidate who advanced by a plan that was applied and not undone.

    `rank`, `total` and `reason` are those of the moment at which the plan was applied: a later
    regrade does not change them.
    """

    __tablename__ = "advancement_candidate"

    plan_id: Mapped[int] = mapped_column(ForeignKey("advancement_plan.id"), primary_key=True)
    candidate_id: Mapped[UUID] = mapped_column(ForeignKey("user.id"), primary_key=True, index=True)
    rank: Mapped[int]
    total: Mapped[Decimal] = mapped_column(Numeric)
    reason: Mapped[Reason] = mapped_column(String(20))

    __table_args__ = (one_of("reason", Reason),)


@dataclass(frozen=True)
class Cut:
    """The result of applying a rule to a ranking.

    Candidates with a total of at least `lowest` advance; if it is None, nobody does. `tied` counts
    the candidates who share the total at the cut-off when there are not enough places for all of
    them.
    """

    lowest: Decimal | None
    ranked: int
    advancing: int
    tied: int


@dataclass(frozen=True)
class Place:
    """The rank and total score of a candidate who advances, and why the candidate advances."""

    candidate_id: UUID
    rank: int
    total: Decimal
    reason: Reason
