"""Privacy: exports of personal data, deletion of accounts, and the consent of guardians.

Each plugin declares the personal data that it stores, with ``@personal_data``.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.settings import setting

REQUIRES = ("people",)


@dataclass(frozen=True, kw_only=True)
class PrivacySettings:
    """Settings of exports, of the deletion of accounts, and of consent.

    An export can be downloaded for `export_hours`, and is then deleted. The link stops working
    earlier if the session that requested the export ends. An account is erased `deletion_days`
    after its deletion was requested.

    If there is a `consent_text`, candidates can register only with a guardian's consent to it.
    Candidates who are not verified are erased if their account has not changed for
    `unverified_days`; 0 disables this.
    """

    prefix: ClassVar[str] = "competition.privacy"
    export_hours: int = setting(2, minimum=1, on_pages=True)
    deletion_days: int = setting(14, minimum=0, on_pages=True)
    consent_text: str = setting("", decide=True)
    unverified_days: int = setting(0, minimum=0)


SETTINGS = PrivacySettings


def includeme(config: Configurator) -> None:
    config.add_content_type("zip", "application/zip")
    if config.registry.runtime.settings[PrivacySettings].consent_text:
        config.add_body_field(
            "accounts.candidate_registration", "guardian_consent", ".schemas.GuardianConsent"
        )
        config.add_body_field(
            "seasons.join", "guardian_consent", ".schemas.GuardianConsent", is_optional=True
        )
    config.add_examples(
        code="Zk3mY0cQyVYw7B0rTq3yq5cN9x2cF4wY",
        erase_at="2026-03-28T10:15:00Z",
        requested_at="2026-03-14T10:15:00Z",
        required=True,
        text="I agree that my child takes part in the league.",
        version="2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
        name="Max Noether",
    )
    config.scan()
