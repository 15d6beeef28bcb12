"""Import scores given by staff (decisions G24)."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from uuid import UUID

from sqlalchemy import any_, select

from competition.core.database import uuids
from competition.core.imports import LINE, Asked, Row
from competition.core.messages import Message
from competition.core.rounding import half_up
from competition.core.users import lookup
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import eligibility
from competition.plugins.exams.services import rows as exams
from competition.plugins.scores.models import Score
from competition.plugins.scores.presenters.scores import DECIMALS
from competition.plugins.scores.services import by_hand

# Schools often give marks out of this number.
FULL_MARKS = 20


def admit(work: Work, asked: Asked) -> Exam:
    """The exam, after a check that it exists and is of the current season (see
    `competition.core.imports.Admit`)."""
    assert asked.exam_id is not None
    if asked.is_applied:
        return exams.locked_against_deletion(work, asked.exam_id)
    return exams.check_current(exams.get(work, asked.exam_id))


def check(work: Work, asked: Asked, rows: Sequence[Row]) -> Iterator[Row]:
    """Check rows of scores. See `competition.core.imports.Check`."""
    exam = admit(work, asked)
    accounts = lookup.of_rows(work, rows, lock=asked.is_applied)
    for row in rows:
        lookup.candidate(row, accounts)
    ids = [row.user_id for row in rows if row.user_id is not None]
    joined = {each for each in ids if eligibility.has_joined(exam, accounts.by_id[each])}
    stored = _stored(work, asked, ids)
    seen: dict[UUID, int] = {}
    _warn_of_marks(rows)
    for row in rows:
        _check_row(row, joined, stored, seen)
        yield row


def _warn_of_marks(rows: Sequence[Row]) -> None:
    """If all scores of a file could be marks out of 20, warn about it in the first row that has a
    score. A percent sign shows that they are percentages."""
    scored = [row for row in rows if "score" in row.values]
    highest = max((row.values["score"] for row in scored), default=0)
    if 0 < highest <= FULL_MARKS and not any("%" in row.line.cells["score"] for row in scored):
        scored[0].warnings.append(
            Message(
                "No score in this file is above ${max}. Scores are percentages, from 0 to 100. If"
                " these are marks out of ${max}, convert them first.",
                max=FULL_MARKS,
            )
        )


def _stored(work: Work, asked: Asked, ids: Sequence[UUID]) -> dict[UUID, Decimal]:
    found = (
        select(Score.candidate_id, Score.value)
        .where(Score.exam_id == asked.exam_id, Score.candidate_id == any_(uuids(ids)))
        .order_by(Score.candidate_id)
    )
    if asked.is_applied:
        found = found.with_for_update()
    return {user_id: value for user_id, value in work.db.execute(found)}


def _check_row(
    row: Row, joined: set[UUID], stored: dict[UUID, Decimal], seen: dict[UUID, int]
) -> None:
    if row.user_id is None:
        return
    if seen.setdefault(row.user_id, row.line.number) != row.line.number:
        lookup.twice(row, LINE, seen[row.user_id])
    if row.errors:
        return
    value = row.values.get("score")
    if value is None:
        row.warnings.append(Message("There is no score in this line, so it changes nothing."))
        return
    old = stored.get(row.user_id)
    if old is None and row.user_id not in joined:
        row.reject(LINE, by_hand.NOT_JOINED)
    elif old is None:
        row.state = "new"
    else:
        new = half_up(Decimal(str(value)), DECIMALS)
        row.change({"score": float(old)}, {"score": float(new)})


def apply(work: Work, asked: Asked, rows: Sequence[Row]) -> None:
    """Apply rows of scores. See `competition.core.imports.Apply`."""
    assert asked.exam_id is not None
    given = {row.user_id: row.values["score"] for row in rows if row.user_id is not None}
    before = {row.user_id: row.before.get("score") for row in rows if row.user_id is not None}
    by_hand.record_scores(work, asked.exam_id, given, before)
