"""A table that staff can download."""

from competition.core.exports import Table
from competition.core.lists import Query
from competition.core.users.columns import CANDIDATE
from competition.core.users.models import USERS
from competition.core.work import Work
from sqlalchemy import select

from competition_certificates.models import Certificate


def certificates(work: Work, query: Query) -> Table:
    """Export the certificates that are valid, the latest first."""
    of_certificate = (Certificate.code, Certificate.exam_title, Certificate.rank)
    rows = (
        select(*of_certificate, *CANDIDATE, Certificate.awarded_at)
        .join(USERS, USERS.c.id == Certificate.user_id)
        .where(Certificate.revoked_at.is_(None))
    )
    return Table(rows, order=(Certificate.id.desc(),))
