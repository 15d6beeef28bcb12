"""The images that questions show.

A question that is not archived, and a frozen paper, refer to their images by rows with foreign
keys. So no image disappears while a candidate may still get it.
"""

from collections.abc import Collection, Iterable

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from competition.core import audit
from competition.core.database import ReadingSession
from competition.core.errors import Invalid, NotFound, existing
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.messages import Message
from competition.core.storage import files
from competition.core.storage.models import File
from competition.core.storage.pictures import ReceivedFile
from competition.core.work import Work
from competition.plugins.questions.mathematics import segments
from competition.plugins.questions.mathematics.rendering import FIELDS, KnownImage
from competition.plugins.questions.models import ImageUse, Question, QuestionImage
from competition.plugins.questions.services import pictures

# The first part of the keys under which images are stored.
FOLDER = "images"
IN_USE = Message(
    "This image can't be deleted, because a question in the bank or a frozen paper shows it."
)
# The largest id that a column of PostgreSQL can have.
LARGEST_ID = 2**31 - 1

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


def get(work: Work, image_id: int, *, lock: bool = False) -> QuestionImage:
    """The image with this id, read again, and locked if `lock` is true. Raises NotFound if there is
    none."""
    return existing(
        work.db.get(QuestionImage, image_id, with_for_update=lock, populate_existing=True)
    )


def create(work: Work, file: ReceivedFile, alt: str) -> QuestionImage:
    """Re-encode the picture, and store it as an image.

    Raises InvalidFileType if the picture is broken or animated, and StorageUnavailable if the
    storage fails.
    """
    picture = pictures.re_encoded(file)
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
    audit.record(work, "question_image.create", subject=named(image.id))
    return get(work, image.id)


def digests(work: Work, image_ids: Collection[int]) -> dict[int, str]:
    """The SHA-256 of the contents of these images, by their ids."""
    if not image_ids:
        return {}
    found = select(QuestionImage.id, File.digest).join(File, File.key == QuestionImage.file)
    rows = work.db.execute(found.where(QuestionImage.id.in_(image_ids)))
    return {image_id: digest for image_id, digest in rows}


def remove(work: Work, image_id: int) -> None:
    """Delete an image and its file.

    Raises NotFound if there is no such image, and Invalid if a question that is not archived, or a
    frozen paper, shows it.
    """
    removed = delete(QuestionImage).where(QuestionImage.id == image_id)
    try:
        key = work.db.scalar(removed.returning(QuestionImage.file))
    except IntegrityError:
        # The foreign keys of questions and papers prevent the deletion, even if a question or a
        # paper with the image is just being saved.
        raise Invalid(IN_USE) from None
    if key is None:
        raise NotFound
    files.delete(work, key)
    audit.record(work, "question_image.delete", subject=named(image_id))


def known(work: Work, texts: Iterable[str]) -> dict[int, KnownImage]:
    """The images that these texts show, by id. An id that has no image is left out.

    Unless the session only reads, no other transaction can delete these images or change their
    alternative texts until the commit.
    """
    # If a text can't be read, rendering it reports the error.
    ids = {
        segment.id
        for text in texts
        for segment in segments.readable(text)
        if isinstance(segment, segments.Image) and segment.id <= LARGEST_ID
    }
    if not ids:
        return {}
    statement = select(QuestionImage).where(QuestionImage.id.in_(ids)).order_by(QuestionImage.id)
    if not isinstance(work.db, ReadingSession):
        statement = statement.with_for_update(read=True)
    found = work.db.scalars(statement.execution_options(populate_existing=True))
    return {each.id: KnownImage(each.path, each.width, each.height, each.alt) for each in found}


def store_uses(work: Work, question: Question) -> None:
    """Store which images a locked question shows, so that they can't be deleted."""
    shown = set[int]().union(*(segments.image_ids(getattr(question, name)) for name in FIELDS))
    stored = set(
        work.db.scalars(select(ImageUse.image_id).where(ImageUse.question_id == question.id))
    )
    if question.is_archived or shown == stored:
        return
    delete_uses(work, [question.id])
    if shown:
        rows = [{"question_id": question.id, "image_id": image_id} for image_id in sorted(shown)]
        work.db.execute(insert(ImageUse), rows)


def delete_uses(work: Work, question_ids: Collection[int]) -> None:
    """Delete the rows about the images that these questions show, so that the images can be
    deleted."""
    if question_ids:
        work.db.execute(delete(ImageUse).where(ImageUse.question_id.in_(question_ids)))


def named(image_id: int) -> str:
    return f"question image {image_id}"
