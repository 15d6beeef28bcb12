"""The table of jobs."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import BigInteger, Identity, Index, String, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.choices import one_of
from competition.core.database import Base

JobState = Literal["pending", "running", "done", "failed"]
IS_OPEN = text("state in ('pending', 'running')")


class Job(Base):
    """A task to run, with its arguments. If the task is declared with `batch`, its jobs that have
    the same `key` may share a run."""

    __tablename__ = "job"

    # BigInteger: each `insert … on conflict do nothing` for a periodic task uses up an id, even if
    # it inserts nothing.
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
    # The trace of the transaction that enqueued the job, if it was traced.
    traceparent: Mapped[str | None] = mapped_column(String(55))
    # For periodic tasks only: the start of the job's period. The unique constraint allows one job
    # per name and period, although every worker inserts it.
    tick: Mapped[datetime | None]
    created_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]

    __table_args__ = (
        UniqueConstraint("name", "tick"),
        one_of("state", JobState),
        Index("ix_job_open", "name", "key", "run_after", postgresql_where=IS_OPEN),
        # Finds the next due job quickly, even if many jobs wait.
        Index("ix_job_next", "run_after", "id", postgresql_where=IS_OPEN),
        Index("ix_job_failed", "id", postgresql_where=text("state = 'failed'")),
    )
