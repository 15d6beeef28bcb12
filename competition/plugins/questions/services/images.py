"""The images that questions show.

A question that is not archived, and a frozen paper, refer to their images by rows with foreign
keys. So no image disappears while a candidate may still get it.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError

from competition.core import audit
from competition.core.errors import Invalid, NotFound
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.storage import files
from competition.core.storage.pictures import ReceivedFile
from competition.core.work import Work
from competition.plugins.questions.models import QuestionImage
from competition.plugins.questions.services import pictures

# The first part of the keys of their files.
FOLDER = "images"
IN_USE = "This image can't be deleted, because a question in the bank or a frozen paper shows it."

ORDERING = {
    "id": QuestionImage.id,
    "alt": QuestionImage.alt,
    "created_at": QuestionImage.created_at,
}


def page_of_images(work: Work, query: Query) -> Page[QuestionImage]:
    found = select(QuestionImage).where(*contains_every_word(query["search"], QuestionImage.alt))
    return paginate(
        work,
        found,
        query,
        key=QuestionImage.id,
        created=QuestionImage.created_at,
        ordering=ORDERING,
    )


def get(work: Work, image_id: int) -> QuestionImage:
    """The image with this id. Raises NotFound if there is none."""
    image = work.db.get(QuestionImage, image_id, populate_existing=True)
    if image is None:
        raise NotFound
    return image


def create(work: Work, file: ReceivedFile, alt: str) -> QuestionImage:
    """Write the picture again, and store it. Raises InvalidFileType and StorageUnavailable."""
    picture = pictures.written_again(file)
    key = files.store(
        work,
        picture.stream,
        picture.extension,
        plugin="questions",
        subject="question images",
        folder=FOLDER,
    )
    image = QuestionImage(
        file=key, alt=alt, width=picture.width, height=picture.height, created_at=work.now
    )
    work.db.add(image)
    work.db.flush()
    audit.record(work, "question_image.create", subject=_named(image.id))
    return get(work, image.id)


def change(work: Work, image_id: int, changes: Mapping[str, Any]) -> QuestionImage:
    """Change the alternative text. Raises NotFound if there is no such image."""
    image = _locked(work, image_id)
    old = {name: getattr(image, name) for name in changes}
    for name, value in changes.items():
        setattr(image, name, value)
    audit.record_change(work, "question_image.change", _named(image_id), old, changes)
    work.db.flush()
    return get(work, image_id)


def remove(work: Work, image_id: int) -> None:
    """Delete an image and its file.

    Raises NotFound if there is no such image, and Invalid if a question that is not archived, or a
    frozen paper, shows it.
    """
    removed = delete(QuestionImage).where(QuestionImage.id == image_id)
    try:
        key = work.db.scalar(removed.returning(QuestionImage.file))
    except IntegrityError:
        # The foreign keys of questions and papers decide, also if one is being saved right now.
        raise Invalid(IN_USE) from None
    if key is None:
        raise NotFound
    files.delete(work, key)
    audit.record(work, "question_image.delete", subject=_named(image_id))


def _locked(work: Work, image_id: int) -> QuestionImage:
    """The image, locked and read again. Raises NotFound if there is none with this id."""
    image = work.db.get(QuestionImage, image_id, with_for_update=True, populate_existing=True)
    if image is None:
        raise NotFound
    return image


def _named(image_id: int) -> str:
    return f"question image {image_id}"
