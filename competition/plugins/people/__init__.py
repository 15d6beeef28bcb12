"""People: profiles and lists of candidates and staff, accounts, roles, and the audit trail."""

from pyramid.config import Configurator

from competition.core.auth.access import StaffRole, staff

REQUIRES = ("accounts",)
# Headers of columns that have the first and the last name together, which an import can't split.
NAMES = (
    *("Name", "Names", "Full name", "Full names", "First and last name", "First name and surname"),
    *("Surname and first name", "Surname and other names", "Name and surname", "Candidate"),
    *("Candidate name", "Name of candidate", "Student", "Student name", "Name of student"),
    *("Student's name", "Pupil", "Pupil name", "Pupil's name", "Name of pupil", "Nom complet"),
    *("Nom et prénom", "Nom et prénoms", "Nom prénom", "Noms et prénoms", "Prénom et nom"),
    *("Prénom nom", "Élève", "Nom de l'élève", "Nom et prénom de l'élève", "Candidat"),
)
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
