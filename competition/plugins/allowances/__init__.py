"""Allowances: extra time for a candidate, a school or all candidates, even during the exam.

Extra time is stored in rows that the clock of `sittings` reads (`ExtraTime`, `ExtraPercent`). This
plugin inserts those rows, records who gave the time and why, and pushes the new clocks to connected
candidates. It also reopens attempts whose answers were submitted automatically. See
docs/decisions/0020-allowances.md.
"""

from pyramid.config import Configurator

from competition.core.auth.access import StaffRole, staff

REQUIRES = ("sittings",)


def includeme(config: Configurator) -> None:
    config.add_examples(
        extra_minutes=15,
        minutes=75,
        percent=25,
        everyone=True,
        affected=412,
        school="Lycée Sophie Germain",
    )
    config.add_import(
        "allowances",
        access=staff(StaffRole.ADMIN),
        row=".schemas.PercentRow",
        check=".services.importing.check",
        apply=".services.importing.apply",
        one_of=("candidate_id", "email", "external_id"),
    )
    config.add_export(
        "allowances",
        "/exports/exams/{exam_id:int}/allowances/",
        ".exports.allowances",
        access=staff(StaffRole.ADMIN),
        guard="competition.plugins.exams.services.rows.get",
    )
    config.scan()
