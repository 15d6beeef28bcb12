"""Staff tell everybody who takes an exam something."""

from sqlalchemy import select

from competition.core import audit, repeats
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.users.affected import Affected, affected
from competition.core.work import Work
from competition.plugins.clarifications.models import Announcement
from competition.plugins.clarifications.services import asking, messages
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import rows
from competition.plugins.sittings.models import Attempt

ANNOUNCE = "announcement.create"
ORDERING = {"id": Announcement.id, "created_at": Announcement.created_at}


def kept_exam(work: Work, exam_id: int, idempotency_key: str | None) -> Exam:
    """Guard: the exam, which nobody can delete until the commit. Raises NotFound if there is no
    such exam."""
    return rows.locked_against_deletion(work, exam_id)


def announce(work: Work, exam: Exam, text: str, idempotency_key: str | None) -> Announcement:
    """Store an announcement, and tell everybody who has started the exam.

    A repeated request with the same idempotency key announces nothing. Raises IdempotencyKeyReused
    if the key was used for another announcement.
    """
    announcement_id = repeats.once(
        work,
        f"{ANNOUNCE} {exam.id}",
        idempotency_key,
        {"text": text},
        lambda: _announce(work, exam, text).id,
    )
    return work.db.get_one(Announcement, announcement_id)


def _announce(work: Work, exam: Exam, text: str) -> Announcement:
    announcement = Announcement(
        exam_id=exam.id, text=text, created_by_id=work.identity.user_id, created_at=work.now
    )
    work.db.add(announcement)
    work.db.flush()
    audit.record(work, ANNOUNCE, subject=f"exam {exam.id}", new={"text": text})
    messages.tell(work, exam.id, f"Announcement: {exam.title}", text, announcement=announcement)
    return announcement


def preview(work: Work, exam_id: int) -> Affected:
    """Who would be told of an announcement now."""
    return affected(work, select(Attempt.candidate_id).where(Attempt.exam_id == exam_id))


def page_of_announcements(work: Work, exam_id: int, query: Query) -> Page[Announcement]:
    """A page of the announcements in an exam.

    Raises NotFound if there is no such exam, and ExamNotStarted for a candidate who has not
    started it.
    """
    rows.get(work, exam_id)
    if work.identity.kind == "candidate":
        asking.check_started(work, exam_id)
    return paginate(
        work,
        select(Announcement)
        .where(Announcement.exam_id == exam_id)
        .where(*contains_every_word(query["search"], Announcement.text)),
        query,
        key=Announcement.id,
        created=Announcement.created_at,
        ordering=ORDERING,
    )
