"""The pupils of a school: who they are, and what a teacher may change about them.

A school's own pupils are those with a row whose tie is `ours`. The row is deleted when another
school counts for the candidate. Even so, the statements also check which school counts.
"""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    and_,
    any_,
    case,
    delete,
    exists,
    func,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError

from competition.core import audit, imports
from competition.core.audit import ERASED_DOMAIN
from competition.core.auth.access import StaffRole
from competition.core.database import over_sets, uuids
from competition.core.errors import Invalid, NotFound, existing
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.messages import Message
from competition.core.seasons import current as seasons
from competition.core.seasons.models import CURRENT_ID, PastSeason
from competition.core.todo import Waiting, todo, waiting
from competition.core.users import accounts
from competition.core.users.logins import needs_code
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.accounts.services import slips
from competition.plugins.exams.models import Exam
from competition.plugins.people.services.accounts import NUMBER_TAKEN
from competition.plugins.schools.models import School
from competition.plugins.scores.models import Score
from competition.plugins.sittings.models import Attempt
from competition.plugins.teachers import TeachersSettings
from competition.plugins.teachers.models import DecidedState, Pupil, Teacher, Tie, fixed
from competition.plugins.teachers.presenters import OwnSchool
from competition.plugins.teachers.services.teachers import subject

# Columns that teachers see for every candidate in the list.
ORDERING = {
    "first_name": Candidate.first_name,
    "last_name": Candidate.last_name,
    "year": Candidate.year,
}
WAITS_FOR_DELETION = Message(
    "This pupil's account is waiting for its deletion, so it can't be changed. If the pupil takes"
    " part, ask the organisers to cancel the deletion."
)
FULL_NAME = Candidate.first_name + " " + Candidate.last_name
BY_NAME = [Candidate.last_name, Candidate.first_name, Candidate.id]
OWN_NAMES_STAY = Message(
    "The names of an account without an email address can't be changed after its first exam. Ask"
    " the organisers to change them."
)
HAS_JOINED = Candidate.season >= CURRENT_ID


def is_of(school: School) -> ColumnElement[bool]:
    """SQL condition on Candidate: whether the school counts for the candidate, who was not erased.

    The school that staff approved counts or, without one, the school that the candidate typed.
    """
    is_erased = Candidate.email.like(f"%@{ERASED_DOMAIN}")
    return and_(Candidate.has_counted_school(school.key), ~is_erased)


def is_own(school: School) -> ColumnElement[bool]:
    """SQL condition on Candidate: whether the candidate is one of the school's own pupils."""
    return _is_tied(school, "ours")


def _is_tied(school: School, tie: Tie) -> ColumnElement[bool]:
    row = exists().where(
        Pupil.user_id == Candidate.id, Pupil.school_id == school.id, Pupil.tie == tie
    )
    return and_(is_of(school), row.correlate(Candidate))


# Strangers can register any number of candidates without a verified email address.
IS_REAL = and_(Candidate.is_active, Candidate.is_email_verified)


def is_unconfirmed(school: School) -> ColumnElement[bool]:
    """SQL condition on Candidate: whether the candidate has only typed the name of the school, and
    has a verified email address."""
    row = exists().where(Pupil.user_id == Candidate.id, Pupil.school_id == school.id)
    return and_(is_of(school), IS_REAL, ~row.correlate(Candidate))


def is_own_now(school: School) -> ColumnElement[bool]:
    """SQL condition on Candidate: whether the candidate is one of the school's own pupils and takes
    part in the current season."""
    return and_(is_own(school), HAS_JOINED)


# The exams that the pupil has started, and those in which staff have given the pupil a score.
_TAKEN = union_all(
    select(Attempt.exam_id).where(Attempt.candidate_id == Candidate.id).correlate(Candidate),
    select(Score.exam_id).where(Score.candidate_id == Candidate.id).correlate(Candidate),
).subquery()

# SQL expression on Candidate: null as long as the candidate has taken no exam, and true after an
# exam of the current season.
TAKEN_NOW = (
    select(func.bool_or(Exam.is_current))
    .join_from(_TAKEN, Exam, Exam.id == _TAKEN.c.exam_id)
    .scalar_subquery()
)
# What decides which fields of an own pupil a teacher can't change (`models.fixed`).
FIXING = (Pupil.is_entered, TAKEN_NOW.label("taken_now"))

STATE = case(
    (Pupil.tie == "removed", "removed"),
    (Pupil.user_id.is_(None), "unconfirmed"),
    (~HAS_JOINED, "not_joined"),
    (Candidate.status == "active", "verified"),
    else_="not_verified",
)


def _listed(school: School) -> Select[Any]:
    """SELECT of the candidates whom a teacher sees, with their states and the columns `FIXING`."""
    return (
        select(Candidate, STATE.label("state"), *FIXING)
        .outerjoin(Pupil, and_(Pupil.user_id == Candidate.id, Pupil.school_id == school.id))
        .where(
            is_of(school),
            or_(Pupil.tie.in_(("ours", "removed")), and_(Pupil.user_id.is_(None), IS_REAL)),
        )
    )


def page_of_pupils(work: Work, school: School, query: Query) -> Page[Row[Any]]:
    """A page of the candidates of a school with their states, by name.

    Without a filter, removed pupils and those who have not joined the season are left out. Only
    names are searched, because teachers may not see the other values of candidates who are no
    pupils.

    Raises Invalid if `missing_from` is not an import of the school's pupils.
    """
    found = _listed(school).where(*contains_every_word(query["search"], FULL_NAME))
    if query["missing_from"] is not None:
        named = imports.people_of(work, query["missing_from"], "pupils", school.id)
        if named is None:
            raise Invalid.field(
                "missing_from", Message("There is no import of pupils with this id. Check the id.")
            )
        found = found.where(is_own_now(school), Candidate.id.not_in(named))
    if query["year"] is not None:
        found = found.where(Candidate.year == query["year"])
    if query["group"]:
        found = found.where(Pupil.tie == "ours", Candidate.group == query["group"])
    if query["needs_code"]:
        found = found.where(Pupil.tie == "ours", needs_code(work.now))
    if query["state"] is not None:
        found = found.where(query["state"] == STATE)
    else:
        found = found.where(STATE.not_in(("removed", "not_joined")))
    return paginate(work, found, query, key=Candidate.id, default=BY_NAME, ordering=ORDERING)


def one(work: Work, school: School, user_id: UUID) -> Row[Any]:
    """A candidate whom a teacher sees, with the state. Raises NotFound if there is none."""
    work.db.flush()
    statement = _listed(school).where(Candidate.id == user_id)
    return existing(
        work.db.execute(statement.execution_options(populate_existing=True)).one_or_none()
    )


def own_school(work: Work, school: School) -> OwnSchool:
    """A school, with how many pupils of its own it has in the current season, how many of them are
    verified, how many candidates wait to be confirmed, and how many teachers the school has."""
    own = select(func.count(), func.count().filter(Candidate.status == "active"))
    pupils, verified = work.db.execute(own.select_from(Candidate).where(is_own_now(school))).one()
    typed = select(func.count()).select_from(Candidate).where(is_unconfirmed(school))
    teachers = select(func.count()).where(Teacher.school_id == school.id)
    return OwnSchool(
        id=school.id,
        name=school.name,
        code=school.code,
        region=school.region,
        candidates=pupils,
        verified=verified,
        unconfirmed=work.db.scalar(typed) or 0,
        teachers=work.db.scalar(teachers) or 0,
    )


def _locked(work: Work, condition: ColumnElement[bool], user_id: UUID) -> Candidate:
    """A candidate who meets the condition, locked. Raises NotFound if there is none.

    The lock also waits for an attempt that is just beginning, because that decides what may still
    be changed.
    """
    statement = select(Candidate).where(Candidate.id == user_id, condition)
    if work.db.scalar(statement.with_for_update()) is None:
        raise NotFound
    # Check the condition again. While the first query waited for the lock, another request may have
    # changed the Pupil, and PostgreSQL reads only the locked row again.
    return existing(work.db.scalar(statement.execution_options(populate_existing=True)))


def change(work: Work, school: School, user_id: UUID, changes: Mapping[str, Any]) -> Row[Any]:
    """Change one of the school's own pupils.

    Raises NotFound if the candidate is not one of them. Raises Invalid for names or a year that a
    teacher can't change, for a number that another candidate of the school has, and if the account
    waits for its deletion.
    """
    candidate = _locked(work, is_own(school), user_id)
    if candidate.waits_for_deletion:
        raise Invalid(WAITS_FOR_DELETION)
    wanted = {name: value for name, value in changes.items() if value != getattr(candidate, name)}
    if problems := refused(work, {candidate.id: wanted})[candidate.id]:
        errors = {name: [message] for name, message in problems.items()}
        raise Invalid(next(iter(problems.values())), errors=errors)
    old = {name: getattr(candidate, name) for name in wanted}
    for name, value in wanted.items():
        setattr(candidate, name, value)
    if wanted:
        candidate.updated_at = work.now
    audit.record_change(
        work, accounts.CHANGE, subject(school), old, wanted, target=user_id, erasable=True
    )
    try:
        work.db.flush()
    except IntegrityError:
        raise Invalid.field("external_id", NUMBER_TAKEN) from None
    return one(work, school, user_id)


def check_own_change(work: Work, user_id: UUID, values: Mapping[str, Any]) -> None:
    """Check that the owner of an account without email doesn't change the names after the first
    exam. A teacher who prints the slip could sign in and do so, too.

    Raises Invalid otherwise. The caller must have locked the account.
    """
    if work.actor is None or work.actor.user_id != user_id:
        return
    candidate = work.db.get(Candidate, user_id)
    if candidate is None or candidate.has_email:
        return
    names = ("first_name", "last_name")
    new = [each for each in names if each in values and values[each] != getattr(candidate, each)]
    if new and work.db.scalar(select(TAKEN_NOW).where(Candidate.id == user_id)) is not None:
        raise Invalid(OWN_NAMES_STAY, errors={name: [OWN_NAMES_STAY] for name in new})


def refused(work: Work, changes: Mapping[UUID, Mapping[str, Any]]) -> dict[UUID, dict[str, str]]:
    """The reasons why a teacher can't change these fields of the school's own pupils, by pupil and
    field."""
    rows = work.db.execute(
        select(Candidate.id, *FIXING)
        .join(Pupil, Pupil.user_id == Candidate.id)
        .where(Candidate.id == any_(uuids(changes)))
    )
    problems: dict[UUID, dict[str, str]] = {each: {} for each in changes}
    for row in rows:
        reasons = fixed(row).items()
        problems[row.id] = {name: why for name, why in reasons if name in changes[row.id]}
    return problems


def remove(work: Work, school: School, user_id: UUID) -> None:
    """Remove one of the school's own pupils. The account stays. Raises NotFound if the candidate is
    not one of them."""
    _locked(work, is_own(school), user_id)
    _tie(work, school, [user_id], "removed")
    audit.record(work, "pupil.remove", target=user_id, subject=subject(school))


def confirm(work: Work, school: School, user_id: UUID, is_ours: bool) -> DecidedState:
    """Record whether a candidate who has typed the name of the school is a pupil of it. Returns the
    new state. A removed pupil can be taken back.

    Raises NotFound if the teacher sees no such candidate, and Invalid if `is_ours` is false for one
    of the school's own pupils.
    """
    is_seen = or_(is_unconfirmed(school), is_own(school), _is_tied(school, "removed"))
    # A confirmed candidate joins the current season.
    seasons.joinable(work)
    candidate = _locked(work, is_seen, user_id)
    tie = work.db.scalar(select(Pupil.tie).where(Pupil.user_id == user_id))
    if not is_ours:
        if tie == "ours":
            raise Invalid.field(
                "is_ours",
                Message(
                    "This candidate is already a pupil of your school. To refuse the candidate,"
                    " remove the pupil."
                ),
            )
        _tie(work, school, [user_id], "refused")
        audit.record(work, "pupil.refuse", target=user_id, subject=subject(school))
        return "refused"
    if tie != "ours" or candidate.season < seasons.current(work).id:
        take(work, school, [candidate])
    state: DecidedState = one(work, school, user_id).state
    return state


def take(work: Work, school: School, candidates: Collection[Candidate]) -> None:
    """Make locked candidates, who had an account before, the school's own pupils.

    The school vouches for them. So they join the current season, which the caller keeps from being
    closed, and by the setting `verify`, their identities are approved. The codes of slips that an
    earlier school may have issued end.
    """
    slips.end_earlier(work, candidates, subject=subject(school))
    _tie(work, school, [each.id for each in candidates], "ours")
    season_id = seasons.current(work).id
    for each in candidates:
        accounts.join_season(work, each, season_id)
    for each in candidates:
        audit.record(work, "pupil.confirm", target=each.id, subject=subject(school))
    if work.settings[TeachersSettings].verify:
        accounts.vouch(work, candidates, subject=subject(school))


def enter(work: Work, school: School, ids: Collection[UUID]) -> None:
    """Make candidates whom the school has just entered the school's own pupils."""
    _tie(work, school, ids, "ours", is_entered=True)
    audit.record_each(work, "pupil.enter", ids, subject=subject(school))


def _tie(
    work: Work, school: School, ids: Collection[UUID], tie: Tie, *, is_entered: bool = False
) -> None:
    if not ids:
        return
    rows = insert(Pupil).values(
        [
            {
                "user_id": each,
                "school_id": school.id,
                "tie": tie,
                "is_entered": is_entered,
                "changed_at": work.now,
            }
            for each in ids
        ]
    )
    work.db.execute(
        rows.on_conflict_do_update(
            index_elements=[Pupil.user_id],
            set_={"school_id": school.id, "tie": tie, "changed_at": work.now},
        )
    )


def forget(work: Work, user_id: UUID) -> None:
    """Delete a school's decision about a candidate, because another school counts for the candidate
    now."""
    work.db.execute(delete(Pupil).where(Pupil.user_id == user_id))


def move(work: Work, school_ids: Collection[int], school_id: int) -> None:
    """Move teachers and pupils of merged schools, also pupils of past seasons, to the school into
    which these schools are merged."""
    for column in (Teacher.school_id, Pupil.school_id, PastSeason.pupil_of):
        work.db.execute(
            update(column.class_).where(column.in_(school_ids)).values({column: school_id}),
            execution_options={"synchronize_session": False},
        )


def record(work: Work, season_id: int) -> None:
    """Record whose own pupils the candidates of a season are, which is being closed."""
    with over_sets(work.db):
        work.db.execute(
            update(PastSeason)
            .where(PastSeason.season_id == season_id, PastSeason.candidate_id == Pupil.user_id)
            .where(Pupil.tie == "ours")
            .values(pupil_of=Pupil.school_id),
            execution_options={"synchronize_session": False},
        )


def count_teachers(work: Work, school_ids: Collection[int]) -> int:
    return work.db.scalar(select(func.count()).where(Teacher.school_id.in_(school_ids))) or 0


def count_entered(work: Work, school: School) -> int:
    """How many pupils of the current season the school has entered."""
    entered = (
        select(func.count())
        .select_from(Pupil)
        .join(Candidate, Candidate.id == Pupil.user_id)
        .where(Pupil.school_id == school.id, Pupil.is_entered, HAS_JOINED)
    )
    return work.db.scalar(entered) or 0


@todo("teachers.refused", rank=StaffRole.MANAGER, link="candidates")
def refused_candidates(work: Work) -> Waiting:
    """Candidates whom a teacher has rejected as pupils of the school."""
    return waiting(
        work,
        select(Pupil.changed_at, Pupil.user_id)
        .join(Candidate, Candidate.id == Pupil.user_id)
        .where(Pupil.tie == "refused", Candidate.is_active),
        link="candidates/{}",
    )
