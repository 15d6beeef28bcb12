"""Award, draw, check and revoke certificates."""

import secrets
from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from competition.core import audit, todo
from competition.core.auth.access import StaffRole
from competition.core.database import over_sets
from competition.core.errors import NotFound
from competition.core.jobs import jobs
from competition.core.mail import mails
from competition.core.monitoring.metrics import gauge
from competition.core.storage import files
from competition.core.users.models import User
from competition.core.users.personal_data import ERASED, personal_data
from competition.core.work import Work
from competition.plugins.leaderboard.models import Board, Entry
from competition.plugins.notifications.events import Notify
from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert

from competition_certificates import CertificateSettings
from competition_certificates.drawing import draw_svg
from competition_certificates.errors import CertificateRevoked
from competition_certificates.models import Certificate


def award(work: Work, snapshot_id: int) -> None:
    """Award a certificate to the best candidates of every leaderboard of a snapshot.

    A candidate who already has a certificate for the exam keeps its code. If their rank has
    changed, the certificate is drawn again. Candidates who are no longer among the best keep their
    certificate. Erased candidates get none.
    """
    of_the_best = (
        select(Entry.user_id, Entry.full_name, Entry.rank, Board.exam_id, Board.exam_title)
        .join(Board, Board.id == Entry.board_id)
        .where(
            Board.snapshot_id == snapshot_id,
            Entry.rank <= work.settings[CertificateSettings].ranks,
            Entry.full_name != ERASED,
        )
    )
    # A snapshot has all leaderboards with all of their candidates.
    with over_sets(work.db):
        best = work.db.execute(of_the_best).all()
    if not best:
        return
    given = insert(Certificate).values(
        [{**row._mapping, "code": new_code(), "awarded_at": work.now} for row in best]
    )
    changed = given.on_conflict_do_update(
        index_elements=["user_id", "exam_id"],
        set_={"rank": given.excluded.rank, "drawn_at": None},
        where=Certificate.rank != given.excluded.rank,
    )
    for certificate_id in work.db.scalars(changed.returning(Certificate.id)).all():
        jobs.enqueue(work, "certificates.draw", certificate_id=certificate_id)


def new_code() -> str:
    return secrets.token_hex(5).upper()


def draw(work: Work, certificate_id: int) -> None:
    """Draw the certificate and notify the candidate. A second run changes nothing."""
    certificate = work.db.get(Certificate, certificate_id, with_for_update=True)
    if certificate is None or certificate.drawn_at or certificate.revoked_at:
        return
    former = certificate.file_key
    certificate.file_key = files.store(
        work,
        draw_svg(certificate, work.settings[CertificateSettings]).encode(),
        "svg",
        plugin="certificates",
        subject=files.of_user(certificate.user_id),
        name="certificate",
    )
    certificate.drawn_at = work.now
    if former:
        files.delete(work, former)
    recipient = work.db.get_one(User, certificate.user_id).email
    mails.send(work, "certificates.ready", recipient, certificate_id=certificate.id)
    message = f"You have a certificate for rank {certificate.rank} in {certificate.exam_title}."
    # If the plugin notifications is enabled, it stores the message and pushes it to open sockets.
    work.emit(Notify(work, [certificate.user_id], "You have a certificate", message))


def valid_certificates(work: Work, user_ids: Collection[UUID]) -> dict[UUID, Sequence[Certificate]]:
    """The certificates of each user, without revoked certificates, the latest first."""
    found = work.db.scalars(
        select(Certificate)
        .where(Certificate.user_id.in_(user_ids), Certificate.revoked_at.is_(None))
        .order_by(Certificate.id.desc())
    ).all()
    return {user_id: [each for each in found if each.user_id == user_id] for user_id in user_ids}


def by_code(work: Work, code: str) -> Certificate:
    """The certificate with this code, even if it is revoked. Raises NotFound if there is none."""
    found = work.db.scalar(select(Certificate).where(Certificate.code == code.upper()))
    if found is None:
        raise NotFound
    return found


def revoke(work: Work, code: str) -> Certificate:
    """Revoke a certificate: checks then show it as not valid.

    Raises NotFound if no certificate has the code, and CertificateRevoked if it is revoked already.
    """
    certificate = work.db.scalar(
        select(Certificate).where(Certificate.code == code.upper()).with_for_update()
    )
    if certificate is None:
        raise NotFound
    if certificate.revoked_at is not None:
        raise CertificateRevoked
    certificate.revoked_at = work.now
    audit.record(
        work,
        "certificates.revoke",
        target=certificate.user_id,
        subject=f"exam {certificate.exam_id}",
    )
    return certificate


def newest(work: Work, most: int) -> list[Certificate]:
    """The newest certificates, the latest last."""
    found = work.db.scalars(select(Certificate).order_by(Certificate.id.desc()).limit(most))
    return list(reversed(found.all()))


@gauge("certificates_waiting", "Certificates that are not yet drawn.")
def waiting(work: Work) -> float:
    """The number of certificates that are not yet drawn."""
    waits = (Certificate.drawn_at.is_(None), Certificate.revoked_at.is_(None))
    return work.db.scalar(select(func.count()).select_from(Certificate).where(*waits)) or 0


@todo.todo("certificates.waiting", rank=StaffRole.SUPERADMIN, link="house/jobs")
def overdue(work: Work) -> todo.Waiting:
    """The certificates that should have been drawn long ago."""
    since = work.now - timedelta(hours=1)
    undrawn = (Certificate.drawn_at.is_(None), Certificate.revoked_at.is_(None))
    return todo.waiting(
        work, select(Certificate.awarded_at).where(*undrawn, Certificate.awarded_at < since)
    )


def export_certificates(work: Work, user: User) -> list[dict[str, Any]]:
    """All certificates of a user, for their data export."""
    found = work.db.scalars(select(Certificate).where(Certificate.user_id == user.id))
    return [
        {
            "code": each.code,
            "exam": each.exam_title,
            "rank": each.rank,
            "awarded_at": each.awarded_at,
            "revoked_at": each.revoked_at,
        }
        for each in found
    ]


@personal_data("certificates", export=export_certificates)
def erase_certificates(work: Work, user: User) -> None:
    """Delete a user's certificates, and the drawings, which show the name."""
    keys = work.db.scalars(
        delete(Certificate).where(Certificate.user_id == user.id).returning(Certificate.file_key)
    ).all()
    files.delete(work, *filter(None, keys))
