from competition.core.auth.access import StaffRole, staff
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.questions import presenters, schemas, services

MODERATOR = staff(StaffRole.MODERATOR)

questions = Service("/questions/")
bulk_archive = Service("/questions/bulk-archive/")
rendered_question = Service("/questions/render/")
question = Service("/questions/{question_id:int}/")


@questions.get(access=MODERATOR, query=schemas.QuestionFilters)
def list_questions(request: Request) -> presenters.QuestionList:
    """List the questions in the bank, newest first; with `archived`, only archived questions."""
    work = request.work
    counts = services.bank_counts(work)
    page = services.page_of_questions(work, request.validated)
    return presenters.question_list(work, page, counts, request.public_url)


@questions.post(access=MODERATOR, status=201, body=schemas.NewQuestion)
def create_question(request: Request) -> presenters.Question:
    """Add a question to the bank."""
    return presenters.question(request.work, services.create(request.work, request.validated))


@rendered_question.post(access=MODERATOR, body=schemas.TextsToRender)
def render_question(request: Request) -> presenters.RenderedTexts:
    """Render the texts of a question as saving them would, for a preview.

    Nothing is saved. A text that is left out is rendered as an empty one.
    """
    rendered, spoken = services.render(request.work, request.validated)
    return presenters.RenderedTexts(rendered=rendered, spoken=spoken)


@question.get(access=MODERATOR)
def get_question(request: Request, question_id: int) -> presenters.Question:
    """Get a question, even if it is archived."""
    return presenters.question(request.work, services.get(request.work, question_id))


@question.put(access=MODERATOR, body=schemas.WholeQuestion, guard=services.get)
def replace_question(request: Request, question_id: int) -> presenters.Question:
    """Replace a question.

    If `difficulty` is left out, it stays as it is. Exams whose questions are already fixed keep the
    question as it was.
    """
    changed = services.change(request.work, question_id, request.validated)
    return presenters.question(request.work, changed)


@question.patch(access=MODERATOR, body=schemas.QuestionChanges, guard=services.get)
def change_question(request: Request, question_id: int) -> presenters.Question:
    """Change some fields of a question.

    Exams whose questions are already fixed keep the question as it was.
    """
    changed = services.change(request.work, question_id, request.validated)
    return presenters.question(request.work, changed)


@question.delete(access=MODERATOR, status=204)
def archive_question(request: Request, question_id: int) -> None:
    """Archive a question, which removes it from the bank permanently.

    The question can still be read. Exams whose questions are already fixed keep it; all other exams
    leave it out.
    """
    services.archive(request.work, question_id)


@bulk_archive.post(access=staff(StaffRole.ADMIN), body=schemas.ArchiveList)
def archive_questions(request: Request) -> presenters.ArchiveReport:
    """Archive several questions, which removes them from the bank permanently.

    A question that can't be archived does not stop the others; the reply lists both.
    """
    done = services.archive_in_bulk(request.work, request.validated["question_ids"])
    return presenters.archive_report(*done)
