from typing import Any

from pyramid.response import Response

from competition.core.auth.access import PUBLIC, StaffRole, staff
from competition.core.errors import (
    IdempotencyKeyReused,
    Invalid,
    PreconditionFailed,
    ServiceUnavailable,
    StorageUnavailable,
)
from competition.core.schemas import IdempotencyHeaders, VersionHeaders
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.questions import presenters, schemas, services
from competition.plugins.questions.services import captions, serving, warnings
from competition.plugins.questions.services import images as bank_of_images

MODERATOR = staff(StaffRole.MODERATOR)

questions = Service("/questions/")
bulk_archive = Service("/questions/bulk-archive/")
rendered_question = Service("/questions/render/")
question = Service("/questions/{question_id:int}/")
images = Service("/questions/images/")
image = Service("/questions/images/{image_id:int}/")
served_image = Service("/images/{name}/")

# The name of an image is never used for another image, so clients can cache the image permanently.
# Pages of any site may show it, because anyone who knows the name may get the image.
CACHED_FOREVER = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Cross-Origin-Resource-Policy": "cross-origin",
}


@questions.get(access=MODERATOR, query=schemas.QuestionFilters)
def list_questions(request: Request) -> presenters.QuestionList:
    """List the questions in the bank, newest first; with `archived`, only archived questions."""
    work = request.work
    page, counts = services.page_of_questions(work, request.validated)
    return presenters.question_list(work, page, counts, request.public_url)


@questions.post(
    access=MODERATOR,
    status=201,
    headers=IdempotencyHeaders,
    body=schemas.NewQuestion,
    errors=(IdempotencyKeyReused,),
)
def create_question(request: Request) -> presenters.Question:
    """Add a question to the bank.

    With an `Idempotency-Key`, the request can be sent again, for example if the reply was lost.
    """
    fields = dict(request.validated)
    created = services.create(request.work, fields, fields.pop("idempotency_key"))
    return presenters.question(request.work, created)


@rendered_question.post(access=MODERATOR, body=schemas.TextsToRender, limit="questions.rendering")
def render_question(request: Request) -> presenters.PreviewedTexts:
    """Render the texts of a question for a preview, in the same way as when they are saved.

    Nothing is saved. A text that is left out is rendered as an empty text. If a formula or an image
    can't be read, the status is 400. With `show_mistakes`, it is 200, and only that formula or
    image is shown as it was typed, in an `merror` element; `mistakes` says why. `warnings` lists
    texts that are accepted but probably not meant: formulas without delimiters, and options that
    are read aloud in the same words.
    """
    texts = dict(request.validated)
    if texts.pop("show_mistakes", False):
        rendered, spoken, mistakes = services.preview(request.work, texts)
    else:
        mistakes = []
        rendered, spoken = services.render(request.work, texts)
    found = warnings.of(texts, spoken)
    return presenters.previewed_texts(request.work, rendered, spoken, found, mistakes)


@question.get(access=MODERATOR, versioned=True)
def get_question(request: Request, question_id: int) -> presenters.Question:
    """Get a question, even if it is archived."""
    found = services.get(request.work, question_id)
    request.tag(found.updated_at)
    return presenters.question(request.work, found)


@question.put(
    access=MODERATOR,
    headers=VersionHeaders,
    body=schemas.WholeQuestion,
    guard=services.locked,
    errors=(PreconditionFailed,),
    versioned=True,
)
def replace_question(request: Request, question_id: int) -> presenters.Question:
    """Replace a question.

    If `difficulty` is left out, it stays as it is. Exams whose questions are already frozen keep
    the question as it was.
    """
    return _changed(request, question_id)


@question.patch(
    access=MODERATOR,
    headers=VersionHeaders,
    body=schemas.QuestionChanges,
    guard=services.locked,
    errors=(PreconditionFailed,),
    versioned=True,
)
def change_question(request: Request, question_id: int) -> presenters.Question:
    """Change some fields of a question.

    Exams whose questions are already frozen keep the question as it was.
    """
    return _changed(request, question_id)


def _changed(request: Request, question_id: int) -> presenters.Question:
    changes = {name: value for name, value in request.validated.items() if name != "if_match"}
    changed = services.change(request.work, question_id, changes)
    request.tag(changed.updated_at)
    return presenters.question(request.work, changed)


@question.delete(access=MODERATOR, status=204)
def archive_question(request: Request, question_id: int) -> None:
    """Archive a question, which removes it from the bank permanently.

    The question can still be read. Exams whose questions are already frozen keep it; all other
    exams leave it out.
    """
    services.archive(request.work, question_id)


@bulk_archive.post(access=staff(StaffRole.ADMIN), body=schemas.ArchiveList)
def archive_questions(request: Request) -> presenters.ArchiveReport:
    """Archive several questions, which removes them from the bank permanently.

    If a question can't be archived, the other questions are still archived; the reply lists both.
    """
    done = services.archive_in_bulk(request.work, request.validated["question_ids"])
    return presenters.archive_report(*done)


@images.get(access=MODERATOR, query=schemas.ImageFilters)
def list_images(request: Request) -> presenters.ImageList:
    """List the images for questions, newest first."""
    page = bank_of_images.page_of_images(request.work, request.validated)
    return presenters.image_list(request.work, page, request.public_url)


@images.post(
    access=MODERATOR,
    status=201,
    body=schemas.NewImage,
    files=schemas.IMAGE,
    errors=(StorageUnavailable,),
)
def add_image(request: Request) -> presenters.Image:
    """Upload an image for questions: PNG, JPEG or WebP, with at most 4,096 pixels per side.

    The service stores only the pixels, in sRGB, without metadata such as the place where a picture
    was taken. It rejects animated pictures. `alt` is the text for candidates who don't see the
    image.
    """
    image = bank_of_images.create(request.work, **request.validated)
    return presenters.image(request.work, image)


@image.patch(access=MODERATOR, body=schemas.ImageChanges, guard=bank_of_images.get)
def change_image(request: Request, image_id: int) -> presenters.Image:
    """Change the alternative text of an image.

    Questions in the bank show the new text. Exams whose questions are already frozen keep the old
    text.
    """
    image = captions.change(request.work, image_id, request.validated)
    return presenters.image(request.work, image)


@image.delete(access=MODERATOR, status=204, errors=(Invalid,))
def delete_image(request: Request, image_id: int) -> None:
    """Delete an image that neither a question in the bank nor a frozen paper shows."""
    bank_of_images.remove(request.work, image_id)


@served_image.get(
    access=PUBLIC,
    limit="none",
    polled=True,
    media_type=("image/png", "image/jpeg", "image/webp"),
    errors=(StorageUnavailable, ServiceUnavailable),
)
def get_image(request: Request, name: str) -> Any:
    """Get an image of a question.

    This needs no login or API key, because the name is random and only questions contain it.
    Clients can cache the image permanently.
    """
    found = serving.served(request.work, name)
    response = Response(found.content, content_type=found.content_type)
    response.headers.update(CACHED_FOREVER)
    return response
