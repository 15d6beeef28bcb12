"""Names of schools that are suggested during registration, so that a school has one name."""

from sqlalchemy import func, select

from competition.core.jobs.aggregates import Aggregate
from competition.core.users import schools
from competition.core.users.models import Candidate
from competition.core.work import Work

# How many approved candidates must have a school before its name is suggested. A name that only one
# or two people have written may be private.
FEWEST_CANDIDATES = 3
MOST_SUGGESTED = 20


def suggestions(work: Work, search: str) -> list[str]:
    """At most 20 names of schools that contain every word of `search`. Names that begin with
    `search` come first.

    The names are at most a minute old. Plugins may suggest more, such as the listed schools.
    """
    beginning = _search_key(work, search)
    words = beginning.split()
    found = NAMES.read_cached(work)
    # The last word is compared first: most names have the first words, such as "school".
    for word in reversed(words):
        found = {name: key for name, key in found.items() if word in key}
    # Not `|=`: without words, `found` is still the cached dict.
    found = found | schools.suggested(work, words)

    def place(name: str) -> tuple[bool, str]:
        return not found[name].startswith(beginning), found[name]

    return sorted(found, key=place)[:MOST_SUGGESTED]


def _search_key(work: Work, search: str) -> str:
    """The search key of a text.

    That of an ASCII text is the text in lower case, so it needs no statement. Only the letter I may
    have another lower case in the database: in Turkish, it has no dot. The key of a backtick is the
    apostrophe.
    """
    if search.isascii() and "I" not in search and "`" not in search:
        return search.lower()
    key: str = work.db.scalars(select(func.search_key(search))).one()
    return key


def _names(work: Work) -> dict[str, str]:
    """The names of schools that at least `FEWEST_CANDIDATES` approved candidates have, with their
    search keys. If a school's name is spelled in several ways, the most frequent spelling counts.
    """
    name = func.mode().within_group(Candidate.counted_school)
    found = work.db.execute(
        select(name, func.search_key(name))
        .where(Candidate.is_user_verified, Candidate.is_active)
        .group_by(Candidate.counted_school_key())
        .having(func.count() >= FEWEST_CANDIDATES)
    )
    return dict(map(tuple, found))


# Stored, and computed again every 30 seconds: candidates who register send requests while typing,
# so counting the names for each request would be slow.
NAMES: Aggregate[dict[str, str]] = Aggregate("accounts.school_names", dict[str, str], _names)
