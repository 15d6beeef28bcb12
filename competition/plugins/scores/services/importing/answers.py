"""Import the answers of candidates who sat an exam on paper.

A row becomes an attempt that began when the exam opened, and a submission by staff. It is scored
like any other.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row as Found
from sqlalchemy import and_, any_, select

from competition.core.auth.access import ROLE_NAMES
from competition.core.database import uuids
from competition.core.errors import ApiError, Invalid
from competition.core.imports import LINE, Asked, Row
from competition.core.messages import Message
from competition.core.users import lookup
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.exams.models import Exam, status_of
from competition.plugins.exams.services import eligibility, papers, questions
from competition.plugins.exams.services import rows as exams
from competition.plugins.questions.models import OPTIONS
from competition.plugins.scores.models import Score
from competition.plugins.sittings.models import UNANSWERED, Attempt, Submission
from competition.plugins.sittings.services import clock, submitting

REQUIRED = Message("This field is required.", "required")
# The characters for a question without an answer. A table may have empty cells, too.
BLANK = (UNANSWERED, ".", "_", " ", "")


def admit(work: Work, asked: Asked) -> Exam:
    """The exam, after a check that it is of the current season, that its window is over, and that
    it is not sealed (see `competition.core.imports.Admit`)."""
    assert asked.exam_id is not None
    exam = (exams.locked if asked.is_applied else exams.get)(work, asked.exam_id)
    exams.check_current(exam)
    if exam.sealed_at is not None or status_of(exam, work.now) != "concluded":
        raise Invalid.field(
            "exam",
            Message(
                "Answers from paper can only be imported after the exam has ended and before it is"
                " sealed."
            ),
        )
    return exam


def basis(work: Work, asked: Asked) -> list[int]:
    """The ids of the exam's questions, in the order of the paper. The answers of a row are in the
    same order."""
    assert asked.exam_id is not None
    return questions.in_order(work, asked.exam_id, papers.frozen(work, asked.exam_id))


def check(work: Work, asked: Asked, rows: Sequence[Row]) -> Iterator[Row]:
    """Check rows of answers: find the candidate of each row, and record in the row its errors, and
    whether its answers are new. Yields every row (see `competition.core.imports.Check`)."""
    exam = admit(work, asked)
    count = len(basis(work, asked))
    without_column = _without_column(asked, count)
    accounts = lookup.of_rows(work, rows, lock=asked.is_applied)
    for row in rows:
        lookup.candidate(row, accounts)
    places = _places(work, exam, [row.user_id for row in rows if row.user_id is not None])
    seen: dict[UUID, int] = {}
    for row in rows:
        if without_column:
            row.reject(
                LINE,
                Message(
                    "The file has no column for these questions: ${places}. If nobody answered a"
                    " question, add an empty column for it.",
                    places=without_column,
                ),
            )
        if "answers" in asked.fields and "answers" not in row.line.cells:
            row.reject("answers", REQUIRED)
        elif "answers" not in asked.fields and not _is_answered(row):
            # Only a warning: a table of all candidates also has lines for absent candidates.
            row.warnings.append(
                Message(
                    "This line has no answers, so it changes nothing. For an empty sheet, write -."
                )
            )
        else:
            _check_row(work, row, exam, count, places, seen)
        yield row


def _without_column(asked: Asked, count: int) -> list[int]:
    """The numbers of the questions for which a table with one column per question has no column.

    A missing column is an error, because its question would count as blank for all candidates.
    """
    if "answers" in asked.fields:
        return []
    return [place for place in range(1, count + 1) if str(place) not in asked.fields]


def _is_answered(row: Row) -> bool:
    """Whether a row has an answer in a column of a question, or - for none."""
    return any(name.isdigit() for name in row.line.cells)


def _places(work: Work, exam: Exam, ids: Sequence[UUID]) -> dict[UUID, Found[Any]]:
    """The progress of each candidate in the exam, by the candidate's id: the start, the submitted
    answers, the kind of score, and whether the candidate may take the exam or can still submit
    it."""
    found = (
        select(
            Candidate.id,
            Attempt.started_at,
            Submission.answers,
            Score.is_auto,
            eligibility.is_eligible(Exam, Candidate).label("is_eligible"),
            # Columns that say why a candidate may not take the exam (`_why_not`).
            *(Candidate.role, Candidate.season.label("season"), Candidate.is_active),
            Candidate.verification,
            # LEAST ignores NULL, so an attempt that has not begun would be running, too.
            and_(
                Attempt.started_at.is_not(None), Submission.exam_id.is_(None), clock.running(work)
            ).label("can_submit"),
        )
        .select_from(Candidate)
        .join(Exam, Exam.id == exam.id)
        .outerjoin(Attempt, and_(Attempt.exam_id == Exam.id, Attempt.candidate_id == Candidate.id))
        .outerjoin(
            Submission,
            and_(Submission.exam_id == Exam.id, Submission.candidate_id == Candidate.id),
        )
        .outerjoin(Score, and_(Score.exam_id == Exam.id, Score.candidate_id == Candidate.id))
        .where(Candidate.id == any_(uuids(ids)))
    )
    rows: list[Found[Any]] = [*work.db.execute(found)]
    return {row.id: row for row in rows}


def _check_row(
    work: Work,
    row: Row,
    exam: Exam,
    count: int,
    places: dict[UUID, Found[Any]],
    seen: dict[UUID, int],
) -> None:
    packed = _packed(row, count)
    submitted_at: datetime | None = row.values.get("submitted_at")
    opened, closed = exam.scheduled_date, exam.closes_at
    assert opened is not None, exam.id
    assert closed is not None, exam.id
    if submitted_at is not None and not opened <= submitted_at <= work.now:
        row.reject(
            "submitted_at", Message("This must be between the beginning of the exam and now.")
        )
    if row.user_id is None:
        return
    if seen.setdefault(row.user_id, row.line.number) != row.line.number:
        lookup.twice(row, LINE, seen[row.user_id])
        return
    place = places[row.user_id]
    if place.started_at is None and not place.is_eligible:
        row.reject(LINE, _why_not(exam, place))
    elif place.can_submit:
        row.reject(
            LINE,
            Message(
                "This candidate can still submit online. Wait until the candidate's time is over."
            ),
        )
    elif place.answers is not None and packed is not None and place.answers != packed:
        row.reject(
            LINE, Message("This candidate has already submitted other answers. Delete the line.")
        )
    if row.errors or packed is None:
        return
    row.found = (packed, submitted_at or closed)
    if place.answers is None:
        row.state = "new"
    if place.is_auto is False:
        row.warnings.append(
            Message("Staff have given this candidate a score. The import does not change it.")
        )


def _why_not(exam: Exam, place: Found[Any]) -> str:
    """The message that says why a candidate who has not started the exam may not take it, and what
    to do, so that nobody throws the answers away."""
    reason = eligibility.reason(exam, place)
    if reason == "stage":
        return Message(
            "The exam is for the stage ${stage}, and this candidate is in the stage ${role}. Check"
            " whom the line names. If it is right, keep the answers, and correct the candidate's"
            " stage.",
            stage=ROLE_NAMES[exam.stage],
            role=ROLE_NAMES[place.role],
        )
    if reason == "season_not_joined":
        return Message(
            "This candidate has not joined the season of the exam. Keep the answers, import the"
            " candidate in a list of candidates, then check this file again."
        )
    if not place.is_active:
        return Message(
            "This candidate's account is deactivated. Keep the answers, activate the account, then"
            " check this file again."
        )
    if place.verification != "approved":
        return Message(
            "This candidate's identity is not approved. Keep the answers, decide on the identity,"
            " then check this file again."
        )
    return Message(
        "This candidate has not verified the email address. Keep the answers. Ask the candidate to"
        " set a password with “Forgotten your password?”, then check this file again before the"
        " exam is sealed."
    )


def _packed(row: Row, count: int) -> str | None:
    """The answers of a row, one character per question. None if the row is rejected."""
    cells = row.line.cells
    numbered = {int(name): text for name, text in cells.items() if name.isdigit()}
    if "answers" in cells:
        # A space stands for no answer. Spaces at the ends of a cell are removed, unless the cell
        # has one character per question with them.
        text = cells["answers"]
        if len(text) != count:
            text = text.strip()
        elif text.startswith(" "):
            row.warnings.append(
                Message("The cell begins with a space, so the first answer counts as blank.")
            )
        if len(text) != count:
            row.reject(
                "answers",
                Message(
                    "There are ${given} answers, but the paper has ${count} questions. Write - for"
                    " a question without an answer.",
                    given=len(text),
                    count=count,
                ),
            )
            return None
        _check_same(row, numbered, text)
        numbered = dict(enumerate(text, start=1))
    answers = []
    for place in range(1, count + 1):
        given = numbered.pop(place, "").upper()
        if given not in OPTIONS and given not in BLANK:
            name = "answers" if "answers" in cells else str(place)
            row.reject(
                name,
                Message(
                    "Answer ${place} is ${given}. It must be A, B, C or D, or - for none.",
                    place=place,
                    given=given,
                ),
            )
        answers.append(UNANSWERED if given in BLANK else given)
    for place in numbered:
        row.reject(str(place), Message("The paper has only ${count} questions.", count=count))
    if "answers" not in cells:
        row.values |= {name: text for name, text in cells.items() if name.isdigit()}
    return None if row.errors else "".join(answers)


def _check_same(row: Row, numbered: dict[int, str], text: str) -> None:
    """Reject a row whose column `answers` has the answers in `text`, but whose columns of questions
    have other answers."""
    for place, whole in enumerate(text, start=1):
        one, other = (
            UNANSWERED if each in BLANK else each.upper()
            for each in (whole, numbered.get(place, whole))
        )
        if one != other:
            row.reject(
                str(place),
                Message(
                    "Answer ${place} is ${one} in the column answers, but ${other} in the column of"
                    " the question. Correct one of the two.",
                    place=place,
                    one=one,
                    other=other,
                ),
            )


def apply(work: Work, asked: Asked, rows: Sequence[Row]) -> None:
    """Apply checked rows: freeze the exam's paper, and store a submission for each row (see
    `competition.core.imports.Apply`)."""
    exam = admit(work, asked)
    try:
        papers.freeze(work, exam)
    except ApiError as error:
        raise Invalid(error.detail) from None
    given = {row.user_id: row.found for row in rows if row.user_id is not None}
    submitting.store_from_paper(work, exam, given)
