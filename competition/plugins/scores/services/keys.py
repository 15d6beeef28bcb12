"""The answers that count as right, as of now: the frozen key, with what was corrected since."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Integer, cast, func, literal, select
from sqlalchemy.dialects.postgresql import BIT

from competition.core.work import Work
from competition.plugins.exams.models import Paper
from competition.plugins.exams.services import papers
from competition.plugins.questions.models import OPTIONS
from competition.plugins.scores.models import Correction
from competition.plugins.sittings.models import UNANSWERED, Submission

# Each answer is one bit of a hexadecimal digit; a question that was left unanswered has none.
BITS = {option: 1 << place for place, option in enumerate(OPTIONS)} | {UNANSWERED: 0}


def key(work: Work, exam_id: int) -> list[str]:
    """For each question, in the order of the paper, the characters of a submission that count as
    right, as `Correction` has them; an empty list while there is no paper."""
    paper = papers.frozen(work, exam_id)
    return [] if paper is None else with_corrections(paper, corrections(work, exam_id))


def corrections(work: Work, exam_id: int) -> dict[int, str]:
    """What counts as right in each question that was corrected."""
    rows = work.db.execute(
        select(Correction.question_id, Correction.accepted).where(Correction.exam_id == exam_id)
    )
    return {question_id: accepted for question_id, accepted in rows}


def with_corrections(paper: Paper, corrected: dict[int, str]) -> list[str]:
    """The key of a paper if this is corrected of it."""
    return [
        corrected.get(question_id, letter)
        for question_id, letter in zip(paper.question_ids, paper.answer_key, strict=True)
    ]


def right_answers(key: Sequence[str]) -> ColumnElement[int]:
    """How many answers of a submission this key counts as right, for a query on Submission.

    Answers and key are rows of bits, and a right answer is one that both have: a hundred thousand
    submissions take a tenth of the time of a comparison answer by answer.
    """
    given = func.translate(Submission.answers, "".join(BITS), "".join(map(str, BITS.values())))
    # Unanswered is right where everybody gets the credit, and there alone.
    is_credited = [UNANSWERED in accepted for accepted in key]
    wanted = [
        0 if credited else sum(BITS[option] for option in accepted)
        for accepted, credited in zip(key, is_credited, strict=True)
    ]
    both = _bits(given).op("&")(_bits(literal("".join(f"{bits:x}" for bits in wanted))))
    return func.bit_count(both, type_=Integer) + sum(is_credited)


def _bits(digits: ColumnElement[str]) -> ColumnElement[str]:
    return cast(literal("x") + digits, BIT(varying=True))
