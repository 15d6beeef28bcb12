"""Proof of identity: documents go up, a manager decides."""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.settings import setting


@dataclass(frozen=True, kw_only=True)
class VerificationSettings:
    """`retention_days` after the decision the documents, identity papers of minors, are deleted;
    the decision is kept. Those on which nobody has decided for `pending_days` are deleted with
    their request, and the user is asked to send them again. 0 keeps them. With `review_changes`
    whoever was approved does not change their own name or school: it waits for a manager."""

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
