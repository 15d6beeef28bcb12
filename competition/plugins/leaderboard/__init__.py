"""Leaderboards: the published ranks of each stage and round.

A job publishes leaderboards by writing a snapshot of all of them. Readers get pages of the latest
snapshot, so reading computes no ranks (spec "Leaderboard"). As soon as the next snapshot is
written, readers see that one instead.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.auth.access import StaffRole, staff
from competition.core.errors import Invalid, NotFound
from competition.core.settings import setting
from competition.plugins.leaderboard.errors import LeaderboardNotPublished

REQUIRES = ("scores",)
VISIBLE = "leaderboard_visible"
VISIBLE_BY_DEFAULT = True
SCORE_PUBLICATION = "score_publication"


@dataclass(frozen=True, kw_only=True)
class NameSettings:
    """The names of candidates in published data.

    `shown` is their form: ``full``, ``short`` (Ada L.) or ``initials`` (A. L.). `kept_days` is how
    many days after the end of an exam the names on its leaderboard are erased. If it is 0, they are
    never erased.
    """

    prefix: ClassVar[str] = "competition.names"
    shown: str = setting("full", choices=("full", "short", "initials"))
    kept_days: int = setting(0, minimum=0)


SETTINGS = NameSettings


def includeme(config: Configurator) -> None:
    config.add_flag(
        VISIBLE,
        default=VISIBLE_BY_DEFAULT,
        description="Candidates may read the leaderboards.",
    )
    config.add_flag(
        SCORE_PUBLICATION, default=False, description="Staff may use POST /publish-scores/."
    )
    config.add_examples(
        message="The leaderboards are being published.",
        snapshot_id=3,
        publish_at="2026-03-15T12:00:00Z",
        expected_at="2026-03-15T12:00:00Z",
        rank=1,
        total_candidates=120,
        total_questions=40,
        is_correct=True,
    )
    config.add_export(
        "leaderboard",
        "/exports/leaderboard/{stage}/{round:int}/",
        ".exports.leaderboard",
        access=staff(StaffRole.ADMIN),
        query="competition.plugins.leaderboard.schemas.BoardQuery",
        errors=(Invalid, NotFound, LeaderboardNotPublished),
        by_school=True,
        schemas=".exports.SCHEMAS",
    )
    config.scan()
