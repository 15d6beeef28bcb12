"""Find the state of each candidate of an exam. The function `_state` alone decides which state a
candidate has."""

from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from typing import Any

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    DateTime,
    FromClause,
    Row,
    Select,
    Uuid,
    case,
    column,
    func,
    literal,
    or_,
    select,
)

from competition.core.database import uuids
from competition.core.lists import Page, Query, contains, contains_every_word, paginate
from competition.core.shared_answers import SharedAnswers
from competition.core.users import affiliations, schools
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import eligibility
from competition.plugins.invigilation import InvigilationSettings
from competition.plugins.invigilation.models import Seat, State
from competition.plugins.sittings.models import Attempt, Submission
from competition.plugins.sittings.services import clock, signs


class SharedCounts(SharedAnswers[int, dict[State, int]]):
    """How many candidates are in each state, by exam id."""


def counts(work: Work, exam: Exam) -> dict[State, int]:
    """How many candidates of the exam are in each state.

    The counts of a large exam may be two seconds old, because many moderators poll them.
    """
    shared = work.runtime.part(SharedCounts)
    counted = shared.recent(work, exam.id)
    if counted is not None:
        return counted
    seen = _seen(work, exam)
    state = _state(work, seen).label("state")
    by_state = _seats(exam, seen, state, func.count()).group_by(state)
    found: dict[State, int] = {each: count for each, count in work.db.execute(by_state)}
    shared.share(work, exam.id, found, rows=sum(found.values()))
    return found


def page_of_seats(work: Work, exam: Exam, query: Query, counted: Mapping[State, int]) -> Page[Seat]:
    """A page of the candidates of an exam, by name. `counted` are the exam's counts. They save
    counting the candidates again if the query has no filters.

    Raises NotFound if there is no such page.
    """
    seen = _seen(work, exam)
    state = _state(work, seen)
    then = affiliations.of_exam(exam)
    seats = _seats(
        exam,
        seen,
        Candidate,
        then.shown_school.label("school"),
        state.label("state"),
        Attempt.started_at,
        clock.extra_time().label("extra"),
        func.coalesce(Attempt.extra_percent, 0).label("percent"),
        _last_seen(seen).label("last_seen_at"),
        Submission.submitted_at,
        Submission.handed_in_by,
    )
    found = then.join(seats).where(*contains_every_word(query["search"], then.searched))
    if query["school"]:
        school = schools.own_name(work, query["school"])
        found = found.where(contains(school, then.school))
    if query["candidate"] is not None:
        found = found.where(Candidate.id == query["candidate"])
    if query["state"] is not None:
        found = found.where(state == query["state"])
    by_name = [Candidate.last_name, Candidate.first_name, Candidate.id]
    count = None
    narrowing = ("search", "school", "candidate", "state")
    if not any(query[name] for name in narrowing):
        count = literal(sum(counted.values()))
    page = paginate(work, found, query, key=Candidate.id, default=by_name, count=count)
    return page.map(partial(_seat, exam))


def _seat(exam: Exam, row: Row[Any]) -> Seat:
    deadline = row.started_at and clock.deadline(exam, row.started_at, row.extra, row.percent)
    return Seat(
        row.Candidate,
        row.school,
        row.state,
        row.started_at,
        deadline,
        clock.given(exam, row.started_at, row.extra, row.percent),
        row.last_seen_at,
        row.submitted_at,
        row.handed_in_by,
    )


def _seats(exam: Exam, seen: FromClause, *columns: Any) -> Select[Any]:
    """SELECT of these columns, with one row per candidate who can take the exam or has started it.
    If the season of the exam is closed, candidates who could take it at the season's end count too.

    `seen` is the table expression that `_seen` returns.
    """
    is_of_exam = Attempt.exam_id == exam.id
    has_submitted = (Submission.exam_id == exam.id) & (Submission.candidate_id == Candidate.id)
    is_meant = eligibility.could_take(exam, Candidate)
    return (
        select(*columns)
        .select_from(Candidate)
        .join(Exam, Exam.id == exam.id)
        .outerjoin(Attempt, is_of_exam & (Attempt.candidate_id == Candidate.id))
        .outerjoin(Submission, has_submitted)
        .outerjoin(seen, seen.c.candidate_id == Candidate.id)
        .where(or_(is_meant, Attempt.started_at.is_not(None)))
    )


def _state(work: Work, seen: FromClause) -> ColumnElement[Any]:
    """SQL expression for the state of a candidate: the first state whose condition holds."""
    patience = timedelta(seconds=work.settings[InvigilationSettings].silent_after)
    return case(
        (Attempt.started_at.is_(None), "not_started"),
        (Submission.handed_in_by == "service", "handed_in"),
        (Submission.submitted_at.is_not(None), "submitted"),
        (~clock.running(work), "silent"),
        (_last_seen(seen) <= work.now - patience, "silent"),
        else_="sitting",
    )


def _last_seen(seen: FromClause) -> ColumnElement[Any]:
    """SQL expression for when a candidate was last seen. The start of the attempt counts as seen.
    NULL before the start."""
    return case(
        (Attempt.started_at.is_not(None), func.greatest(Attempt.started_at, seen.c.at)),
    )


def _seen(work: Work, exam: Exam) -> FromClause:
    """A table expression with the columns `candidate_id` and `at`: when each candidate of the exam
    was last seen, according to Redis."""
    last_seen = signs.last_seen(work, exam.id)
    ids = uuids(last_seen)
    times = literal(list(last_seen.values()), ARRAY(DateTime(timezone=True)))
    return (
        func.unnest(ids, times)
        .table_valued(column("candidate_id", Uuid()), column("at", DateTime(timezone=True)))
        .render_derived()
        .alias("seen")
    )
