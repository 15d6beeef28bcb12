"""The exams of a school's own pupils: which pupils have started and submitted, and the results.

A teacher sees no question, no answer and no answer key. The pupils are always those of today, also
in an exam of a closed season, because a teacher sees no pupil of another school. Their years and
groups, and the school's average, are those of the season's end.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    and_,
    case,
    exists,
    func,
    null,
    or_,
    select,
)

from competition.core.errors import PermissionDenied, existing
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.messages import Message
from competition.core.seasons import current as seasons
from competition.core.seasons.models import PastSeason
from competition.core.users import affiliations
from competition.core.users.affiliations import AffiliationColumns
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import eligibility
from competition.plugins.leaderboard.models import Entry
from competition.plugins.leaderboard.services import reading as boards
from competition.plugins.schools.models import School
from competition.plugins.scores.models import Score
from competition.plugins.scores.services import visibility
from competition.plugins.sittings.models import Attempt, Submission
from competition.plugins.sittings.services import sealing
from competition.plugins.teachers.models import ExamOfSchool, ExamState
from competition.plugins.teachers.services import pupils, teachers

ORDERING = {
    "id": Exam.id,
    "title": Exam.title,
    "scheduled_date": Exam.scheduled_date,
    "created_at": Exam.created_at,
}
STATES: tuple[ExamState, ...] = ("not_started", "sitting", "submitted")
STATE = case(
    (Submission.submitted_at.is_not(None), "submitted"),
    (Attempt.started_at.is_not(None), "sitting"),
    else_="not_started",
)


def _own(school: School, *columns: Any) -> Select[Any]:
    """SELECT of these columns, with one row per exam and each of the school's own pupils who can
    take the exam or has started it. If the exam's season is closed, pupils who could take it at the
    season's end count too."""
    return (
        select(*columns)
        .select_from(Exam)
        .join(Candidate, pupils.is_own(school))
        .outerjoin(Attempt, and_(Attempt.exam_id == Exam.id, Attempt.candidate_id == Candidate.id))
        .outerjoin(
            Submission,
            and_(Submission.exam_id == Exam.id, Submission.candidate_id == Candidate.id),
        )
        .where(or_(Attempt.started_at.is_not(None), eligibility.could_take(Exam, Candidate)))
    )


def _is_shown(school: School) -> ColumnElement[bool]:
    """SQL condition on Exam: whether teachers of the school see the exam.

    At least one of the school's own pupils has started it or can take it. If its season is closed,
    a pupil who could take it at the season's end is enough. Exams that nobody has started are shown
    only if they have a date and are switched on: otherwise they are drafts of the organisers.
    Deleted exams are hidden.
    """
    started = (
        exists()
        .where(Attempt.exam_id == Exam.id, Attempt.candidate_id == Candidate.id)
        .correlate(Exam, Candidate)
    )
    is_for_one = (
        select(Candidate.id)
        .where(pupils.is_own(school), or_(started, eligibility.could_take(Exam, Candidate)))
        .correlate(Exam)
        .exists()
    )
    is_planned = and_(Exam.scheduled_date.is_not(None), Exam.is_active)
    return and_(
        Exam.deleted_at.is_(None), or_(is_planned, Exam.first_started_at.is_not(None)), is_for_one
    )


def page_of_exams(work: Work, school: School, query: Query) -> Page[ExamOfSchool]:
    """A page of the exams in a season for the school's own pupils, the latest first.

    Raises Invalid if there is no such season.
    """
    page = paginate(
        work,
        select(Exam).where(
            seasons.wanted(work, query["season"], Exam),
            _is_shown(school),
            *contains_every_word(query["search"], Exam.title),
        ),
        query,
        key=Exam.id,
        created=Exam.created_at,
        ordering=ORDERING,
        default=[Exam.scheduled_date.desc()],
    )
    counts = _counts(work, school, [each.id for each in page.items])
    return page.map(lambda exam: ExamOfSchool(exam, counts[exam.id]))


def _counts(work: Work, school: School, exam_ids: Sequence[int]) -> dict[int, dict[ExamState, int]]:
    found: dict[int, dict[ExamState, int]] = {
        exam_id: dict.fromkeys(STATES, 0) for exam_id in exam_ids
    }
    rows = work.db.execute(
        _own(school, Exam.id, STATE, func.count())
        .where(Exam.id.in_(exam_ids))
        .group_by(Exam.id, STATE)
    )
    for exam_id, state, count in rows:
        found[exam_id][state] = count
    return found


def shown(work: Work, exam_id: int) -> tuple[School, Exam]:
    """Guard: the caller's school, and the exam. Raises NotFound if the caller is no teacher, or if
    the exam is not for any of the school's own pupils."""
    school = teachers.own_school(work)
    exam = existing(work.db.scalar(select(Exam).where(Exam.id == exam_id, _is_shown(school))))
    return school, exam


def page_of_states(work: Work, school: School, exam: Exam, query: Query) -> Page[Row[Any]]:
    """A page of the school's own pupils in an exam with their states, by name."""
    then = affiliations.of_exam(exam)
    found = _own(
        school,
        *_pupil(then),
        STATE.label("state"),
        Attempt.started_at,
        Submission.submitted_at,
    )
    found = then.join(found).where(
        Exam.id == exam.id, *contains_every_word(query["search"], pupils.FULL_NAME)
    )
    if query["group"]:
        found = found.where(then.group == query["group"])
    if query["state"] is not None:
        found = found.where(query["state"] == STATE)
    return paginate(work, found, query, key=Candidate.id, default=pupils.BY_NAME)


def _pupil(then: AffiliationColumns) -> tuple[Any, ...]:
    """The columns of a pupil in an exam: the candidate, and the year and group in its season."""
    return (Candidate, then.year.label("year"), then.group.label("group"))


def results(
    work: Work, school: School, exam: Exam, query: Query
) -> tuple[Page[Row[Any]], Decimal | None]:
    """A page of the results of the school's own pupils, by name, and the average over all pages and
    filters.

    Raises the errors of `scores`.
    """
    then = affiliations.of_exam(exam)
    found = scores(work, school, exam, *_pupil(then))
    average = _average(work, school, exam)
    found = found.where(*contains_every_word(query["search"], pupils.FULL_NAME))
    if query["group"]:
        found = found.where(then.group == query["group"])
    return paginate(work, found, query, key=Candidate.id, default=pupils.BY_NAME), average


def _average(work: Work, school: School, exam: Exam) -> Decimal | None:
    """The average of the school's own pupils in an exam, of those at the season's end if its season
    is closed. Otherwise, a pupil who changes school would change the averages of both schools."""
    found = select(func.avg(Score.value)).where(Score.exam_id == exam.id)
    if exam.is_current:
        is_own = pupils.is_own(school)
        return work.db.scalar(
            found.join(Candidate, Candidate.id == Score.candidate_id).where(is_own)
        )
    was_own = and_(PastSeason.season_id == exam.season_id, PastSeason.pupil_of == school.id)
    return work.db.scalar(
        found.join(PastSeason, PastSeason.candidate_id == Score.candidate_id).where(was_own)
    )


def scores(work: Work, school: School, exam: Exam, *columns: Any) -> Select[Any]:
    """SELECT of the school's own pupils who have a score in an exam: these columns, `score`, and
    `rank` on the published board. The columns may be those of `affiliations.of_exam(exam)`.

    Raises PermissionDenied until nobody can submit the exam any longer and candidates can see their
    scores.
    """
    if not sealing.looks_over(work, exam) or not visibility.can_be_seen(work, exam.id):
        raise PermissionDenied(
            Message(
                "The results of this exam are not visible yet. You see them once candidates"
                " can see their scores."
            )
        )
    wanted = {"snapshot": None, "exam_id": exam.id, "season": None}
    board = work.db.execute(boards.BOARD_BY_EXAM, wanted).first()
    is_published = exam.published_at is not None and board is not None and board.id is not None
    rank: Any = null()
    if is_published and board is not None:
        rank = (
            select(Entry.rank)
            .where(Entry.board_id == board.with_entries, Entry.user_id == Candidate.id)
            .correlate(Candidate)
            .scalar_subquery()
        )
    found = (
        select(*columns, Score.value.label("score"), rank.label("rank"))
        .select_from(Candidate)
        .join(Score, Score.candidate_id == Candidate.id)
        .where(Score.exam_id == exam.id, pupils.is_own(school))
    )
    return affiliations.of_exam(exam).join(found)
