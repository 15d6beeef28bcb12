"""The consent of guardians, which candidates need to register if `consent_text` is set."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert

from competition.core.errors import Invalid
from competition.core.imports import Row
from competition.core.messages import Message
from competition.core.work import Work
from competition.plugins.privacy import PrivacySettings
from competition.plugins.privacy.models import Consent, ConsentText


def demanded(work: Work) -> tuple[str, str]:
    """The text that a guardian has to agree to, and its version. If the text is empty, no consent
    is required."""
    text = work.settings[PrivacySettings].consent_text
    return text, hashlib.sha256(text.encode()).hexdigest()


def store(work: Work, candidate_id: UUID, contributed: Mapping[str, Any]) -> None:
    """Store who has agreed, when, and to which text, if a consent was given. Raises Invalid if the
    text has changed since the guardian saw it."""
    given = contributed.get("guardian_consent")
    if given is None:
        return
    if given["version"] != demanded(work)[1]:
        message = Message(
            "The consent text has changed. Show the new text to the guardian.", "outdated"
        )
        raise Invalid(message, errors={"guardian_consent": {"version": [message]}})
    row = {"candidate_id": candidate_id, "name": given["name"], "email": given["email"]}
    _store_to_current_text(work, [row])


def _store_to_current_text(work: Work, rows: Sequence[dict[str, Any]]) -> None:
    text, version = demanded(work)
    work.db.execute(insert(ConsentText).values(version=version, text=text).on_conflict_do_nothing())
    common = {"given_at": work.now, "version": version}
    work.db.execute(insert(Consent), [row | common for row in rows])


def check_rows(work: Work, rows: Sequence[Row]) -> None:
    """Reject rows about new candidates without a guardian, if a consent is required."""
    if not demanded(work)[0]:
        return
    for row in rows:
        if row.state == "new" and "guardian_name" not in row.values:
            row.reject(
                "guardian_name",
                Message(
                    "A new candidate needs the consent of a parent or guardian. Name the person."
                ),
            )


def store_vouched(work: Work, given: Mapping[UUID, Mapping[str, Any]]) -> None:
    """If a consent is required, store the consents to the current text that the actor vouches for.

    `given` has the guardian's name, and the address if it is known, by candidate.
    """
    rows = [
        {
            "candidate_id": candidate_id,
            "name": each["guardian_name"],
            "email": each.get("guardian_email", ""),
            "vouched_by_id": work.identity.user_id,
        }
        for candidate_id, each in given.items()
        if "guardian_name" in each
    ]
    if rows and demanded(work)[0]:
        _store_to_current_text(work, rows)
