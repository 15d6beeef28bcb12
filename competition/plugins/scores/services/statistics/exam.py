"""The scores of an exam, and the average scores of exams."""

from collections.abc import Collection, Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from sqlalchemy import Select, func, literal, select
from sqlalchemy.orm import contains_eager, joinedload

from competition.core.lists import Page, Query, contains_every_word, page_size, paginate
from competition.core.shared_answers import SharedAnswers
from competition.core.users import affiliations
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.scores.models import Score
from competition.plugins.scores.presenters.scores import number
from competition.plugins.scores.services.rounding import average_in_sql
from competition.plugins.sittings.models import HandedInBy, Submission, is_same_attempt

RESULTS_ORDERING = {"score": Score.value, "recorded_at": Score.recorded_at}
# The query parameters with which a list leaves scores out, or has another order.
NARROWING = ("search", "ordering", "created_after", "created_before")
# How many results are read at a time.
RESULTS_AT_A_TIME = 1000
HIGHEST_FIRST = (
    Score.value.desc(),
    Candidate.last_name,
    Candidate.first_name,
    Candidate.id,
)


class Result(NamedTuple):
    """A score, loaded with its candidate and the member of staff who gave it. `school` is the
    candidate's school in the season of the exam. The other fields are about the submission, and
    None without one."""

    score: Score
    school: str
    submitted_at: datetime | None
    handed_in_by: HandedInBy | None


class Numbers(NamedTuple):
    """The number of an exam's scores, and their average."""

    scores: int = 0
    average: Decimal | None = None


class SharedNumbers(SharedAnswers[int, Numbers]):
    """The numbers of large exams, by exam id."""


def results(work: Work, exam: Exam) -> Iterator[Result]:
    """The scores of an exam, the highest first. They are read in parts, so `work` has to be a
    snapshot."""
    everything = _results(exam).order_by(*HIGHEST_FIRST)
    for row in work.db.execute(everything, execution_options={"yield_per": RESULTS_AT_A_TIME}):
        yield Result(*row)


def page_of_results(work: Work, exam: Exam, query: Query) -> Page[Result]:
    """A page of the scores of an exam, by default the highest first."""
    then = affiliations.of_exam(exam)
    found = _results(exam).where(*contains_every_word(query["search"], then.searched))
    count = None
    if not any(query[name] for name in NARROWING):
        # Compare names and read candidates only for scores that are not below the lowest score of
        # this page.
        of_exam = select(Score.id).where(Score.exam_id == exam.id)
        down_to = query["page"] * page_size(query)
        highest = of_exam.order_by(Score.value.desc()).fetch(down_to, with_ties=True)
        found = found.where(Score.id.in_(highest))
        count = literal(_numbers(work, [exam.id])[exam.id].scores)
    page = paginate(
        work,
        found,
        query,
        key=Score.id,
        created=Score.recorded_at,
        ordering=RESULTS_ORDERING,
        default=HIGHEST_FIRST,
        count=count,
    )
    return page.map(lambda row: Result(*row[:4]))


def _results(exam: Exam) -> Select[*tuple[Any, ...]]:
    then = affiliations.of_exam(exam)
    found = (
        select(Score, then.shown_school, Submission.submitted_at, Submission.handed_in_by)
        .join(Score.candidate)
        .outerjoin(Submission, is_same_attempt(Submission, Score))
        .options(contains_eager(Score.candidate), joinedload(Score.recorded_by))
        .where(Score.exam_id == exam.id)
    )
    return then.join(found)


def average_scores(work: Work, exam_ids: Collection[int]) -> dict[int, float]:
    """The average score of each of these exams; 0 for an exam without scores. That of a large exam
    may be two seconds old."""
    numbers = _numbers(work, exam_ids)
    return {exam_id: number(numbers[exam_id].average) for exam_id in exam_ids}


def _numbers(work: Work, exam_ids: Collection[int]) -> dict[int, Numbers]:
    """The numbers of each of these exams, as `average_scores` describes them."""
    shared = work.runtime.part(SharedNumbers)
    recent = {exam_id: shared.recent(work, exam_id) for exam_id in exam_ids}
    found = {exam_id: numbers for exam_id, numbers in recent.items() if numbers is not None}
    missing = set(exam_ids) - found.keys()
    if missing:
        rows = work.db.execute(
            select(Score.exam_id, func.count(), average_in_sql(Score.value))
            .where(Score.exam_id.in_(missing))
            .group_by(Score.exam_id)
        )
        found |= dict.fromkeys(missing, Numbers())
        for exam_id, scores, average in rows:
            found[exam_id] = Numbers(scores, average)
            shared.share(work, exam_id, found[exam_id], rows=scores)
    return found
