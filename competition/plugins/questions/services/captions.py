"""Change the alternative text of an image, also in the questions that show it."""

from collections.abc import Mapping, Sequence

from sqlalchemy import select

from competition.core import audit
from competition.core.work import Work
from competition.plugins.questions.mathematics import segments
from competition.plugins.questions.mathematics.rendering import FIELDS
from competition.plugins.questions.models import ImageUse, Question, QuestionImage
from competition.plugins.questions.services import images, render


def change(work: Work, image_id: int, changes: Mapping[str, str]) -> QuestionImage:
    """Change the alternative text, and re-render the questions that show the image.

    Frozen papers keep the old text. Raises NotFound if there is no such image.
    """
    # Lock the questions before the image, as saving a question does: otherwise, the two could
    # deadlock.
    _locked_questions(work, image_id)
    image = images.get(work, image_id, lock=True)
    old = {name: getattr(image, name) for name in changes}
    for name, value in changes.items():
        setattr(image, name, value)
    audit.record_change(work, "question_image.change", images.named(image_id), old, changes)
    work.db.flush()
    # Read the questions again, because one may have been saved before the image was locked.
    for question in _locked_questions(work, image_id):
        texts = {
            name: text
            for name in FIELDS
            if image_id in segments.image_ids(text := getattr(question, name))
        }
        question.rendered, question.spoken = render(work, texts, question)
    work.db.flush()
    return images.get(work, image_id)


def _locked_questions(work: Work, image_id: int) -> Sequence[Question]:
    """The questions in the bank that show the image, locked in the order of their ids."""
    return work.db.scalars(
        select(Question)
        .join(ImageUse, ImageUse.question_id == Question.id)
        .where(ImageUse.image_id == image_id)
        .order_by(Question.id)
        .with_for_update(of=Question)
        .execution_options(populate_existing=True)
    ).all()
