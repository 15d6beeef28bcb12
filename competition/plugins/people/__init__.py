"""People: profiles and lists of candidates and staff, accounts, roles, and the audit trail."""

from pyramid.config import Configurator

from competition.core.auth.access import StaffRole, staff
from competition.core.imports import FULL_NAME

REQUIRES = ("accounts",)
# Headers of columns that have the first and the last name together, which an import can't split.
NAMES = (*FULL_NAME, "Candidate", "Student", "Pupil", "Élève", "Candidat")
# Words in headers of columns that are about other people than the pupil.
OTHERS = (
    *("parent", "parents", "guardian", "guardians", "mother", "father", "family", "teacher"),
    *("tuteur", "tutrice", "responsable", "mère", "père", "famille", "enseignant", "professeur"),
)


def includeme(config: Configurator) -> None:
    config.add_examples(
        role="league",
        action="candidate.role",
        subject="exam 7",
        old="screening",
        new="league",
        address="203.0.113.7",
        request_id="5f2c9a",
    )
    config.add_import(
        "candidates",
        access=staff(StaffRole.MANAGER),
        row=".schemas.CandidateRow",
        check=".services.importing.candidates.check",
        apply=".services.importing.candidates.apply",
        joined=NAMES,
        invites=True,
        others=OTHERS,
    )
    config.add_import(
        "staff",
        access=staff(StaffRole.MANAGER),
        row=".schemas.StaffRow",
        check=".services.importing.staff.check",
        apply=".services.importing.staff.apply",
        joined=NAMES,
        invites=True,
    )
    config.add_export(
        "candidates",
        "/exports/candidates/",
        ".exports.candidates",
        access=staff(StaffRole.ADMIN),
        query=".schemas.CandidateFilters",
    )
    config.add_export(
        "staff",
        "/exports/staff/",
        ".exports.staff",
        access=staff(StaffRole.MANAGER),
        query=".schemas.StaffFilters",
    )
    config.add_export(
        "audit",
        "/exports/audit/",
        ".exports.audit",
        access=staff(StaffRole.MANAGER),
        query=".schemas.AuditFilters",
    )
    config.scan()
