"""What is to be published, and when: now or at a time, everything or some exams (decisions L14)."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select, true, update
from sqlalchemy.dialects.postgresql import insert

from competition.core import audit, flags, repeats
from competition.core.errors import Invalid, NotFound, PermissionDenied
from competition.core.jobs import jobs
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.work import Work
from competition.plugins.exams.models import Exam, Stage
from competition.plugins.leaderboard import SCORE_PUBLICATION
from competition.plugins.leaderboard.models import Publication
from competition.plugins.leaderboard.services import publishing

PUBLISH = "leaderboard.publish"
ORDERING = {
    "id": Publication.id,
    "publish_at": Publication.publish_at,
    "status": Publication.status,
}


def request_publication(work: Work, idempotency_key: str | None = None) -> None:
    """Have a snapshot published by a job. Requests that come before it begins are one publication;
    sent again under the same key nothing is published. Raises IdempotencyKeyReused."""
    repeats.once(work, PUBLISH, idempotency_key, {"exams": None}, lambda: _publish_all(work))


def _publish_all(work: Work) -> None:
    audit.record(work, PUBLISH)
    jobs.enqueue(work, "leaderboard.publish")


def check_score_publication(work: Work, idempotency_key: str | None) -> None:
    """Raises PermissionDenied while it is switched off (decisions L13)."""
    if not flags.enabled(work, SCORE_PUBLICATION):
        raise PermissionDenied("The publication of scores is switched off.")


def schedule(
    work: Work,
    exam_ids: Sequence[int],
    publish_at: datetime | None,
    idempotency_key: str | None = None,
) -> Sequence[Publication]:
    """Have these exams published by a job, at that time or now. One that was scheduled has another
    time from now on. Sent again under the same key nothing changes, and these are the publications
    as they are by now. Raises Invalid, naming each id that is no exam; IdempotencyKeyReused."""
    work.lock(publishing.LOCK)
    content = {"exams": exam_ids, "publish_at": publish_at}
    ids: list[int] = repeats.once(
        work, PUBLISH, idempotency_key, content, lambda: _schedule(work, exam_ids, publish_at)
    )
    rows = work.db.scalars(
        select(Publication).where(Publication.id.in_(ids)),
        execution_options={"populate_existing": True},
    )
    return sorted(rows, key=lambda row: ids.index(row.id))


def _schedule(work: Work, exam_ids: Sequence[int], publish_at: datetime | None) -> list[int]:
    wanted = keep_exams(work, exam_ids)
    at = publish_at or work.now
    rows = insert(Publication).values(
        [
            {"exam_id": each, "publish_at": at, "status": "scheduled", "created_at": work.now}
            for each in wanted
        ]
    )
    scheduled = work.db.scalars(
        rows.on_conflict_do_update(
            index_elements=[Publication.exam_id],
            index_where=Publication.status == "scheduled",
            set_={"publish_at": rows.excluded.publish_at},
        ).returning(Publication.id)
    ).all()
    audit.record(work, PUBLISH, new={"exams": wanted, "publish_at": at})
    jobs.enqueue(work, "leaderboard.publish_due", run_after=at)
    return list(scheduled)


def keep_exams(work: Work, exam_ids: Sequence[int], stage: Stage | None = None) -> list[int]:
    """These exams, each once and in this order; until the commit none of them is deleted. Raises
    Invalid, naming each id that is no exam, or none of the stage."""
    known = work.db.scalars(
        select(Exam.id)
        .where(Exam.id.in_(exam_ids), Exam.deleted_at.is_(None))
        .where(true() if stage is None else Exam.stage == stage)
        .order_by(Exam.id)
        .with_for_update(read=True, key_share=True)
    ).all()
    errors = {
        str(index): [f"There is no exam {exam_id}{' of this stage' if stage else ''}."]
        for index, exam_id in enumerate(exam_ids)
        if exam_id not in known
    }
    if errors:
        raise Invalid("Some exams are not there.", errors={"exams": errors})
    return list(dict.fromkeys(exam_ids))


def page_of_publications(work: Work, query: Query) -> Page[Publication]:
    wanted = contains_every_word(query["search"], Exam.title)
    statement = select(Publication).join(Exam, Exam.id == Publication.exam_id).where(*wanted)
    if query["status"]:
        statement = statement.where(Publication.status == query["status"])
    return paginate(
        work,
        statement,
        query,
        key=Publication.id,
        created=Publication.created_at,
        ordering=ORDERING,
    )


def cancel(work: Work, publication_id: int) -> None:
    """Cancel a publication that is to come. Raises NotFound; Invalid for one that was published or
    cancelled."""
    work.lock(publishing.LOCK)
    publication = work.db.get(Publication, publication_id, populate_existing=True)
    if publication is None:
        raise NotFound
    if publication.status != "scheduled":
        raise Invalid(f"This publication is not to come: it is {publication.status}.")
    publication.status = "cancelled"
    audit.record(work, "leaderboard.unschedule", subject=f"exam {publication.exam_id}")
    work.db.flush()


def publish_due(work: Work) -> None:
    """Publish what is scheduled for now or earlier. An exam that somebody can still hand in waits:
    a later call publishes it. One that was deleted meanwhile is cancelled."""
    work.lock(publishing.LOCK)
    due = work.db.execute(
        select(Publication.exam_id, Exam.deleted_at)
        .join(Exam, Exam.id == Publication.exam_id)
        .where(Publication.status == "scheduled", Publication.publish_at <= work.now)
    ).all()
    if not due:
        return
    published = publishing.publish_exams(work, {row.exam_id for row in due})
    gone = {row.exam_id for row in due if row.deleted_at is not None}
    for status, exam_ids in (("published", published), ("cancelled", gone)):
        work.db.execute(
            update(Publication)
            .where(Publication.status == "scheduled", Publication.exam_id.in_(exam_ids))
            .values(status=status),
            execution_options={"synchronize_session": False},
        )
