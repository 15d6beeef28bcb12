"""The current answer key of an exam: the frozen key, with the corrections made since."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Integer, cast, func, literal, select
from sqlalchemy.dialects.postgresql import BIT

from competition.core.work import Work
from competition.plugins.exams.models import FrozenPaper
from competition.plugins.exams.services import papers
from competition.plugins.questions.models import OPTIONS
from competition.plugins.scores.models import Correction
from competition.plugins.sittings.models import UNANSWERED, Submission

# Each option is one bit of a hexadecimal digit. A blank answer has no bit set.
BITS = {option: 1 << place for place, option in enumerate(OPTIONS)} | {UNANSWERED: 0}


def key(work: Work, exam_id: int) -> list[str]:
    """The current answer key, in the order of the paper.

    Each item lists the characters of a submission that count as right, like `Correction.accepted`.
    The list is empty if the exam has no frozen paper yet.
    """
    paper = papers.frozen(work, exam_id)
    return [] if paper is None else with_corrections(paper, corrections(work, exam_id))


def corrections(work: Work, exam_id: int) -> dict[int, str]:
    """The accepted answers of each corrected question, by the id of the question."""
    rows = work.db.execute(
        select(Correction.question_id, Correction.accepted).where(Correction.exam_id == exam_id)
    )
    return {question_id: accepted for question_id, accepted in rows}


def with_corrections(paper: FrozenPaper, corrected: dict[int, str]) -> list[str]:
    """The answer key of a paper with these corrections applied; `key` describes its form."""
    return [
        corrected.get(question_id, letter)
        for question_id, letter in zip(paper.question_ids, paper.answer_key, strict=True)
    ]


def right_answers(key: Sequence[str]) -> ColumnElement[int]:
    """SQL expression, for a query on Submission: how many of its answers are right by this key.

    Answers and key become bit strings. A right answer is a bit that is set in both. For a hundred
    thousand submissions, this takes a tenth of the time of comparing answer by answer.
    """
    given = func.translate(Submission.answers, "".join(BITS), "".join(map(str, BITS.values())))
    # A blank answer is right only in questions for which every candidate gets the credit.
    is_credited = [UNANSWERED in accepted for accepted in key]
    wanted = [
        0 if credited else sum(BITS[option] for option in accepted)
        for accepted, credited in zip(key, is_credited, strict=True)
    ]
    both = _bits(given).op("&")(_bits(literal("".join(f"{bits:x}" for bits in wanted))))
    return func.bit_count(both, type_=Integer) + sum(is_credited)


def _bits(digits: ColumnElement[str]) -> ColumnElement[str]:
    return cast(literal("x") + digits, BIT(varying=True))
