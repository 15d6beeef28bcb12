"""Look up names of schools for other plugins. See `competition.core.users.schools`."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Select,
    String,
    all_,
    any_,
    bindparam,
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

# How many schools are suggested at most.
MOST_SUGGESTED = 20
# Characters with a meaning in patterns of LIKE.
WILDCARD, ESCAPED = re.compile(r"([\\%_])"), r"\\\1"


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


def _has_words(named: type[School] | type[Alias]) -> ColumnElement[bool]:
    """SQL condition: whether a name contains all search words. The bind parameter `patterns` has
    their LIKE patterns.

    Conditions with an index of trigrams were slower: a common word beside one of two letters took
    11 ms, because such an index then finds most names.
    """
    return named.searched.like(all_(bindparam("patterns", type_=ARRAY(String))))


def _suggested(condition: ColumnElement[bool]) -> Select[Any]:
    """SELECT of the names of listed schools for which the condition holds, with their search keys:
    the first `MOST_SUGGESTED` in alphabetical order."""
    found = select(School.name, School.searched).where(School.is_listed, condition)
    return select(*found.order_by(School.key).limit(MOST_SUGGESTED).subquery().c)


# Each of the three searches stops after 20 names, so common words read only a few rows. The
# statement is built once, because building it takes as long as running it.
SUGGESTED = union_all(
    _suggested(School.searched.like(bindparam("beginning"))),
    _suggested(_has_words(School)),
    _suggested(School.id.in_(select(Alias.school_id).where(_has_words(Alias)))),
)


def suggest(work: Work, words: Sequence[str]) -> Mapping[str, str]:
    """Names of listed schools that have all words in their name, or in one of their aliases, with
    their search keys. Names that begin with the words come first."""
    escaped = [WILDCARD.sub(ESCAPED, word) for word in words]
    values = {
        "beginning": f"{' '.join(escaped)}%",
        "patterns": [f"%{word}%" for word in escaped],
    }
    rows = work.db.execute(SUGGESTED, values)
    return {name: key for name, key in rows}


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
