"""Plans of who advances, and who did by them."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal, get_args
from uuid import UUID

from sqlalchemy import ForeignKey, Identity, Index, Numeric, String, select
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
PlanStatus = Literal["open", "frozen", "applied", "undone"]


@dataclass(frozen=True)
class Rule:
    """How many advance: the `top` ones, a `percent` of those ranked, or all with a `minimum`."""

    kind: RuleKind
    value: Decimal


class PlannedExam(Base):
    """An exam whose scores count for a plan. Deleted, it is hidden and kept."""

    __tablename__ = "advancement_exam"

    plan_id: Mapped[int] = mapped_column(
        ForeignKey("advancement_plan.id", ondelete="CASCADE"), primary_key=True
    )
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id"), primary_key=True, index=True)
    # In the order in which they were given.
    position: Mapped[int]


class Plan(Base):
    """The rule by which candidates of a stage advance. Times of applying and undoing are those of
    the last time."""

    __tablename__ = "advancement_plan"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    from_stage: Mapped[Stage] = mapped_column(String(20))
    to_stage: Mapped[NextStage] = mapped_column(String(20))
    rule_kind: Mapped[RuleKind] = mapped_column(String(20))
    rule_value: Mapped[Decimal] = mapped_column(Numeric)
    # Whether equal scores at the cut advance together, or stay together.
    ties: Mapped[Ties] = mapped_column(String(3))
    created_by_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("user.id", ondelete="SET NULL"), index=True
    )
    created_at: Mapped[datetime]
    applied_at: Mapped[datetime | None]
    undone_at: Mapped[datetime | None]

    created_by: Mapped[Staff | None] = relationship(lazy="raise")
    exams: Mapped[list[PlannedExam]] = relationship(
        lazy="raise", order_by=PlannedExam.position, cascade="all, delete-orphan"
    )
    has_started: Mapped[bool] = column_property(
        select(PlannedExam.exam_id)
        .join(Exam, Exam.id == PlannedExam.exam_id)
        .where(PlannedExam.plan_id == id, Exam.first_started_at.is_not(None))
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
    def exam_ids(self) -> list[int]:
        return [each.exam_id for each in self.exams]

    @property
    def rule(self) -> Rule:
        return Rule(self.rule_kind, self.rule_value)

    @property
    def status(self) -> PlanStatus:
        if self.undone_at is not None:
            return "undone"
        if self.applied_at is not None:
            return "applied"
        return "frozen" if self.has_started else "open"

    @property
    def leads_up(self) -> bool:
        """Whether it leads to a later stage."""
        stages = list(CandidateRole)
        return stages.index(CandidateRole(self.to_stage)) > stages.index(
            CandidateRole(self.from_stage)
        )


class Advanced(Base):
    """A candidate has the new stage by a plan that was applied, and not undone."""

    __tablename__ = "advancement_candidate"

    plan_id: Mapped[int] = mapped_column(ForeignKey("advancement_plan.id"), primary_key=True)
    candidate_id: Mapped[UUID] = mapped_column(ForeignKey("user.id"), primary_key=True, index=True)


@dataclass(frozen=True)
class Cut:
    """Who advances: all whose sum is `lowest` or more; None: nobody. `tied` have the sum at which
    the rule alone would part equals."""

    lowest: Decimal | None
    ranked: int
    advancing: int
    tied: int
