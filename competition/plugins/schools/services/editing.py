"""Add, change, merge and delete schools.

All of these hold the lock on names of schools exclusively, so that no other transaction stores an
old name in the meantime. They take this lock before they lock accounts. They also call
`LISTED.changed`, so that every process suggests the changed names.

In a merge, candidates keep the date since which they belong to their school, their numbers and
their teachers, because a merge is no change of school.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    String,
    and_,
    any_,
    func,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from competition.core import audit
from competition.core.auth.access import StaffRole, has_rank
from competition.core.errors import Invalid, PermissionDenied, existing
from competition.core.messages import Message
from competition.core.seasons.models import PastSeason
from competition.core.texts import name_key
from competition.core.users import schools
from competition.core.users.events import SchoolsRenamed
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.schools.events import SchoolDeleting, SchoolsMerged
from competition.plugins.schools.models import Alias, School
from competition.plugins.schools.presenters import SchoolMerge
from competition.plugins.schools.services import reading
from competition.plugins.schools.services.suggesting import LISTED

TAKEN = Message(
    "Another school has this name, alias or code. Merge the two schools, or choose something else.",
    "taken",
)


def locked(work: Work, school_id: int, **path: Any) -> School:
    """Guard: keep names of schools from changing until the commit, and return the school. Raises
    NotFound if there is none with this id."""
    work.lock(schools.LOCK)
    return reading.one(work, school_id)


def add(work: Work, fields: Mapping[str, Any]) -> School:
    """Add a listed school. Raises Invalid if another school has this name or code, as its own name,
    an alias or a code."""
    work.lock(schools.LOCK)
    _check_free(work, "name", fields["name"])
    if fields["code"] is not None:
        _check_free(work, "code", fields["code"])
    # Reuse the row with this name, if no candidate uses it any longer and it was not deleted yet.
    school = reading.by_key(work, fields["name"]) or School()
    school.name, school.code, school.region = fields["name"], fields["code"], fields["region"]
    school.is_listed = True
    work.db.add(school)
    _flush(work)
    LISTED.changed(work)
    audit.record(work, "school.add", subject=_subject(school), new=dict(fields))
    return reading.one(work, school.id)


def change(work: Work, school: School, changes: Mapping[str, Any]) -> School:
    """Change a locked school, which is listed from then on. Its old name becomes an alias.

    Raises Invalid if another school has the new name or code, as its own name, an alias or a code.
    """
    old = {name: getattr(school, name) for name in changes}
    for name in ("name", "code"):
        if changes.get(name) is not None:
            _check_free(work, name, changes[name], but=school)
    renamed = changes.get("name", school.name)
    old_name, old_key = school.name, school.key
    if renamed != old_name:
        new_key = name_key(renamed)
        # Delete the alias or the unused school that has the new name, so that the name is free.
        for alias in school.aliases:
            if alias.key == new_key:
                work.db.delete(alias)
        unused = reading.by_key(work, renamed)
        if unused is not None and unused is not school:
            work.db.delete(unused)
        work.db.flush()
        school.name = renamed
        if new_key != old_key:
            work.db.add(Alias(school_id=school.id, name=old_name))
    for name in ("code", "region"):
        if name in changes:
            setattr(school, name, changes[name])
    school.is_listed = True
    _flush(work)
    LISTED.changed(work)
    if renamed != old_name:
        _lock_candidates(work, {old_key})
        _rename_candidates(work, {old_key, school.key}, renamed)
    audit.record_change(work, "school.change", _subject(school), old, dict(changes))
    return reading.one(work, school.id)


def delete(work: Work, school: School) -> None:
    """Delete a locked school. Raises Invalid if it has candidates or teachers."""
    is_theirs = or_(
        Candidate.counted_school_key() == school.key, Candidate.school_key == school.key
    )
    if work.db.scalar(select(Candidate.id).where(is_theirs).limit(1)) is not None:
        raise Invalid(
            Message(
                "This school has candidates, so it can't be deleted. Merge it into another"
                " school instead."
            )
        )
    work.emit(SchoolDeleting(work, school.id))
    audit.record(work, "school.delete", subject=_subject(school), old={"name": school.name})
    work.db.delete(school)
    work.db.flush()
    LISTED.changed(work)


def delete_alias(work: Work, school: School, alias_id: int) -> None:
    """Delete another name of a locked school; its candidates stay. Raises NotFound if the school
    has no such alias."""
    alias = existing(next((each for each in school.aliases if each.id == alias_id), None))
    audit.record(work, "school.delete_alias", subject=_subject(school), old={"name": alias.name})
    work.db.delete(alias)
    work.db.flush()
    LISTED.changed(work)


def preview(work: Work, school: School, names: Sequence[str]) -> SchoolMerge:
    """The effect that `merge` would have. Nothing is changed. Raises the errors of `merge` except
    PermissionDenied, because admins may preview every merge."""
    savepoint = work.db.begin_nested()
    found = _merge(work, school, names)
    savepoint.rollback()
    return found


def merge(work: Work, school: School, names: Sequence[str], reason: str) -> School:
    """Merge other schools, and names that no school has, into a locked school.

    Raises Invalid if one of the names is an alias or code of another school, or if two candidates
    would have the same number. Raises PermissionDenied if the merge may give further candidates to
    a teacher, and the caller is below manager.
    """
    done = _merge(work, school, names)
    if done["needs_manager"] and not has_rank(work.identity, StaffRole.MANAGER):
        raise PermissionDenied(
            Message(
                "Only a manager can merge these schools, because a teacher would get more"
                " candidates."
            )
        )
    audit.record(
        work,
        "school.merge",
        subject=_subject(school),
        new={"names": [*names], "reason": reason, "candidates": done["candidates"]},
    )
    return reading.one(work, school.id)


def _merge(work: Work, school: School, names: Sequence[str]) -> SchoolMerge:
    others, new = _named(work, school, names)
    keys = {each.key for each in others}
    # Lock the accounts before other rows, as all transactions do (`core.users.accounts`).
    _lock_candidates(work, keys)
    _check_numbers(work, {*keys, school.key})
    count = select(func.count()).select_from(Candidate).where(_is_of_one(keys))
    candidates = work.db.scalar(count) or 0
    own = (
        select(func.count()).select_from(Candidate).where(Candidate.has_counted_school(school.key))
    )
    had_own = bool(work.db.scalar(own))
    event = SchoolsMerged(work, school.id, [each.id for each in others])
    if others:
        work.emit(event)
    for each in others:
        work.db.execute(
            update(Alias).where(Alias.school_id == each.id).values(school_id=school.id),
            execution_options={"synchronize_session": False},
        )
        new = {each.key: each.name, **new}
        work.db.delete(each)
    work.db.flush()
    work.db.add_all(Alias(school_id=school.id, name=name) for name in new.values())
    school.is_listed = True
    _flush(work)
    LISTED.changed(work)
    counts = _rename_candidates(work, keys, school.name) if keys else {}
    # Teachers of the merged schools get the candidates of this school, and its teachers get the
    # candidates of the merged schools.
    is_given = (event.own_teachers > 0 and candidates > 0) or (
        event.moved_teachers > 0 and (had_own or candidates > 0)
    )
    return SchoolMerge(
        candidates=candidates,
        teachers=event.moved_teachers,
        allowances=counts.get("allowances", 0),
        needs_manager=is_given,
    )


def _named(work: Work, school: School, names: Sequence[str]) -> tuple[list[School], dict[str, str]]:
    """The other schools whose own names are given, and the given names that no school has as a
    name, alias or code. The latter are a dict from the name's key to the name.

    Raises Invalid if a name is an alias or code of a school that does not take part in the merge.
    """
    keys = [name_key(name) for name in names]
    others = {
        each.id: each
        for each in work.db.scalars(select(School).where(School.key.in_(keys)))
        if each.id != school.id
    }
    merged = {school.id, *others}
    known = {school.key, *(each.key for each in others.values())}
    aliases = select(Alias.key, Alias.school_id).where(Alias.key.in_(keys))
    codes = select(School.code_key, School.id).where(School.code_key.in_(keys))
    # Aliases come last, so that they take precedence.
    owners = {key: owner for found in (codes, aliases) for key, owner in work.db.execute(found)}
    errors = {
        str(index): [
            Message(
                "${name} is another name of a third school. Merge that school, too, or"
                " leave this name out.",
                "taken",
                name=name,
            )
        ]
        for index, (name, key) in enumerate(zip(names, keys, strict=True))
        if key not in known and owners.get(key, school.id) not in merged
    }
    if errors:
        raise Invalid(
            Message("Some names belong to other schools. Leave out the names that `errors` lists."),
            errors={"names": errors},
        )
    new = {
        key: name
        for name, key in zip(names, keys, strict=True)
        if key not in known and key not in owners
    }
    return list(others.values()), new


def _is_of_one(keys: Collection[str]) -> ColumnElement[bool]:
    return Candidate.has_counted_school(any_(literal([*keys], ARRAY(String))))


def _check_numbers(work: Work, keys: Collection[str]) -> None:
    """Raise Invalid if two candidates of these schools have the same number."""
    number = Candidate.external_id_key
    several = (
        select(number)
        .where(_is_of_one(keys), number.is_not(None))
        .group_by(number)
        .having(func.count() > 1)
        .order_by(number)
        .limit(1)
    )
    twice = work.db.scalar(several)
    if twice is None:
        return
    of_number = select(Candidate).where(_is_of_one(keys), number == twice)
    one, other = work.db.scalars(of_number.order_by(Candidate.id).limit(2)).all()
    raise Invalid.field(
        "names",
        Message(
            "${one} (${school}) and ${other} (${other_school}) have the same number ${number}."
            " Change one of them first.",
            one=one.full_name,
            school=one.counted_school,
            other=other.full_name,
            other_school=other.counted_school,
            number=one.external_id,
        ),
    )


def _lock_candidates(work: Work, keys: Collection[str]) -> None:
    """Lock the candidates with these schools, in the order in which all transactions lock
    accounts."""
    typed = and_(Candidate.school_key.in_(keys), Candidate.approved_school_key.is_not(None))
    is_theirs = or_(_is_of_one(keys), typed)
    locked_ids = select(Candidate.id).where(is_theirs).order_by(Candidate.id)
    work.db.execute(locked_ids.with_for_update(key_share=True)).all()


def _rename_candidates(work: Work, keys: Collection[str], name: str) -> Mapping[str, int]:
    """Give candidates of schools with these keys the new name, also in their past seasons, and let
    other plugins rename the school in their rows. Returns the event's `counts` (see
    `SchoolsRenamed`)."""
    new_key = name_key(name)
    for column, key in (
        ("school", Candidate.school_key),
        ("approved_school", Candidate.approved_school_key),
    ):
        work.db.execute(
            update(Candidate)
            .where(key.in_(keys))
            .values({column: name, f"{column}_key": new_key, "updated_at": work.now}),
            execution_options={"synchronize_session": False},
        )
    # If an approved candidate had typed the new name of the approved school, nothing is left to
    # approve.
    work.db.execute(
        update(Candidate)
        .where(Candidate.approved_school_key == Candidate.school_key)
        .where(Candidate.school_key == new_key)
        .values(approved_school=None, approved_school_key=None),
        execution_options={"synchronize_session": False},
    )
    past = [
        each
        for each in work.db.scalars(select(PastSeason.school).distinct())
        if name_key(each) in keys
    ]
    work.db.execute(
        update(PastSeason).where(PastSeason.school.in_(past)).values(school=name),
        execution_options={"synchronize_session": False},
    )
    event = SchoolsRenamed(work, keys, name, {})
    work.emit(event)
    return event.counts


def _check_free(work: Work, field: str, name: str, but: School | None = None) -> None:
    """Raise Invalid if a school has this name, alias or code. The name of a row that nobody uses,
    and that is not deleted yet, is free."""
    key, own = name_key(name), 0 if but is None else but.id
    is_taken = or_(
        School.code_key == key,
        select(Alias.id).where(Alias.key == key, Alias.school_id == School.id).exists(),
        (School.key == key) & reading.exists(),
    )
    if work.db.scalar(select(School.id).where(School.id != own, is_taken).limit(1)) is not None:
        raise Invalid.field(field, TAKEN)


def _flush(work: Work) -> None:
    """Flush the session. Raises Invalid if another transaction has stored one of the names."""
    try:
        work.db.flush()
    except IntegrityError:
        raise Invalid.field("name", TAKEN) from None


def _subject(school: School) -> str:
    return f"school {school.id}"
