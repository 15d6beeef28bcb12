"""Import certificates that the service has not awarded, such as those for special prizes."""

from collections.abc import Iterator, Sequence

from competition.core.errors import Invalid
from competition.core.imports import Asked, Row
from competition.core.jobs import jobs
from competition.core.users import lookup
from competition.core.users.models import User
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from sqlalchemy import select

from competition_certificates.models import Certificate
from competition_certificates.services import new_code


def admit(work: Work, asked: Asked) -> None:
    """Check that there is such an exam. Raises Invalid if there is none."""
    _exam(work, asked)


def _exam(work: Work, asked: Asked) -> Exam:
    exam = work.db.get(Exam, asked.exam_id)
    if exam is None or exam.deleted_at is not None:
        raise Invalid.field("exam", "There is no exam with this id. Check the id.")
    return exam


def check(work: Work, asked: Asked, rows: Sequence[Row]) -> Iterator[Row]:
    """Find out what each row would do. A candidate has at most one certificate per exam."""
    accounts = lookup.of_rows(work, rows, lock=asked.is_applied)
    awarded = select(Certificate).where(Certificate.exam_id == asked.exam_id)
    known = {each.user_id: each for each in work.db.scalars(awarded)}
    for row in rows:
        candidate = lookup.candidate(row, accounts)
        if candidate is not None and not row.errors:
            if candidate.id in known:
                row.change({"rank": known[candidate.id].rank}, {"rank": row.values["rank"]})
            else:
                row.state = "new"
        yield row


def apply(work: Work, asked: Asked, rows: Sequence[Row]) -> None:
    """Award the certificates, or change their ranks. They are drawn in the background."""
    exam = _exam(work, asked)
    for row in rows:
        known = select(Certificate).where(
            Certificate.exam_id == exam.id, Certificate.user_id == row.user_id
        )
        certificate = work.db.scalar(known.with_for_update())
        if certificate is None:
            certificate = Certificate(
                code=new_code(),
                user_id=row.user_id,
                exam_id=exam.id,
                exam_title=exam.title,
                full_name=work.db.get_one(User, row.user_id).full_name,
                rank=row.values["rank"],
                awarded_at=work.now,
            )
            work.db.add(certificate)
        certificate.rank, certificate.drawn_at = row.values["rank"], None
        work.db.flush()
        jobs.enqueue(work, "certificates.draw", certificate_id=certificate.id)
