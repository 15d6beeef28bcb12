"""Render stored texts again, after an upgrade that says formulas in other words."""

import logging
from collections.abc import Mapping

from sqlalchemy import select

from competition.core.work import Work
from competition.plugins.questions.mathematics import rendering
from competition.plugins.questions.mathematics.rendering import FIELDS, QuestionTexts
from competition.plugins.questions.mathematics.segments import Unreadable
from competition.plugins.questions.models import Question

log = logging.getLogger(__name__)

BATCH = 100


def batch_of_questions(work: Work, after: int) -> int | None:
    """Render the next questions again whose id is larger than `after`.

    Returns the last id, or None if there are no more questions. `updated_at` does not change,
    because nobody has edited the questions.
    """
    questions = work.db.scalars(
        select(Question)
        .where(Question.id > after, Question.rendered.is_not(None))
        .order_by(Question.id)
        .limit(BATCH)
        .with_for_update()
    ).all()
    for question in questions:
        texts = {name: getattr(question, name) for name in FIELDS}
        question.rendered, question.spoken = rendered_again(
            question.id, texts, question.rendered, question.spoken
        )
    return questions[-1].id if questions else None


def rendered_again(
    question_id: int,
    texts: Mapping[str, str],
    rendered: QuestionTexts | None,
    spoken: QuestionTexts | None,
) -> tuple[QuestionTexts | None, QuestionTexts | None]:
    """The texts of a question, rendered again: as HTML and in words.

    If `rendered` or `spoken` is None, or if a text can no longer be read, both are returned
    unchanged.
    """
    if rendered is None or spoken is None:
        return rendered, spoken
    try:
        found = {
            name: rendering.render_again(texts[name], rendered[name])  # type: ignore[literal-required]  # a field
            for name in FIELDS
        }
    except (Unreadable, ValueError) as error:
        log.warning("question %s can't be rendered again: %s", question_id, error)
        return rendered, spoken
    html, words = ({name: each[at] for name, each in found.items()} for at in (0, 1))
    return QuestionTexts(**html), QuestionTexts(**words)  # type: ignore[typeddict-item]  # every field
