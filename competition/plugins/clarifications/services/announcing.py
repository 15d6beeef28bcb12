"""Make announcements to all candidates of an exam, and list them."""

from sqlalchemy import select

from competition.core import audit, repeats
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.shared_answers import SharedAnswers
from competition.core.users.affected import Affected, affected
from competition.core.work import Work
from competition.plugins.clarifications.models import Announcement
from competition.plugins.clarifications.services import messages
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import rows
from competition.plugins.sittings.models import Attempt

ANNOUNCE = "announcement.make"
ORDERING = {"id": Announcement.id, "created_at": Announcement.created_at}


def exam(work: Work, exam_id: int, idempotency_key: str | None) -> Exam:
    """Guard of an endpoint: return the exam. The `idempotency_key`, a header of the request, is not
    used here.

    Raises NotFound if there is no such exam, and SeasonClosed if its season is closed.
    """
    return rows.check_current(rows.get(work, exam_id))


def announce(work: Work, exam: Exam, text: str, idempotency_key: str | None = None) -> Announcement:
    """Make an announcement, and notify all candidates who have started the exam.

    A repeated request with the same idempotency key returns the announcement of the first request.
    Raises IdempotencyKeyReused if the key was used for another text.
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
    made = Announcement(exam_id=exam.id, text=text, created_at=work.now)
    work.db.add(made)
    work.db.flush()
    audit.record(work, ANNOUNCE, subject=f"exam {exam.id}", new={"id": made.id, "text": text})
    messages.push_announcement(work, exam, made)
    return made


class SharedPreviews(SharedAnswers[int, Affected]):
    """Whom an announcement would reach, by exam id."""


def preview(work: Work, exam_id: int) -> Affected:
    """How many candidates an announcement would reach now, and the first ten of them by name. That
    of a large exam may be two seconds old."""
    shared = work.runtime.part(SharedPreviews)
    found = shared.recent(work, exam_id)
    if found is None:
        found = affected(work, select(Attempt.candidate_id).where(Attempt.exam_id == exam_id))
        shared.share(work, exam_id, found, rows=found["affected"])
    return found


def page_of_announcements(work: Work, exam_id: int, query: Query) -> Page[Announcement]:
    statement = select(Announcement).where(
        Announcement.exam_id == exam_id, *contains_every_word(query["search"], Announcement.text)
    )
    key, created = Announcement.id, Announcement.created_at
    return paginate(work, statement, query, key=key, created=created, ordering=ORDERING)
