"""Exams and their questions."""

from competition.core.auth.access import StaffRole, staff
from competition.core.errors import (
    IdempotencyKeyReused,
    Invalid,
    PermissionDenied,
    PreconditionFailed,
)
from competition.core.schemas import IdempotencyHeaders, NoFields, VersionHeaders
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.exams import schemas
from competition.plugins.exams.presenters import exams as presenters
from competition.plugins.exams.services import copying, papers, planning, questions, rows
from competition.plugins.questions import services as bank
from competition.plugins.questions.presenters import Question, pool_data

ADMIN = staff(StaffRole.ADMIN)
QUESTIONS_OF_A_PAGE = 10

exams = Service("/exams/")
exam = Service("/exams/{exam_id:int}/")
conclusion = Service("/exams/{exam_id:int}/conclude/")
copies = Service("/exams/{exam_id:int}/copy/")
exam_questions = Service("/exams/{exam_id:int}/questions/")
open_paper = Service("/exams/{exam_id:int}/paper/")


@exams.get(access=ADMIN, query=schemas.ExamFilters)
def list_exams(request: Request) -> presenters.ExamList:
    """List the exams of a season, newest first."""
    work = request.work
    page = planning.page_of_exams(work, request.validated)
    pool = pool_data(bank.bank_counts(work))
    return presenters.exam_list(page, pool, work.now, request.public_url)


@exams.post(
    access=ADMIN,
    status=201,
    headers=IdempotencyHeaders,
    body=schemas.NewExam,
    errors=(IdempotencyKeyReused,),
)
def create_exam(request: Request) -> presenters.ExamShape:
    """Create an exam.

    Without `scheduled_date` it is a draft. With an `Idempotency-Key`, the request can be sent
    again, for example if the reply was lost.
    """
    fields = dict(request.validated)
    planned = planning.create(request.work, fields, fields.pop("idempotency_key"))
    return presenters.exam(request.work, *planned)


@exam.get(access=ADMIN, query=schemas.ExamQuestionsQuery, guard=rows.get, versioned=True)
def get_exam(request: Request, exam_id: int) -> presenters.ExamDetail:
    """Get an exam with a page of its questions."""
    work = request.work
    paper = papers.frozen(work, exam_id)
    question_ids = questions.in_order(work, exam_id, paper)
    page = bank.page_of_ids(work, question_ids, request.validated, size=QUESTIONS_OF_A_PAGE)
    counts = bank.difficulties(work, question_ids)
    request.tag(request.target.updated_at)
    return presenters.exam_detail(work, request.target, page, paper, counts, request.public_url)


@exam.put(
    access=ADMIN,
    headers=VersionHeaders,
    body=schemas.WholeExam,
    guard=rows.locked,
    errors=(PreconditionFailed,),
    versioned=True,
    changes_season=True,
)
def replace_exam(request: Request, exam_id: int) -> presenters.ExamShape:
    """Change an exam; optional fields that are left out stay as they are.

    Once the paper is frozen, the questions are fixed. Once a candidate has started the exam, its
    stage and ranking are fixed too, its date can't be removed, and the countdown can only become
    longer.
    """
    return _changed(request)


@exam.patch(
    access=ADMIN,
    headers=VersionHeaders,
    body=schemas.ExamChanges,
    guard=rows.locked,
    errors=(PreconditionFailed,),
    versioned=True,
    changes_season=True,
)
def change_exam(request: Request, exam_id: int) -> presenters.ExamShape:
    """Change some fields of an exam.

    Once the paper is frozen, the questions are fixed. Once a candidate has started the exam, its
    stage and ranking are fixed too, its date can't be removed, and the countdown can only become
    longer.
    """
    return _changed(request)


def _changed(request: Request) -> presenters.ExamShape:
    changes = {name: value for name, value in request.validated.items() if name != "if_match"}
    changed, question_ids, paper = planning.change(request.work, request.target, changes)
    request.tag(changed.updated_at)
    return presenters.exam(request.work, changed, question_ids, paper)


@exam.delete(
    access=ADMIN, status=204, guard=rows.locked_whole, errors=(Invalid,), changes_season=True
)
def delete_exam(request: Request, exam_id: int) -> None:
    """Delete an exam.

    If a candidate has started it, or other data such as an advancement plan refers to it, the exam
    is only hidden. Its results are retained: staff can still read them. While a candidate can still
    submit it, the exam can't be deleted.
    """
    planning.remove(request.work, request.target)


@conclusion.post(
    access=ADMIN, body=NoFields, guard=rows.locked, errors=(Invalid,), changes_season=True
)
def conclude_exam(request: Request, exam_id: int) -> presenters.ExamShape:
    """Close an ongoing exam now.

    Candidates who are working on it can still submit their answers within the grace period.
    """
    return presenters.exam(request.work, *planning.conclude(request.work, request.target))


@copies.post(
    access=ADMIN,
    status=201,
    headers=IdempotencyHeaders,
    body=schemas.ExamCopy,
    guard=copying.original,
    errors=(IdempotencyKeyReused,),
)
def copy_exam(request: Request, exam_id: int) -> presenters.ExamCopy:
    """Create a new exam like this one: with its description, durations, rules and questions.

    Nothing that concerns people is copied: no attempts, answers, scores or extra time. Questions
    that have been archived are left out. Without `scheduled_date`, the copy is a draft. With an
    `Idempotency-Key`, the request can be sent again, for example if the reply was lost.
    """
    fields = request.validated
    key = fields.pop("idempotency_key")
    copied, question_ids, left_out = copying.copy(request.work, request.target, fields, key)
    return presenters.exam_copy(request.work, copied, question_ids, left_out)


@exam_questions.get(access=ADMIN, guard=rows.get)
def list_exam_questions(request: Request, exam_id: int) -> list[Question]:
    """List all questions of an exam, in the order of the paper."""
    work = request.work
    paper = papers.frozen(work, exam_id)
    found = bank.of_ids(work, questions.in_order(work, exam_id, paper))
    return presenters.exam_questions(work, found, paper)


@open_paper.get(
    access=staff(StaffRole.MODERATOR), guard=planning.check_opened, errors=(PermissionDenied,)
)
def read_open_paper(request: Request, exam_id: int) -> presenters.OpenPaper:
    """Read an exam and its questions once the exam has opened; until then the status is 403.

    Moderators need the questions to answer candidates who ask about them, and to read appeals.
    """
    work = request.work
    paper = papers.frozen(work, exam_id)
    found = bank.of_ids(work, questions.in_order(work, exam_id, paper))
    return presenters.open_paper(work, request.target, found, paper)
