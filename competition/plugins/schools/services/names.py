"""Look up names of schools for other plugins. See `competition.core.users.schools`."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    CompoundSelect,
    String,
    Subquery,
    and_,
    any_,
    bindparam,
    func,
    literal,
    literal_column,
    or_,
    select,
    true,
    union_all,
)
from sqlalchemy.orm import InstrumentedAttribute

from competition.core.jobs.housekeeping import retention
from competition.core.texts import name_key
from competition.core.users import schools
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.schools import SchoolsSettings
from competition.plugins.schools.models import Alias, School

# How many schools are suggested at most.
MOST_SUGGESTED = 20
# The same as a literal: for a parameter, PostgreSQL would expect a tenth of the schools, and plan
# the statement again for each request.
LIMIT: ColumnElement[int] = literal_column(str(MOST_SUGGESTED))


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


# SQL expressions of texts.
Texts = ColumnElement[str] | InstrumentedAttribute[str]


def _has_words(column: Texts, words: int) -> ColumnElement[bool]:
    """SQL condition: whether the text contains all search words. `words` is the number of words,
    and the bind parameters `word_0`, `word_1`, … are the words.

    PostgreSQL expects strpos to be true for a third of the rows, so it reads the schools in their
    order until it has enough of them. For LIKE, it may plan to read all of them. The last word is
    compared first: names begin with words that many schools have, such as "school".
    """
    has_each = (func.strpos(column, bindparam(f"word_{at}")) > 0 for at in reversed(range(words)))
    return and_(true(), *has_each)


def _first(condition: ColumnElement[bool]) -> Subquery:
    """Subquery of the names of listed schools for which the condition holds, with their search
    keys: the first `MOST_SUGGESTED` in the order of `ix_school_suggested`."""
    found = select(School.name, School.searched).where(School.is_listed, condition)
    return found.order_by(School.searched, School.key).limit(LIMIT).subquery()


# The statement for each number of words is built once, because building it takes as long as running
# it. PostgreSQL also plans it only once, because its estimates don't depend on the words.
@cache
def _all_suggested(words: int) -> CompoundSelect[Any]:
    """SELECT of the suggestions for a search with this number of words. Schools whose names begin
    with the words come first, and may appear again."""
    # The names that begin with a text come first among those that are not before it.
    following = _first(School.searched >= bindparam("beginning"))
    begins = func.starts_with(following.c.searched, bindparam("beginning"))
    other_name = func.string_to_table(School.other_names, "\n").column_valued("other_name")
    has_in_one = select(other_name).where(_has_words(other_name, words)).correlate(School).exists()
    containing = _first(
        or_(
            _has_words(School.searched, words),
            # The words may be in different names, so each name is compared, too.
            and_(_has_words(School.other_names, words), has_in_one),
        )
    )
    return union_all(select(*following.c).where(begins), select(*containing.c))


def suggest(work: Work, words: Sequence[str]) -> Mapping[str, str]:
    """Names of listed schools that have all words in their name, or in one of their aliases, with
    their search keys. Names that begin with the words come first."""
    values = {f"word_{at}": word for at, word in enumerate(words)}
    rows = work.db.execute(_all_suggested(len(words)), values | {"beginning": " ".join(words)})
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
