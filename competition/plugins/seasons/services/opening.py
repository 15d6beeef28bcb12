"""Open a season in one transaction, and undo the opening.

`seasons.LOCK` is taken first, so that of two openings at the same time only one succeeds. Then the
exams are locked: a change of an exam is either committed before, or finds the exam's season closed.
The roles of candidates are changed last, so that logins wait only for seconds. For the same reason,
`seasons.JOINING` is acquired just before: a candidate joins either the old season, and is recorded
in it, or the next one.
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import timedelta
from typing import Any, cast
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    and_,
    any_,
    case,
    delete,
    exists,
    func,
    insert,
    literal,
    not_,
    or_,
    select,
    update,
)

from competition.core import audit, repeats
from competition.core.audit import security_log
from competition.core.auth.access import CandidateRole
from competition.core.database import over_sets, uuids
from competition.core.errors import Invalid, NotFound
from competition.core.jobs import jobs
from competition.core.messages import Message
from competition.core.seasons import current as seasons
from competition.core.seasons.blockers import Blocker, SeasonBlocker, SeasonWarning
from competition.core.seasons.events import SeasonOpened, SeasonUndone
from competition.core.seasons.models import PastSeason, Season
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.people.events import RolesAssigned
from competition.plugins.seasons.errors import BlockerShape, SeasonOpen
from competition.plugins.seasons.presenters import CandidateCounts, UndoPreview, Warning
from competition.plugins.seasons.services.listing import check_name
from competition.plugins.sittings.models import Attempt

OPEN, UNDO = "season.open", "season.undo"
FIRST = CandidateRole.SCREENING
# How long the opening of a season can be undone.
UNDO_FOR = timedelta(hours=24)
# How many accounts one statement changes.
CHUNK = 10_000
IS_MOVED = Candidate.role != FIRST


def find_blockers(work: Work) -> list[BlockerShape]:
    """Everything that has to be finished before the next season, as all plugins report it."""
    return [
        _shape(kind.name, each)
        for kind in work.runtime.catalogue[SeasonBlocker].values()
        for each in kind.find(work)
    ]


def _shape(kind: str, blocker: Blocker) -> BlockerShape:
    known = {name: value for name, value in asdict(blocker).items() if value is not None}
    return cast(BlockerShape, {"kind": kind, **known})


def find_warnings(work: Work) -> list[Warning]:
    """The warnings of all plugins before a season is opened."""
    return [
        Warning(kind=kind.name, message=message)
        for kind in work.runtime.catalogue[SeasonWarning].values()
        if (message := kind.find(work)) is not None
    ]


def count(work: Work, join: str) -> CandidateCounts:
    """How many candidates the opening of a season would concern now. `join` is "confirm" or
    "everybody": whether candidates have to join the season themselves."""
    everybody, moved = work.db.execute(
        select(func.count(), func.count().filter(IS_MOVED)).select_from(Candidate)
    ).one()
    joined = everybody if join == "everybody" else 0
    return CandidateCounts(all=everybody, moved=moved, joined=joined)


def open_season(work: Work, name: str, join: str, idempotency_key: str | None) -> Season:
    """Close the current season and open the next one, which is returned.

    A repeated request with the same idempotency key returns the season of the first request. Raises
    SeasonOpen if something has to be finished first, Invalid if the name is taken, and NotFound if
    the season of the first request was undone.
    """
    content = {"name": name, "join": join}
    season_id = repeats.once(
        work, OPEN, idempotency_key, content, lambda: _open(work, name, join).id
    )
    season = work.db.get(Season, season_id)
    if season is None:
        raise NotFound(
            Message("This season was undone. To open it again, send a new Idempotency-Key.")
        )
    return season


def _open(work: Work, name: str, join: str) -> Season:
    work.lock(seasons.LOCK)
    check_name(work, name)
    old = _current(work)
    _lock_exams(work, old.id)
    if blockers := find_blockers(work):
        raise SeasonOpen(blockers)
    _remember(work, old, _has_joined(old))
    old.closed_at = work.now
    work.db.flush()
    new = Season(name=name, joins_everybody=join == "everybody", opened_at=work.now)
    work.db.add(new)
    work.db.flush()
    # Exams that have no date and that nobody has started are plans, so they move to the new season.
    is_plan = and_(
        Exam.scheduled_date.is_(None), Exam.first_started_at.is_(None), Exam.deleted_at.is_(None)
    )
    _change_exams(work, old.id, is_plan, season_id=new.id)
    _change_exams(work, old.id, not_(is_plan), is_current=False)
    audit.record(work, OPEN, subject=f"season {new.id}", new={"name": name, "join": join})
    work.lock(seasons.JOINING)
    work.emit(SeasonOpened(work, new.id, old.id))
    moved = _send_back(work, old)
    jobs.enqueue(work, "seasons.tell", season_id=new.id)
    audit.record(work, "season.moved", subject=f"season {new.id}", new={"moved": moved})
    return new


def _lock_exams(work: Work, season_id: int) -> None:
    work.db.execute(
        select(Exam.id).where(Exam.season_id == season_id).order_by(Exam.id).with_for_update()
    ).all()


def _change_exams(work: Work, of: int, *conditions: Any, **values: Any) -> None:
    """Set these values on the exams of the season `of` that meet the conditions."""
    work.db.execute(
        update(Exam).where(Exam.season_id == of, *conditions).values(**values),
        execution_options={"synchronize_session": False},
    )


def _has_joined(season: Season) -> ColumnElement[bool]:
    """SQL condition on Candidate: whether the candidate has joined this season, which is the
    current one. It also holds if this transaction has closed the season."""
    return or_(literal(season.joins_everybody), func.coalesce(Candidate.season_id, 0) >= season.id)


def _remember(work: Work, season: Season, whom: ColumnElement[bool]) -> None:
    """Store the stage, school, year and group of each candidate who meets the condition and has no
    record of the season yet."""
    has_record = exists().where(
        PastSeason.candidate_id == Candidate.id, PastSeason.season_id == season.id
    )
    rows = select(
        Candidate.id,
        literal(season.id),
        Candidate.role,
        Candidate.counted_school,
        Candidate.year,
        Candidate.group,
        case((Candidate.season_id == season.id, Candidate.season_joined_at)),
        _has_joined(season),
    ).where(whom, ~has_record)
    columns = [
        *("candidate_id", "season_id", "stage", "school", "year", "group"),
        *("joined_at", "had_joined"),
    ]
    with over_sets(work.db):
        work.db.execute(insert(PastSeason).from_select(columns, rows))


def _send_back(work: Work, old: Season) -> int:
    """Give the role screening to all candidates who have another one; return their number."""
    found = work.db.execute(
        select(Candidate.id, Candidate.role)
        .where(IS_MOVED)
        .order_by(Candidate.id)
        .with_for_update(key_share=True)
    ).all()
    # Record the candidates who have joined since the first call of `_remember`. Also store the
    # stages of promoted candidates who had not joined, so that `undo` can give them back.
    _remember(work, old, or_(_has_joined(old), IS_MOVED))
    # Correct the stored stages: after `_remember` had read a stage, and before this transaction
    # locked the candidates, another transaction may have changed it.
    work.db.execute(
        update(PastSeason)
        .where(
            PastSeason.season_id == old.id,
            PastSeason.candidate_id == Candidate.id,
            PastSeason.stage != Candidate.role,
        )
        .values(stage=Candidate.role),
        execution_options={"synchronize_session": False},
    )
    for role in {row.role for row in found}:
        _move(work, [row.id for row in found if row.role == role], role, FIRST)
    return len(found)


def _move(work: Work, candidate_ids: Sequence[UUID], old: str, new: str) -> None:
    """Give these locked candidates the role `new`, whether or not they are verified."""
    for at in range(0, len(candidate_ids), CHUNK):
        work.db.execute(
            update(Candidate)
            .where(Candidate.id == any_(uuids(candidate_ids[at : at + CHUNK])))
            .values(role=new, updated_at=work.now),
            execution_options={"synchronize_session": False},
        )
    audit.record_each(work, "candidate.role", candidate_ids, old=old, new=new)
    for each in candidate_ids:
        security_log.record_committed(work, "role_changed", user_id=each, old=old, new=new)
    work.emit(RolesAssigned(work, candidate_ids, old, new))


def find_undoing(work: Work) -> UndoPreview | None:
    """Whether the opening of the current season can be undone now. None if there is no earlier
    season, or if the opening is too long ago."""
    new = _current(work)
    until = new.opened_at + UNDO_FOR
    if work.now > until or _before(work, new) is None:
        return None
    joined = select(func.count()).select_from(Candidate).where(Candidate.season_id == new.id)
    confirmed = work.db.scalars(joined).one()
    return UndoPreview(until=until, refusal=_refusal(work, new), confirmed=confirmed)


def _current(work: Work) -> Season:
    return work.db.get_one(Season, seasons.current(work).id)


def _before(work: Work, season: Season) -> Season | None:
    """The season before this one, or None if it is the first one."""
    return work.db.scalars(
        select(Season).where(Season.id < season.id).order_by(Season.id.desc()).limit(1)
    ).one_or_none()


def _refusal(work: Work, season: Season) -> Message | None:
    """Why the opening of this season can't be undone within the time for that, or None."""
    has_attempt = exists().where(Attempt.exam_id == Exam.id)
    if work.db.scalar(select(exists().where(Exam.season_id == season.id, has_attempt))):
        return Message(
            "The opening of ${season} can't be undone any longer, because a candidate has already"
            " started one of its exams.",
            season=season.name,
        )
    return None


def undo(work: Work) -> Season:
    """Make the season before the current one current again, and return it.

    Candidates who have joined or registered since the opening count as joined in the earlier
    season. All exams of the new season move to the earlier season. Raises Invalid if there is no
    earlier season, if the opening is too long ago, or if an exam of the new season has an attempt.
    """
    work.lock(seasons.LOCK)
    new = _current(work)
    old = _before(work, new)
    if old is None:
        raise Invalid(Message("There is no earlier season, so the first season can't be undone."))
    if work.now > new.opened_at + UNDO_FOR:
        raise Invalid(Message("A new season can only be undone within 24 hours."))
    _lock_exams(work, new.id)
    if refusal := _refusal(work, new):
        raise Invalid(refusal)
    _change_exams(work, old.id, is_current=True)
    _change_exams(work, new.id, season_id=old.id)
    new.closed_at = work.now
    work.db.flush()
    old.closed_at = None
    work.db.flush()
    work.lock(seasons.JOINING)
    audit.record(work, UNDO, subject=f"season {old.id}", old={"id": new.id, "name": new.name})
    moved = _give_back(work, old)
    work.emit(SeasonUndone(work, old.id, new.id))
    _forget(work, old, new)
    if moved:
        jobs.enqueue(work, "seasons.tell_undone", candidate_ids=[str(each) for each in moved])
    return old


def _give_back(work: Work, old: Season) -> Collection[UUID]:
    """Give all candidates the stages back that they had in the old season, whether or not they had
    joined it; return the ids of those whose role changes."""
    found = work.db.execute(
        select(Candidate.id, Candidate.role, PastSeason.stage)
        .join(PastSeason, PastSeason.candidate_id == Candidate.id)
        .where(PastSeason.season_id == old.id, PastSeason.stage != Candidate.role)
        .order_by(Candidate.id)
        .with_for_update(of=Candidate, key_share=True)
    ).all()
    for role, stage in {(row.role, row.stage) for row in found}:
        theirs = [row.id for row in found if (row.role, row.stage) == (role, stage)]
        _move(work, theirs, role, stage)
    return [row.id for row in found]


def _forget(work: Work, old: Season, new: Season) -> None:
    """Delete the new season, and the stages that were stored for the old one. Candidates who have
    joined the new season count as joined in the old one."""
    its_season = and_(
        PastSeason.candidate_id == Candidate.id,
        PastSeason.season_id == old.id,
        PastSeason.had_joined,
    )
    joined_at = select(PastSeason.joined_at).where(its_season).scalar_subquery()
    work.db.execute(
        update(Candidate)
        .where(Candidate.season_id == new.id)
        .values(
            season_id=old.id,
            # Restore the time at which the candidate had joined the earlier season.
            season_joined_at=case(
                (exists().where(its_season), joined_at), else_=Candidate.season_joined_at
            ),
        )
        .execution_options(synchronize_session=False)
    )
    work.db.execute(delete(PastSeason).where(PastSeason.season_id == old.id))
    work.db.delete(new)
    work.db.flush()
