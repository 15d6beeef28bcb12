"""Advancement: promote the best candidates of a stage to the next one.

Organisers create a plan with a rule before the exams start. Once the leaderboards are published,
they can preview which candidates advance, and then promote all of them with one request. The
promotion can be undone within 24 hours (by default).
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.auth.access import StaffRole, staff
from competition.core.errors import Invalid
from competition.core.settings import setting

REQUIRES = ("people", "regrades")


@dataclass(frozen=True, kw_only=True)
class AdvancementSettings:
    """Settings of advancement. `undo_hours`: how long an advancement can be undone, in hours."""

    prefix: ClassVar[str] = "competition.advancement"
    undo_hours: int = setting(24, minimum=0, on_pages=True)


SETTINGS = AdvancementSettings


def includeme(config: Configurator) -> None:
    config.add_examples(
        from_stage="screening",
        to_stage="league",
        exams=[7],
        top=30,
        percent=12.5,
        minimum=60.0,
        ties="in",
        cut_off=87.5,
        ranked=120,
        advancing=31,
        moving=30,
        tied_at_the_cut=2,
        total_score=92.5,
        advanced=31,
    )
    config.add_export(
        "advancement",
        "/exports/advancement/{plan_id:int}/",
        ".exports.advancement",
        access=staff(StaffRole.ADMIN),
        guard=".services.plans.get",
        errors=(Invalid,),
    )
    config.scan()
