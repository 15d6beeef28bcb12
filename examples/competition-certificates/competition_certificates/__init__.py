"""Certificates for the best candidates of every leaderboard. Anyone can check one by its code."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from competition.core.auth.access import StaffRole, staff
from competition.core.settings import setting
from pyramid.config import Configurator

REQUIRES = ("leaderboard", "people")
# Migrations of this plugin; `competition db upgrade` runs them.
MIGRATIONS = Path(__file__).parent / "migrations"
# A permission that operators can grant to staff below the rank of admin.
REVOKE = "certificates.revoke"


@dataclass(frozen=True, kw_only=True)
class CertificateSettings:
    """Candidates with a rank up to `ranks` get a certificate. `text` describes the achievement, and
    `signed_by` is the signature."""

    prefix: ClassVar[str] = "competition.certificates"
    ranks: int = setting(3, minimum=1)
    text: str = setting("in recognition of an outstanding result")
    signed_by: str = setting("The jury")


SETTINGS = CertificateSettings


def includeme(config: Configurator) -> None:
    config.add_content_type("svg", "image/svg+xml")
    config.add_staff_permission(REVOKE, "Revoke certificates.")
    config.add_examples(code="3F9A0C21B7", exam_title="The first round", rank=1, is_valid=True)
    config.add_import(
        "certificates",
        access=staff(StaffRole.ADMIN),
        row=".schemas.CertificateRow",
        check=".importing.check",
        apply=".importing.apply",
        admit=".importing.admit",
        exam="required",
        one_of=("candidate_id", "email", "external_id"),
    )
    # `GET /v1/exports/certificates/`, if the plugin exports is enabled.
    config.add_export(
        "certificates",
        "/exports/certificates/",
        ".exports.certificates",
        access=staff(StaffRole.ADMIN),
        by_school=True,
    )
    config.scan()
