"""The question bank: the multiple-choice questions that exams are made from."""

from pyramid.config import Configurator

from competition.core.auth.access import StaffRole, staff
from competition.core.limits.counters import parse_rates

# The package with the readers of file formats that contain only questions.
READERS = ".services.importing."
# How often a user may preview texts. The console does so while an author is typing.
RENDERING = parse_rates("60/minute")


def includeme(config: Configurator) -> None:
    config.add_ceiling("questions.rendering", lambda settings: RENDERING)
    config.add_examples(
        text="Which of these rings is a field?",
        question_text="Which of these rings is a field?",
        option_a="The integers",
        option_b="The integers modulo 7",
        option_c="The integers modulo 8",
        option_d="The even integers",
        correct_answer="B",
        is_archived=False,
        archived_at=None,
        total_questions=40,
        easy_questions_count=10,
        moderate_questions_count=20,
        hard_questions_count=10,
        question_ids=[11, 12],
        question_id=11,
        alt="A circle with three chords",
        used_by=2,
        width=800,
        height=600,
        archived=[11, 12],
        reason="Question not found or archived",
    )
    config.add_import(
        "questions",
        access=staff(StaffRole.MODERATOR),
        row=".schemas.QuestionRow",
        check=".services.importing.rows.check",
        apply=".services.importing.rows.apply",
        admit=".services.importing.rows.admit",
        exam="optional",
        readers={name: f"{READERS}{name}.read" for name in ("gift", "aiken", "moodle_xml")},
    )
    config.add_export(
        "questions",
        "/exports/questions/",
        ".exports.questions",
        access=staff(StaffRole.MODERATOR),
        query=".schemas.QuestionFilters",
        formats=".services.moodle_files.FORMATS",
    )
    config.scan()
