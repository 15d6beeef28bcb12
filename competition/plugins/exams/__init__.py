"""Exams: when they take place, and which questions they have.

The questions are frozen as a *paper* when the first candidate starts, or before. The plugin
`sittings` lets candidates take the exams, and `scores` evaluates the answers. Plugins add fields to
an exam by filling the slot `EXAM` (`offered_slots`).
"""

from pyramid.config import Configurator

from competition.core.errors import Invalid, PermissionDenied

REQUIRES = ("questions",)


def includeme(config: Configurator) -> None:
    config.add_examples(
        title="Rings and ideals",
        description="Forty questions on commutative rings.",
        round=1,
        scheduled_date="2026-03-14T09:00:00Z",
        countdown_minutes=60,
        open_duration_hours=12,
        ranking="standard",
        scores_visible=None,
        status="scheduled",
        concluded_at=None,
        stage_display="screening_1",
        questions=[11, 12, 13],
        question_count=40,
        question=11,
        add_to_exams=[7],
        remove_from_exams=[8],
        exam_ids=[7],
        exam_id=7,
        exam_title="Rings and ideals",
        exam="Rings and ideals",
        reason="Exam not found",
    )
    config.add_export_filter(
        "questions",
        "exam",
        ".schemas.EXAM_OF_QUESTIONS",
        ".exports.of_exam",
        errors=(Invalid, PermissionDenied),
    )
    config.scan()
