"""Verification of identity: users upload documents, and a manager approves or rejects them."""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.settings import setting


@dataclass(frozen=True, kw_only=True)
class VerificationSettings:
    """Retention of identity documents, and review of changes.

    The documents are deleted `retention_days` after the decision; the decision stays. Documents
    that have waited for a decision for `pending_days` are deleted with their request, and the
    service emails the user to upload them again. For both settings, 0 disables the deletion.

    With `review_changes`, users with an approved identity need the approval of a manager to change
    their own name or school.
    """

    prefix: ClassVar[str] = "competition.verification"
    retention_days: int = setting(30, minimum=0)
    pending_days: int = setting(0, minimum=0)
    review_changes: bool = setting(False)


SETTINGS = VerificationSettings


def includeme(config: Configurator) -> None:
    config.add_examples(
        rejection_reason="The card can't be read.",
        url="https://files.example/face_id?signature=c2lnbmF0dXJl",
    )
    config.scan()
