"""Links to identity documents: check who may get them, and record each link."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from competition.core import audit
from competition.core.audit import security_log
from competition.core.auth.access import StaffRole, has_rank
from competition.core.users.attachments import link
from competition.core.users.models import DOCUMENTS, User
from competition.core.users.profiles import NO_LINKS, DocumentLinks
from competition.core.work import Work


def sees_documents(work: Work, user_id: UUID) -> bool:
    """Whether the caller may see a user's identity documents. Users may see their own documents.
    Managers and superadmins may see all documents; admins may not."""
    actor = work.actor
    return actor is not None and (actor.user_id == user_id or has_rank(actor, StaffRole.MANAGER))


def document_links(work: Work, user: User | Row[Any], *, wanted: bool = True) -> DocumentLinks:
    """Create temporary links to a user's identity documents, and record that they are given out
    (decisions F9). The links are None if the caller may not see the documents, or if `wanted` is
    false."""
    if not wanted or not sees_documents(work, user.id):
        return NO_LINKS
    given = [name for name in DOCUMENTS if getattr(user, name)]
    if given:
        record_links(work, user.id, given)
    return DocumentLinks(
        face_id=link(work, user.face_id, private=True),
        id_card=link(work, user.id_card, private=True),
        verification_document=link(work, user.verification_document, private=True),
    )


def record_links(work: Work, user_id: UUID, documents: Collection[str]) -> None:
    """Record that links to identity documents are given out. They are recorded in the security log
    and, if the documents are not the caller's own, also in the audit trail."""
    names = " ".join(documents)
    security_log.record_committed(work, "document_link", user_id=user_id, documents=names)
    if work.actor is None or work.actor.user_id != user_id:
        audit.record(work, "document.link", target=user_id, subject=names)
