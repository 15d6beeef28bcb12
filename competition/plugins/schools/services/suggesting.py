"""Suggest names of listed schools while somebody types.

Each process has a copy of the listed schools in memory, because PostgreSQL takes ten times as long
to compare their names (docs/performance.md).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, islice
from operator import attrgetter
from typing import NamedTuple

from sqlalchemy import func, select

from competition.core.jobs.aggregates import Versioned
from competition.core.work import Work
from competition.plugins.schools.models import Alias, School

# How many schools are suggested at most.
MOST_SUGGESTED = 20
# One in this many schools is in the sample from which the frequency of a word is estimated.
SAMPLED = 50


class ListedSchool(NamedTuple):
    """A listed school, with what searches compare.

    `key` is the search key of its name. `names` has the search keys of its name and of its aliases,
    one per line. `words` has each word of these once.
    """

    key: str
    name: str
    names: str
    words: str


class ListedSchools(NamedTuple):
    """All listed schools, in the order of their keys.

    `words` has a line with the words of each school. `starts` has the position of each line, and
    the length of the text at the end.
    """

    schools: list[ListedSchool]
    words: str
    starts: list[int]


def suggest(work: Work, words: Sequence[str]) -> Mapping[str, str]:
    """Names of listed schools that have all words in their name, or in one of their aliases, with
    their search keys. Names that begin with the words come first."""
    listed = LISTED.read(work)
    beginning = " ".join(words)
    start = bisect_left(listed.schools, beginning, key=attrgetter("key"))
    following = listed.schools[start : start + MOST_SUGGESTED]
    begin = [each for each in following if each.key.startswith(beginning)]
    others = (
        each
        for each in _having_each(listed, words)
        if not each.key.startswith(beginning)
        # The words may be in different names.
        and any(all(word in name for word in words) for name in each.names.split("\n"))
    )
    return {each.name: each.key for each in (*begin, *islice(others, MOST_SUGGESTED - len(begin)))}


def _having_each(listed: ListedSchools, words: Sequence[str]) -> Iterator[ListedSchool]:
    """The schools that have each of the words in one of their names, lazily and in their order."""
    sample = listed.schools[::SAMPLED]

    def frequency(word: str) -> int:
        return sum(word in each.words for each in sample)

    # Only schools that have the least frequent word are compared with the others. Without words,
    # the ends of the lines find every school.
    rarest, *others = sorted(words, key=frequency) or ["\n"]
    for each in _having(listed, rarest):
        if all(word in each.words for word in others):
            yield each


def _having(listed: ListedSchools, word: str) -> Iterator[ListedSchool]:
    """The schools that have the word. Searching one text is faster than one text per school."""
    at = listed.words.find(word)
    while at >= 0:
        number = bisect_right(listed.starts, at)
        yield listed.schools[number - 1]
        at = listed.words.find(word, listed.starts[number])


def _load(work: Work) -> ListedSchools:
    """All listed schools, in the order of their search keys."""
    other_names = func.coalesce(func.string_agg("\n" + Alias.searched, ""), "")
    rows = work.db.execute(
        select(School.searched, School.name, School.searched + other_names)
        .outerjoin(Alias, Alias.school_id == School.id)
        .where(School.is_listed)
        .group_by(School.id)
        .order_by(School.searched, School.key)
    )
    schools = [
        ListedSchool(key, name, names, " ".join(dict.fromkeys(names.split())))
        for key, name, names in rows
    ]
    lines = [each.words + "\n" for each in schools]
    return ListedSchools(schools, "".join(lines), [0, *accumulate(map(len, lines))])


LISTED: Versioned[ListedSchools] = Versioned("schools.listed", _load)
