"""The consent of guardians, which candidates need to register if `consent_text` is set."""

import hashlib
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert

from competition.core.errors import Invalid
from competition.core.messages import Message
from competition.core.work import Work
from competition.plugins.privacy import PrivacySettings
from competition.plugins.privacy.models import Consent, ConsentText


def demanded(work: Work) -> tuple[str, str]:
    """The text that a guardian has to agree to, and its version. If the text is empty, no consent
    is required."""
    text = work.settings[PrivacySettings].consent_text
    return text, hashlib.sha256(text.encode()).hexdigest()


def store(work: Work, candidate_id: UUID, given: Mapping[str, Any]) -> None:
    """Store who has agreed, when, and to which text. Raises Invalid if the text has changed since
    the guardian saw it."""
    text, version = demanded(work)
    if given["version"] != version:
        message = Message(
            "The consent text has changed. Show the new text to the guardian.", "outdated"
        )
        raise Invalid(message, errors={"guardian_consent": {"version": [message]}})
    work.db.execute(insert(ConsentText).values(version=version, text=text).on_conflict_do_nothing())
    work.db.add(
        Consent(
            candidate_id=candidate_id,
            name=given["name"],
            email=given["email"],
            given_at=work.now,
            version=version,
        )
    )
    work.db.flush()
