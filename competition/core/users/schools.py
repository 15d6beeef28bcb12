"""The names of schools. A candidate's row has the name of the school. Rules compare schools by the
keys of their names (`competition.core.texts.name_key`), which ignore upper and lower case.

A plugin can declare what it knows about schools, such as their other names:

    config.add_school_names("notes", find=".services.find", refuse=".services.refuse", …)

If no plugin does, each name that a user has typed is the name of a school.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyramid.config import Configurator

from competition.core.catalogue import OwnName, catalogue_of
from competition.core.errors import Invalid
from competition.core.messages import Message
from competition.core.work import Work

# The name of the lock on the names of schools. Transactions that store the name of a school take it
# as shared. A transaction that changes names of schools takes it exclusively. Both take it before
# they lock accounts.
LOCK = "core.school_names"
NOT_LISTED = Message("Choose one of the schools that are listed.", "not_listed")


@dataclass(frozen=True)
class SchoolNames(OwnName):
    """What a plugin knows about the names of schools.

    - `find` maps the given names to the schools' own names. It leaves out unknown names.
    - `refuse` returns the names among the given ones that candidates can't choose.
    - `suggest` maps names of schools, to suggest for the words that a user has typed, to their
      search keys. The words are search keys, too (the database function `search_key`).
    """

    name: str
    find: Callable[[Work, Collection[str]], Mapping[str, str]]
    refuse: Callable[[Work, Collection[str]], Collection[str]]
    suggest: Callable[[Work, Sequence[str]], Mapping[str, str]]


def own_names(work: Work, names: Collection[str]) -> dict[str, str]:
    """The schools' own names, by the names that users have typed for them.

    A name that no plugin knows stays as it is. Call `hold_names` first if the schools must not be
    renamed until the commit.
    """
    found = {name: name for name in names}
    for known in work.runtime.catalogue[SchoolNames].values():
        found |= known.find(work, names)
    return found


def own_name(work: Work, name: str) -> str:
    """The school's own name, for a name that a user has typed for it."""
    return own_names(work, [name])[name]


def hold_names(work: Work) -> None:
    """Keep schools from being renamed or merged until the commit."""
    if work.runtime.catalogue[SchoolNames]:
        work.lock(LOCK, shared=True)


def refused(work: Work, names: Collection[str]) -> set[str]:
    """The names among the given ones that candidates can't choose."""
    known = work.runtime.catalogue[SchoolNames].values()
    return {name for each in known for name in each.refuse(work, names)}


def chosen(work: Work, name: str) -> str:
    """The own name of the school that a candidate has chosen by typing `name`. Schools can't be
    renamed until the commit.

    Raises Invalid if candidates can't choose this school.
    """
    hold_names(work)
    if refused(work, [name]):
        raise Invalid.field("school", NOT_LISTED)
    return own_name(work, name)


def suggested(work: Work, words: Sequence[str]) -> dict[str, str]:
    """The names of schools that plugins suggest for the words of a search, each with its search key
    as the value. The words are search keys, too (see `SchoolNames`)."""
    known = work.runtime.catalogue[SchoolNames].values()
    return {name: key for each in known for name, key in each.suggest(work, words).items()}


def add_school_names(config: Configurator, name: str, **functions: Any) -> None:
    """Configuration directive ``config.add_school_names``: declare what the plugin knows about the
    names of schools. The functions are those of `SchoolNames`, or their dotted paths."""
    found = {each: config.maybe_dotted(function) for each, function in functions.items()}
    catalogue_of(config).add(SchoolNames, name, SchoolNames(name, **found))


def includeme(config: Configurator) -> None:
    config.add_directive("add_school_names", add_school_names)
