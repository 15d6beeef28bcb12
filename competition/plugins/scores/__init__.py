"""Scores: computed from the answers or given by hand, and every number that is made of them.

Where what lives: `services.scoring` makes scores, `services.visibility` says when candidates see
theirs, `services.statistics` has the numbers of a candidate, an exam and the season,
`services.standings` the ranks, `services.keys` what counts as right by now, `services.ending` the
end of an exam. What others show of it is in `slots`.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.settings import setting

REQUIRES = ("sittings",)
# When candidates see their own scores; staff sees them at once. `at_once` is an older name.
IMMEDIATELY, AT_CONCLUSION, AT_PUBLICATION = "immediately", "at_conclusion", "at_publication"
VISIBLE = (IMMEDIATELY, AT_CONCLUSION, AT_PUBLICATION, "at_once")


@dataclass(frozen=True, kw_only=True)
class ScoreSettings:
    """`visible` is when candidates see their own scores of exams that don't say it themselves
    (decisions G25)."""

    prefix: ClassVar[str] = "competition.scores"
    visible: str = setting(IMMEDIATELY, choices=VISIBLE)


SETTINGS = ScoreSettings


def includeme(config: Configurator) -> None:
    config.add_examples(
        candidate_name="Emmy Noether",
        candidate_school="Hillside School",
        score_submitted_by="Auto Score",
        auto_score=True,
    )
    config.scan()
