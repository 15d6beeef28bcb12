"""The table of background work."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import BigInteger, Identity, Index, String, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.choices import one_of
from competition.core.database import Base

JobState = Literal["pending", "running", "done", "failed"]


class Job(Base):
    """One run of a task. `key` names what jobs of one name may be run together for."""

    __tablename__ = "job"

    # BigInteger: each `insert … on conflict do nothing` for a tick uses up an id, also when nothing
    # is inserted.
    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    key: Mapped[str] = mapped_column(String(200), default="")
    args: Mapped[dict[str, Any]] = mapped_column(JSONB)
    state: Mapped[JobState] = mapped_column(String(10), default="pending")
    attempts: Mapped[int] = mapped_column(default=0)
    run_after: Mapped[datetime]
    lease: Mapped[UUID | None]
    lease_until: Mapped[datetime | None]
    last_error: Mapped[str | None]
    request_id: Mapped[str] = mapped_column(String(100))
    # Of what asked for it, where that was traced.
    traceparent: Mapped[str | None] = mapped_column(String(55))
    # Set on periodic work: one job a name and tick, however many schedulers there are.
    tick: Mapped[datetime | None]
    created_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]

    __table_args__ = (
        UniqueConstraint("name", "tick"),
        one_of("state", JobState),
        Index(
            "ix_job_open",
            "name",
            "key",
            "run_after",
            postgresql_where=text("state in ('pending', 'running')"),
        ),
        # What is next is found at once, however much waits.
        Index(
            "ix_job_next",
            "run_after",
            "id",
            postgresql_where=text("state in ('pending', 'running')"),
        ),
        Index("ix_job_failed", "id", postgresql_where=text("state = 'failed'")),
    )
