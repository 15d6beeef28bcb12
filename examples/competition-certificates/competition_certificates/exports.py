"""A table that staff can download."""

from competition.core.exports import Table
from competition.core.lists import Query
from competition.core.users import affiliations
from competition.core.users.models import USERS
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from sqlalchemy import select

from competition_certificates.models import Certificate


def certificates(work: Work, query: Query) -> Table:
    """Export the certificates that are valid, the latest first.

    Each has the school, year and group that the candidate had in the season of the exam.
    """
    then = affiliations.of_exam(Exam)
    of_certificate = (Certificate.code, Certificate.exam_title, Certificate.rank)
    rows = (
        select(*of_certificate, *then.candidate, Certificate.awarded_at)
        .select_from(Certificate)
        .join(Exam, Exam.id == Certificate.exam_id)
        .join(USERS, USERS.c.id == Certificate.user_id)
        .where(Certificate.revoked_at.is_(None))
    )
    return Table(then.join(rows), order=(Certificate.id.desc(),))
