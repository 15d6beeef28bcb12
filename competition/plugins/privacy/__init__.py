"""Privacy: people take what is kept about them along, and leave for good; a guardian's consent.

Each plugin declares its own part, with ``@personal_data``.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.limits.counters import Rates, parse_rates
from competition.core.settings import setting

REQUIRES = ("people",)
# The most hours of a link: S3 signs none for longer than a week.
LONGEST_LINK = 168


def _hours(text: str) -> int:
    if not text.isdigit() or not 0 < int(text) <= LONGEST_LINK:
        raise ValueError(f"{text!r} is no number of hours from 1 to {LONGEST_LINK}")
    return int(text)


@dataclass(frozen=True, kw_only=True)
class PrivacySettings:
    """An export can be fetched for `export_hours`, and is deleted then; `export_rate` is how many a
    user may ask for. An account is erased `deletion_days` after that was asked for;
    `password_rate` is how often a user may show the password for that.

    With a `consent_text` candidates register only with a guardian's consent to it. Candidates who
    are not verified are deleted when their account was not changed for `unverified_days`; 0 keeps
    them.
    """

    prefix: ClassVar[str] = "competition.privacy"
    export_hours: int = setting(24, parse=_hours)
    export_rate: Rates = setting(parse_rates("3/day"), parse=parse_rates)
    password_rate: Rates = setting(parse_rates("5/hour"), parse=parse_rates)
    deletion_days: int = setting(14, minimum=0)
    consent_text: str = setting("")
    unverified_days: int = setting(0, minimum=0)


SETTINGS = PrivacySettings


def includeme(config: Configurator) -> None:
    config.add_content_type("zip", "application/zip")
    if config.registry.runtime.settings[PrivacySettings].consent_text:
        config.add_body_field(
            "accounts.candidate_registration", "guardian_consent", ".schemas.GuardianConsent"
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
