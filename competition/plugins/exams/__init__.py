"""Exams: planning, taking, submitting, scoring.

Where what lives: `schedule` says when an exam is open, `services.planning` what organisers do,
`services.papers` the frozen paper, `services.taking` what candidates do, `services.scoring` the
scores, `services.records` what a candidate has behind and before them, `statistics` every number
that is computed from them.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.settings import setting
from competition.core.web.rates import Rates, parse_rates

REQUIRES = ("questions",)
# When candidates see their own scores; staff sees them at once.
AT_ONCE, AT_CONCLUSION, AT_PUBLICATION = "at_once", "at_conclusion", "at_publication"


@dataclass(frozen=True, kw_only=True)
class ExamSettings:
    """`grace_minutes` after its deadline a submission is still taken (decisions G18).
    `scores_visible` is when candidates see their own scores (decisions G25)."""

    prefix: ClassVar[str] = "competition.exams"
    submission_rate: Rates = setting(parse_rates("60/minute"), parse=parse_rates)
    grace_minutes: int = setting(5, minimum=0)
    scores_visible: str = setting(AT_ONCE, choices=(AT_ONCE, AT_CONCLUSION, AT_PUBLICATION))


SETTINGS = ExamSettings


def includeme(config: Configurator) -> None:
    config.add_ceiling("submission", lambda settings: settings[ExamSettings].submission_rate)
    config.add_examples(
        title="Rings and ideals",
        description="Forty questions on commutative rings.",
        round=1,
        scheduled_date="2026-03-14T09:00:00Z",
        countdown_minutes=60,
        open_duration_hours=12,
        status="scheduled",
        concluded_at=None,
        enrollment="not_done",
        stage_display="screening_1",
        questions=[11, 12, 13],
        question_count=40,
        question=11,
        selected_option="B",
        add_to_exams=[7],
        remove_from_exams=[8],
        exam_ids=[7],
        exam_id=7,
        exam_title="Rings and ideals",
        exam="Rings and ideals",
        candidate_name="Emmy Noether",
        candidate_school="Hillside School",
        score_submitted_by="Auto Score",
        auto_score=True,
        reason="Exam not found",
        seconds_remaining=3600,
    )
    config.scan()
