"""Publish all exams now, or some exams now or at a given time (decisions L14)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    DateTime,
    and_,
    case,
    exists,
    func,
    literal,
    or_,
    select,
    true,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from competition.core import audit, flags, repeats
from competition.core.auth.access import StaffRole
from competition.core.errors import Invalid, PermissionDenied, existing
from competition.core.jobs import jobs
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.messages import Message
from competition.core.seasons import current as seasons
from competition.core.seasons.blockers import Blocker, season_blocker
from competition.core.seasons.current import SeasonClosed
from competition.core.todo import Waiting, todo, waiting
from competition.core.work import Work
from competition.plugins.exams.models import Exam, Stage
from competition.plugins.exams.presenters.exams import exam_head
from competition.plugins.leaderboard import SCORE_PUBLICATION
from competition.plugins.leaderboard.models import Expected, Publication
from competition.plugins.leaderboard.presenters.publications import (
    PreviewedLeaderboard,
    PublicationPreview,
    other_exam,
)
from competition.plugins.leaderboard.services import publishing
from competition.plugins.scores.models import Score
from competition.plugins.scores.services import ending
from competition.plugins.sittings.models import Attempt, Submission, is_same_attempt
from competition.plugins.sittings.services import clock

PUBLISH = "leaderboard.publish"
# How often the service looks for exams whose publication had to wait for answers.
PERIOD = timedelta(minutes=1)
ORDERING = {
    "id": Publication.id,
    "publish_at": Publication.publish_at,
    "status": Publication.status,
}
# SQL condition on Exam: whether its publication is scheduled.
IS_SCHEDULED = exists().where(Publication.exam_id == Exam.id, Publication.status == "scheduled")


def request_publication(work: Work, idempotency_key: str | None = None) -> None:
    """Enqueue a job that publishes all exams of the current season that are over.

    If another season is current when the job runs, the job publishes nothing. Requests that arrive
    before the job starts share one publication. A repeated request with the same idempotency key
    changes nothing.

    Raises IdempotencyKeyReused if the key was used for a different request.
    """
    repeats.once(work, PUBLISH, idempotency_key, {"exams": None}, lambda: _publish_all(work))


def _publish_all(work: Work) -> None:
    audit.record(work, PUBLISH)
    jobs.enqueue(work, "leaderboard.publish", season=seasons.current(work).id)


def check_score_publication(work: Work, idempotency_key: str | None) -> None:
    """Raise PermissionDenied if the flag `score_publication` is off (decisions L13)."""
    if not flags.enabled(work, SCORE_PUBLICATION):
        raise PermissionDenied(
            Message("The publication of scores is switched off. A superadmin can switch it on.")
        )


def preview(work: Work, exam_ids: Sequence[int] | None) -> PublicationPreview:
    """The exams that a publication would cover now, by id: the given exams or, if `exam_ids` is
    None, the concluded exams of the current season that somebody has started or has a score in,
    and that have no scheduled publication.

    Each has the number of candidates with a submission or a score, whether it is over, until when
    answers are accepted, and which board it replaces. A given exam that is not over would be
    published later. If no exams are given, exams that are not over would not be published.

    Raises Invalid if a given exam does not exist; the error names each id. Raises SeasonClosed if a
    given exam is of a closed season.
    """
    submitted, scored_by_hand = (
        select(func.count()).where(*conditions).correlate(Exam).scalar_subquery()
        for conditions in (
            [Submission.exam_id == Exam.id],
            [Score.exam_id == Exam.id, ~exists().where(is_same_attempt(Submission, Score))],
        )
    )
    running = exists().where(Attempt.exam_id == Exam.id, clock.can_submit(work)).correlate(Exam)
    is_over = or_(
        Exam.sealed_at.is_not(None), and_(Exam.has_status("concluded", work.now), ~running)
    )
    if exam_ids is None:
        wanted = and_(ending.is_to_be_ranked(work), Exam.is_current, ~IS_SCHEDULED)
    else:
        wanted = Exam.id.in_(lock_exams(work, exam_ids))
    rows = work.db.execute(
        select(Exam, submitted + scored_by_hand, is_over, last_answers(work))
        .where(wanted)
        .order_by(Exam.id)
    ).all()
    rounds = rivals(work, [row.Exam for row in rows])
    shown = []
    for exam, count, over, until in rows:
        newest, *others = rounds[exam.stage, exam.round]
        is_newest = newest is exam
        shown.append(
            PreviewedLeaderboard(
                **exam_head(exam),
                candidates=count,
                is_over=over,
                hand_in_until=None if over else until,
                published_at=exam.published_at,
                replaces=other_exam(others[0]) if is_newest and others else None,
                replaced_by=None if is_newest else other_exam(newest),
            )
        )
    return PublicationPreview(exams=shown)


def last_answers(work: Work) -> ColumnElement[Any]:
    """SQL expression on Exam: the latest time at which answers are accepted, as it is planned now.

    It is the end of the grace period after the deadlines of all running attempts and, before the
    exam closes, after its end. NULL if no answers are accepted any longer, or if the exam has no
    date.
    """
    deadline = (
        select(func.max(clock.deadlines()))
        .where(Attempt.exam_id == Exam.id, clock.can_submit(work))
        .correlate(Exam)
        .scalar_subquery()
    )
    is_ahead = or_(Exam.has_status("scheduled", work.now), Exam.has_status("ongoing", work.now))
    # GREATEST ignores NULL.
    latest = func.greatest(
        case((is_ahead, Exam.closes_at)), deadline, type_=DateTime(timezone=True)
    )
    return latest + literal(clock.grace(work))


def expected(work: Work, publications: Sequence[Publication]) -> list[Expected]:
    """These publications, each with the time at which the service publishes the leaderboard at the
    latest. The time is None if the publication is not scheduled, or if the exam gets no
    leaderboard: it has no date, is cancelled, or is concluded without an attempt and a score.

    The time is later than `publish_at` if answers are accepted then. Staff can still change it, for
    example by giving a candidate more time.
    """
    is_coming = or_(
        Exam.has_status("scheduled", work.now),
        Exam.has_status("ongoing", work.now),
        ending.is_to_be_ranked(work),
    )
    exam_ids = {each.exam_id for each in publications if each.status == "scheduled"}
    until = {}
    if exam_ids:
        coming = select(Exam.id, last_answers(work)).where(Exam.id.in_(exam_ids), is_coming)
        until = {exam_id: at for exam_id, at in work.db.execute(coming)}
    return [
        Expected(
            each,
            _expected_at(each, until[each.exam_id])
            if each.status == "scheduled" and each.exam_id in until
            else None,
        )
        for each in publications
    ]


def _expected_at(publication: Publication, until: datetime | None) -> datetime:
    if until is None or until < publication.publish_at:
        return publication.publish_at
    return until + PERIOD


def rivals(work: Work, exams: Sequence[Exam]) -> dict[tuple[Stage, int], list[Exam]]:
    """Lists of the exams that compete for the board of a stage and round, the newest first.

    There is one list for each stage and round of the given exams. It has the given exams and the
    published exams of the current season. Readers who ask by stage and round get the board of the
    first exam (decisions G6).
    """
    rounds: dict[tuple[Stage, int], list[Exam]] = {(each.stage, each.round): [] for each in exams}
    is_published = or_(Exam.published_at.is_not(None), Exam.id.in_([each.id for each in exams]))
    is_of_rounds = tuple_(Exam.stage, Exam.round).in_([*rounds])
    found = work.db.scalars(
        select(Exam)
        .where(Exam.deleted_at.is_(None), Exam.is_current, is_published, is_of_rounds)
        .order_by(Exam.scheduled_date.desc().nulls_last(), Exam.id.desc())
    )
    for exam in found:
        rounds[exam.stage, exam.round].append(exam)
    return rounds


def schedule(
    work: Work,
    exam_ids: Sequence[int],
    publish_at: datetime | None,
    idempotency_key: str | None = None,
) -> Sequence[Publication]:
    """Schedule the publication of these exams, at that time or now, and return the publications.

    An exam that has a scheduled publication gets the new time. A repeated request with the same
    idempotency key changes nothing, and returns the publications with their current status.

    Raises Invalid if an exam does not exist; the error names each id. Raises SeasonClosed if an
    exam is of a closed season, and IdempotencyKeyReused if the key was used for a different
    request.
    """
    work.lock(seasons.LOCK)
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
    wanted = lock_exams(work, exam_ids)
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


def lock_exams(work: Work, exam_ids: Sequence[int], stage: Stage | None = None) -> list[int]:
    """Lock these exams against deletion until the commit; return their ids without duplicates, in
    the given order.

    Raises Invalid if an exam does not exist or is not of the given stage; the error names each id.
    Raises SeasonClosed if an exam is of a closed season.
    """
    known = work.db.execute(
        select(Exam.id, Exam.is_current)
        .where(Exam.id.in_(exam_ids), Exam.deleted_at.is_(None))
        .where(true() if stage is None else Exam.stage == stage)
        .order_by(Exam.id)
        .with_for_update(read=True, key_share=True)
    ).all()
    errors = {
        str(index): [_unknown(exam_id, stage)]
        for index, exam_id in enumerate(exam_ids)
        if exam_id not in {row.id for row in known}
    }
    if errors:
        raise Invalid(
            Message("Some exams were not found. Leave out the exams that `errors` names."),
            errors={"exams": errors},
        )
    if not all(row.is_current for row in known):
        raise SeasonClosed
    return list(dict.fromkeys(exam_ids))


def _unknown(exam_id: int, stage: str | None) -> Message:
    if stage:
        return Message(
            "There is no exam ${id} of this stage. Check the id and the stage.",
            "unknown",
            id=exam_id,
        )
    return Message("There is no exam ${id}. Check the id.", "unknown", id=exam_id)


@todo("leaderboard.unpublished", rank=StaffRole.ADMIN, link="boards")
def unpublished_exams(work: Work) -> Waiting:
    """The exams that are concluded, but neither published nor scheduled to be."""
    return waiting(
        work,
        select(Exam.closes_at, Exam.id).where(
            ending.is_to_be_ranked(work),
            Exam.published_at.is_(None),
            ~IS_SCHEDULED,
            Exam.is_current,
        ),
        link="boards/publish?exams={}",
    )


def page_of_publications(work: Work, query: Query) -> Page[Publication]:
    wanted = contains_every_word(query["search"], Exam.title)
    is_of_season = seasons.wanted(work, query["season"], Exam)
    statement = (
        select(Publication).join(Exam, Exam.id == Publication.exam_id).where(is_of_season, *wanted)
    )
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
    """Cancel a scheduled publication.

    Raises NotFound if there is none with this id, and Invalid if it is already published or
    cancelled.
    """
    work.lock(seasons.LOCK)
    work.lock(publishing.LOCK)
    publication = existing(work.db.get(Publication, publication_id, populate_existing=True))
    if publication.status != "scheduled":
        raise Invalid(
            Message(
                "This publication can't be cancelled: it is already ${status}.",
                status=publication.status,
            )
        )
    publication.status = "cancelled"
    audit.record(work, "leaderboard.unschedule", subject=f"exam {publication.exam_id}")
    work.db.flush()


def publish_due(work: Work) -> None:
    """Publish the exams whose scheduled time has come.

    An exam that candidates can still submit stays scheduled; a later call publishes it. If the exam
    was deleted, its publication is cancelled.
    """
    work.lock(seasons.LOCK)
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


@season_blocker("leaderboard.publications")
def scheduled_publications(work: Work) -> list[Blocker]:
    found = work.db.execute(
        select(Publication, Exam.title)
        .join(Exam, Exam.id == Publication.exam_id)
        .where(Publication.status == "scheduled", Exam.deleted_at.is_(None))
        .order_by(Publication.id)
    ).all()
    titles = {row.Publication.id: row.title for row in found}
    return [
        Blocker(
            publication.id,
            titles[publication.id],
            exam=publication.exam_id,
            expected_at=expected_at,
        )
        for publication, expected_at in expected(work, [row.Publication for row in found])
    ]
