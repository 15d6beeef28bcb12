"""What may be wrong with a paper."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from sqlalchemy import select

from competition.core.preflight import Finding, preflight_check
from competition.core.work import Work
from competition.plugins.exams.models import Exam, ExamQuestion, Paper
from competition.plugins.preflight.services.papers import as_seen
from competition.plugins.questions.models import Question
from competition.plugins.questions.presenters import PaperQuestion
from competition.plugins.sittings.services import sealing


@preflight_check("questions", level="error")
def there_are_questions(work: Work, exam_id: int) -> Finding:
    count = len(as_seen(work, exam_id).question_ids)
    return Finding(count > 0, f"The paper has {count} questions.")


@preflight_check("archived", level="error")
def none_is_archived(work: Work, exam_id: int) -> Finding:
    """Candidates would not get it, and the paper be shorter than it was planned. Of a fixed paper
    nothing is left out."""
    archived = work.db.scalars(
        select(ExamQuestion.question_id)
        .join(Question, Question.id == ExamQuestion.question_id)
        .where(ExamQuestion.exam_id == exam_id, Question.archived_at.is_not(None))
        .where(ExamQuestion.exam_id.not_in(select(Paper.exam_id)))
        .order_by(ExamQuestion.position)
    ).all()
    return _about(archived, "Archived questions are left out of the paper.")


@preflight_check("duplicates", level="warning")
def none_is_there_twice(work: Work, exam_id: int) -> Finding:
    """Whose texts are alike, or two of whose options are: but for case and blanks."""
    asked: defaultdict[str, list[str]] = defaultdict(list)
    found = []
    for question in as_seen(work, exam_id).questions:
        name = f"question {question['id']}"
        asked[_plain(question["text"])].append(name)
        options = [_plain(option) for option in _options(question)]
        if len({*options}) < len(options):
            found.append(f"{name}: options are alike")
    found += [f"{', '.join(names)}: texts are alike" for names in asked.values() if names[1:]]
    return Finding(not found, "Questions or options are alike." if found else "", found)


def _options(question: PaperQuestion) -> Iterator[str]:
    yield question["option_a"]
    yield question["option_b"]
    yield question["option_c"]
    yield question["option_d"]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


@preflight_check("key", level="warning")
def answers_differ(work: Work, exam_id: int) -> Finding:
    key = as_seen(work, exam_id).answer_key
    is_fine = len(key) < 2 or len({*key}) > 1
    return Finding(is_fine, "" if is_fine else f"Every right answer is {key[0]}.")


@preflight_check("shared_questions", level="warning")
def no_other_exam_asks_the_same(work: Work, exam_id: int) -> Finding:
    """Whether the questions are new: other exams that candidates sit could tell the answers, and
    published exams have told them."""
    shared, published = sealing.still_asked(work, exam_id), _published(work, exam_id)
    messages = [
        message
        for message, found in (
            ("Another exam that is open or to come asks the same.", shared),
            ("The right answers stand on a published leaderboard.", published),
        )
        if found
    ]
    return _about(sorted(shared | published), " ".join(messages))


def _published(work: Work, exam_id: int) -> set[int]:
    """The questions that an exam which was published has asked; also a copy with the same text."""
    papers = work.db.scalars(
        select(Paper)
        .join(Exam, Exam.id == Paper.exam_id)
        .where(Exam.published_at.is_not(None), Exam.id != exam_id)
    ).all()
    ids = {question_id for paper in papers for question_id in paper.question_ids}
    asked = {_plain(question["text"]) for paper in papers for question in paper.questions}
    return {
        question["id"]
        for question in as_seen(work, exam_id).questions
        if question["id"] in ids or _plain(question["text"]) in asked
    }


def _about(question_ids: Sequence[int], message: str) -> Finding:
    return Finding(
        not question_ids,
        message if question_ids else "",
        [f"question {question_id}" for question_id in question_ids],
    )
