"""Lists of schools, with the numbers of their candidates."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, String, and_, any_, func, literal, or_, select
from sqlalchemy.orm import selectinload

from competition.core.errors import NotFound
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.texts import name_key
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.schools.models import Alias, Numbers, School
from competition.plugins.schools.services.names import has_aliases, has_candidates

ORDERING = {"id": School.id, "name": School.name, "code": School.code, "region": School.region}


def exists() -> ColumnElement[bool]:
    """SQL condition on School: whether lists show the school, because staff have listed it, it has
    another name, or a candidate names it.

    A row of a school for which none of this holds is left over, and is deleted later.
    """
    return or_(School.is_listed, has_aliases(), has_candidates())


def page_of_schools(work: Work, query: Query) -> Page[School]:
    """A page of the schools, by name.

    A search finds a school if all its words are in its name and code together, or in one alias.
    """
    by_alias = (
        select(Alias.id)
        .where(Alias.school_id == School.id, *contains_every_word(query["search"], Alias.searched))
        .correlate(School)
    )
    text = School.name + " " + func.coalesce(School.code, "")
    found: Any = select(School).options(selectinload(School.aliases)).where(exists())
    if query["search"]:
        of_name = and_(*contains_every_word(query["search"], text))
        found = found.where(or_(by_alias.exists(), of_name))
    if query["region"]:
        region = func.search_key(query["region"])
        found = found.where(func.search_key(School.region) == region)
    if query["listed"] is not None:
        found = found.where(School.is_listed == query["listed"])
    by_name = [School.searched, School.id]
    return paginate(work, found, query, key=School.id, default=by_name, ordering=ORDERING)


def one(work: Work, school_id: int) -> School:
    """The school with its aliases, read again. Raises NotFound if there is none."""
    found = work.db.scalar(
        select(School)
        .options(selectinload(School.aliases))
        .where(School.id == school_id)
        .execution_options(populate_existing=True)
    )
    if found is None:
        raise NotFound
    return found


def numbers(work: Work, keys: Collection[str]) -> dict[str, Numbers]:
    """The numbers of candidates of these schools, by the keys of their names."""
    counted = Candidate.counted_school_key()
    rows = work.db.execute(
        select(counted, func.count(), func.count().filter(Candidate.is_verified))
        .where(Candidate.has_counted_school(any_(literal([*keys], ARRAY(String)))))
        .group_by(counted)
    )
    found = {key: Numbers(count, verified) for key, count, verified in rows}
    return {key: found.get(key, Numbers()) for key in keys}


def by_key(work: Work, name: str) -> School | None:
    """The school whose own name this is, or None. Aliases and codes don't count."""
    return work.db.scalar(select(School).where(School.key == name_key(name)))
