"""Schools: their names, merging them, and leaderboards of schools.

A school is a name in the profiles of candidates. PostgreSQL inserts a row for each new name (see
`models`). Staff give schools other names, codes and regions, and merge schools that are the same.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.auth.access import StaffRole, staff
from competition.core.errors import Invalid, NotFound
from competition.core.limits.counters import parse_rates
from competition.core.settings import setting
from competition.plugins.leaderboard.errors import LeaderboardNotPublished

REQUIRES = ("people", "leaderboard")


@dataclass(frozen=True, kw_only=True)
class SchoolsSettings:
    """Which schools candidates can choose, and how schools are ranked.

    If `closed` is true, candidates, imports and teachers can only choose a listed school. The score
    of a school on a leaderboard is the sum of the scores of its `best` best candidates. Schools
    with fewer than `minimum` candidates on the leaderboard are left out.
    """

    prefix: ClassVar[str] = "competition.schools"
    closed: bool = setting(False)
    best: int = setting(5, minimum=1)
    minimum: int = setting(1, minimum=1)


SETTINGS = SchoolsSettings

# How often a user may read schools.
READING = parse_rates("60/minute")


def includeme(config: Configurator) -> None:
    config.add_ceiling("schools.reading", lambda settings: READING)
    config.add_school_names(
        "schools",
        find=".services.names.find",
        refuse=".services.names.refuse",
        suggest=".services.suggesting.suggest",
    )
    config.add_examples(
        code="NG-0412",
        region="Lagos",
        listed=True,
        names=["Hillside"],
        candidates=120,
        verified=96,
        needs_manager=False,
        best=5,
        minimum=1,
        counted=5,
        rank=1,
    )
    config.add_export(
        "school_leaderboard",
        "/exports/leaderboard/{stage}/{round:int}/schools/",
        ".exports.leaderboard",
        access=staff(StaffRole.ADMIN),
        query="competition.plugins.leaderboard.schemas.BoardQuery",
        errors=(Invalid, NotFound, LeaderboardNotPublished),
        by_school=True,
        schemas="competition.plugins.leaderboard.exports.SCHEMAS",
    )
    config.scan()
