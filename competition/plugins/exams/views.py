from competition.core.auth.access import StaffRole, candidate, staff
from competition.core.errors import Invalid
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.exams import presenters, schemas, statistics
from competition.plugins.exams.errors import ExamAlreadySubmitted, ExamNotEligible, ExamNotOpen
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import links, papers, planning, scoring, taking
from competition.plugins.questions.presenters import Question, pool_data
from competition.plugins.questions.services import bank_counts
from competition.plugins.questions.services import get as get_question

ADMIN = staff(StaffRole.ADMIN)

exams = Service("/exams/")
exam = Service("/exams/{exam_id:int}/")
conclusion = Service("/exams/{exam_id:int}/conclude/")
exam_questions = Service("/exams/{exam_id:int}/questions/")
results = Service("/exams/{exam_id:int}/results/")
paper = Service("/exams/{exam_id:int}/take-exam/")
submission = Service("/exams/{exam_id:int}/submit-exam-answers/")
question_links = Service("/questions/{question_id:int}/exams/")
bulk_links = Service("/questions/bulk-add-to-exams/")
manual_score = Service("/exams/{exam_id:int}/submit-exam-score/")


@exams.get(access=ADMIN, query=schemas.ExamFilters)
def list_exams(request: Request) -> presenters.ExamList:
    """List the exams, newest first."""
    work = request.work
    page = planning.page_of_exams(work, request.validated)
    counts = statistics.question_counts(work, [exam.id for exam in page.items])
    pool = pool_data(bank_counts(work))
    return presenters.exam_list(page, counts, pool, work.now, request.public_url)


@exams.post(access=ADMIN, status=201, body=schemas.NewExam)
def create_exam(request: Request) -> presenters.ExamShape:
    """Plan an exam."""
    return _exam(request, planning.create(request.work, request.validated))


@exam.get(access=ADMIN, query=schemas.ExamQuestionsQuery, guard=planning.get)
def get_exam(request: Request, exam_id: int) -> presenters.ExamDetail:
    """Show an exam with a page of its questions."""
    work, shown = request.work, request.target
    question_ids = planning.questions_in_order(work, exam_id)
    average = statistics.average_scores(work, [exam_id]).get(exam_id)
    return presenters.exam_detail(
        work,
        presenters.exam_fields(work, shown, len(question_ids), average),
        planning.page_of_questions(work, question_ids, request.validated),
        papers.frozen(work, exam_id),
        planning.difficulties(work, question_ids),
        request.public_url,
    )


@exam.put(access=ADMIN, body=schemas.WholeExam, guard=planning.get)
def replace_exam(request: Request, exam_id: int) -> presenters.ExamShape:
    """Change an exam. What is left out stays as it is."""
    return _exam(request, planning.change(request.work, exam_id, request.validated))


@exam.patch(access=ADMIN, body=schemas.ExamChanges, guard=planning.get)
def change_exam(request: Request, exam_id: int) -> presenters.ExamShape:
    """Change some fields of an exam."""
    return _exam(request, planning.change(request.work, exam_id, request.validated))


@exam.delete(access=ADMIN, status=204)
def delete_exam(request: Request, exam_id: int) -> None:
    """Delete an exam. Once somebody has started, its results are kept."""
    planning.remove(request.work, exam_id)


@conclusion.post(access=ADMIN, errors=(Invalid,))
def conclude_exam(request: Request, exam_id: int) -> presenters.ExamShape:
    """Close an ongoing exam now. Running attempts keep their grace."""
    return _exam(request, planning.conclude(request.work, exam_id))


def _exam(request: Request, shown: Exam) -> presenters.ExamShape:
    work = request.work
    average = statistics.average_scores(work, [shown.id]).get(shown.id)
    return presenters.exam(work, shown, planning.questions_in_order(work, shown.id), average)


@exam_questions.get(access=ADMIN, guard=planning.get)
def list_exam_questions(request: Request, exam_id: int) -> list[Question]:
    """All questions of an exam, in the order of the paper."""
    work = request.work
    found = planning.questions(work, planning.questions_in_order(work, exam_id))
    return presenters.exam_questions(work, found, papers.frozen(work, exam_id))


@question_links.post(access=ADMIN, body=schemas.LinkChanges, guard=get_question)
def change_question_links(request: Request, question_id: int) -> presenters.LinkReport:
    """Put a question into exams, and take it out of others; each by itself."""
    given = request.validated
    done = links.change_links(
        request.work, question_id, given["add_to_exams"], given["remove_from_exams"]
    )
    return presenters.link_report(question_id, *done)


@bulk_links.post(access=ADMIN, body=schemas.BulkAddition)
def add_questions_to_exams(request: Request) -> presenters.BulkReport:
    """Put every question into every exam."""
    given = request.validated
    done = links.add_in_bulk(request.work, given["question_ids"], given["exam_ids"])
    return presenters.bulk_report(*done)


@results.get(access=ADMIN)
def list_results(request: Request, exam_id: int) -> list[presenters.ExamResult]:
    """All scores of an exam, the highest first."""
    return [presenters.exam_result(*row) for row in scoring.results(request.work, exam_id)]


@paper.get(access=candidate(), errors=(ExamNotEligible, ExamAlreadySubmitted, ExamNotOpen))
def take_exam(request: Request, exam_id: int) -> presenters.ExamPaper:
    """Open the paper. The first call starts the clock; every later one answers the same."""
    taken, frozen, started_at = taking.take_exam(request.work, exam_id)
    return presenters.paper(taken, frozen.questions, started_at, request.work.now)


@submission.post(
    access=candidate(),
    status=201,
    guard=taking.check_submission,
    body=schemas.AnswerSheet,
    errors=(ExamNotEligible, ExamAlreadySubmitted, ExamNotOpen),
    limit="submission",
)
def submit_answers(request: Request, exam_id: int) -> presenters.Message:
    """Hand in the answers, once. Questions that are left out count as unanswered."""
    taking.submit_answers(request.work, request.target, request.validated["answers"])
    return presenters.Message(message="Your answers have been submitted.")


@manual_score.put(access=ADMIN, body=schemas.ManualScore, guard=planning.get)
def submit_score(request: Request, exam_id: int) -> presenters.ScoreReceipt:
    """Give a candidate a score by hand. Automatic scoring never changes it."""
    work, given = request.work, request.validated
    scored, scored_candidate, score, updated = scoring.record_score(
        work, exam_id, given["candidate_id"], given["score"]
    )
    count = statistics.question_counts(work, [exam_id]).get(exam_id, 0)
    return presenters.score_receipt(work, scored, scored_candidate, score, count, updated)
