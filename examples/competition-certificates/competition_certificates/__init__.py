"""Certificates for the best of every leaderboard, which anybody can check by their code."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from competition.core.settings import setting
from pyramid.config import Configurator

REQUIRES = ("leaderboard", "people")
# A history of its own; `competition db upgrade` runs it.
MIGRATIONS = Path(__file__).parent / "migrations"
# What an operator can grant to members of staff below an admin.
REVOKE = "certificates.revoke"


@dataclass(frozen=True, kw_only=True)
class CertificateSettings:
    """Whoever has a rank up to `ranks` gets a certificate; `text` is what it says of the
    achievement, and `signed_by` stands under it."""

    prefix: ClassVar[str] = "competition.certificates"
    ranks: int = setting(3, minimum=1)
    text: str = setting("in recognition of an outstanding result")
    signed_by: str = setting("The jury")


SETTINGS = CertificateSettings


def includeme(config: Configurator) -> None:
    config.add_content_type("svg", "image/svg+xml")
    config.add_staff_permission(REVOKE, "Revoke certificates.")
    config.add_examples(code="3F9A0C21B7", exam_title="The first round", rank=1, is_valid=True)
    config.scan()
