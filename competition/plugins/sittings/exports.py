"""The export of the answers in an exam."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Row, select

from competition.core.errors import PermissionDenied
from competition.core.exports import Table
from competition.core.lists import Query
from competition.core.messages import Message
from competition.core.users import affiliations
from competition.core.users.columns import BY_NAME
from competition.core.users.models import USERS
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import papers, rows
from competition.plugins.sittings.models import SUBMISSIONS, UNANSWERED
from competition.plugins.sittings.services import waiting


def finished(work: Work, exam_id: int) -> Exam:
    """The exam. Raises NotFound if there is none with this id, and PermissionDenied if answers can
    still be submitted."""
    exam = rows.get(work, exam_id)
    if not waiting.is_over_for_good(work, exam):
        raise PermissionDenied(
            Message("Wait until the exam is over and nobody can submit any longer.")
        )
    return exam


def answers(work: Work, query: Query, exam_id: int) -> Table:
    """Export the answers in an exam, by the names of the candidates.

    The file has a line for each submission, with a column for each question, which is named by its
    position in the paper. The answer to a question is A to D, or empty. Before the exam is over,
    while a candidate can still submit, the status is 403.
    """
    then = affiliations.of_exam(finished(work, exam_id))
    columns = (*then.candidate, SUBMISSIONS.c.submitted_at, SUBMISSIONS.c.handed_in_by)
    paper = papers.frozen(work, exam_id)
    positions = range(1, len(paper.question_ids) + 1) if paper is not None else ()
    found = (
        select(*columns, SUBMISSIONS.c.answers)
        .select_from(SUBMISSIONS)
        .join(USERS, USERS.c.id == SUBMISSIONS.c.candidate_id)
        .where(SUBMISSIONS.c.exam_id == exam_id)
    )
    return Table(
        then.join(found),
        order=BY_NAME,
        subject=f"exam {exam_id}",
        header=[*(each.name for each in columns), *map(str, positions)],
        cells=_cells,
    )


def _cells(row: Row[Any]) -> Iterable[Any]:
    """The cells of a submission's line, with one cell per answer."""
    return (*row[:-1], *("" if each == UNANSWERED else each for each in row.answers))
