"""Look up names of schools for other plugins. See `competition.core.users.schools`."""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    String,
    any_,
    literal,
    or_,
    select,
    union_all,
)

from competition.core.jobs.housekeeping import retention
from competition.core.texts import name_key
from competition.core.users import schools
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.schools import SchoolsSettings
from competition.plugins.schools.models import Alias, School


def find(work: Work, names: Collection[str]) -> Mapping[str, str]:
    """The schools' own names, by those of the given names that are the name, an alias or the code
    of a school."""
    keys = {name: name_key(name) for name in names}
    wanted = any_(literal(sorted({*keys.values()}), ARRAY(String)))
    rows: Any = work.db.execute(
        union_all(
            select(School.code_key.label("key"), School.name).where(School.code_key == wanted),
            select(Alias.key, School.name)
            .join(School, School.id == Alias.school_id)
            .where(Alias.key == wanted),
            # Names come last: if a word is the name of one school and the code of another, the name
            # replaces the code in the dict below.
            select(School.key, School.name).where(School.key == wanted),
        )
    )
    found: dict[str, str] = {key: name for key, name in rows}
    return {name: found[key] for name, key in keys.items() if key in found}


def refuse(work: Work, names: Collection[str]) -> Collection[str]:
    """The given names that candidates can't choose.

    If the setting `closed` is on, these are the names that don't belong to a listed school.
    Otherwise candidates can choose every name.
    """
    if not work.settings[SchoolsSettings].closed:
        return ()
    own = find(work, names)
    keys = literal([name_key(name) for name in own.values()], ARRAY(String))
    listed = set(
        work.db.scalars(select(School.name).where(School.key == any_(keys), School.is_listed))
    )
    return {name for name in names if own.get(name) not in listed}


@retention("schools.unused")
def forget(work: Work) -> None:
    """Delete schools that staff have not listed, and that have neither candidates nor aliases."""
    work.lock(schools.LOCK)
    unused = select(School).where(~School.is_listed, ~has_aliases(), ~has_candidates())
    for each in work.db.scalars(unused):
        work.db.delete(each)


def has_aliases() -> ColumnElement[bool]:
    """SQL condition on School: whether it has another name."""
    return select(Alias.id).where(Alias.school_id == School.id).correlate(School).exists()


def has_candidates() -> ColumnElement[bool]:
    """SQL condition on School: whether its name is in the profile of a candidate."""
    counted = select(Candidate.id).where(Candidate.has_counted_school(School.key))
    # For these candidates, another school counts: the school that staff have approved.
    typed = select(Candidate.id).where(
        Candidate.school_key == School.key, Candidate.approved_school_key.is_not(None)
    )
    return or_(counted.correlate(School).exists(), typed.correlate(School).exists())
