"""Names of schools that are suggested during registration, so that a school has one name."""

from sqlalchemy import func, select

from competition.core.jobs.aggregates import Aggregate
from competition.core.users.models import Candidate
from competition.core.work import Work

# How many approved candidates must have a school before its name is suggested. A name that only one
# or two people have written may be private.
FEWEST_CANDIDATES = 3
MOST_SUGGESTED = 20


def suggestions(work: Work, search: str) -> list[str]:
    """At most 20 names of schools that contain every word of `search`. Names that begin with
    `search` come first.

    The names are at most a minute old.
    """
    words = search.casefold().split()
    found = [name for name in NAMES.read(work) if all(word in name.casefold() for word in words)]
    beginning = search.casefold()
    found.sort(key=lambda name: (not name.casefold().startswith(beginning), name.casefold()))
    return found[:MOST_SUGGESTED]


def _names(work: Work) -> list[str]:
    """The approved names of schools that at least `FEWEST_CANDIDATES` approved candidates have."""
    school = Candidate.counted_school
    return list(
        work.db.scalars(
            select(school)
            .where(Candidate.is_user_verified, Candidate.is_active)
            .group_by(school)
            .having(func.count() >= FEWEST_CANDIDATES)
            .order_by(school)
        )
    )


# Every candidate who registers sends requests while typing, so the names are not counted each time.
NAMES: Aggregate[list[str]] = Aggregate("accounts.schools", list[str], _names)
