"""The affiliation of candidates, which is their school, school year and group, in the season of an
exam.

In the current season, a candidate's affiliation is that of the account. Tables about a closed
season show the affiliation that was stored at its end (`PastSeason`). Otherwise, a candidate who
changes school would change the results of two schools in all earlier years.

SQL queries use `of_exam` or `of_season`. For pages of objects that were loaded with their
candidates, use `Affiliations`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, case, func, select, tuple_, type_coerce

from competition.core.database import SearchKey
from competition.core.seasons.models import PastSeason
from competition.core.users.columns import CANDIDATE, COUNTED_SCHOOL, FULL_NAME
from competition.core.users.models import USERS, Candidate
from competition.core.work import Work

PAST = PastSeason.metadata.tables["past_season"]


@dataclass(frozen=True)
class AffiliationColumns:
    """SQL expressions for the affiliation of the candidates in a query of `USERS` or Candidate.

    `school` is the school that counts. `shown_school` is the school that lists for staff show: in
    the current season, the candidate may have typed it after another school was approved.
    `searched` is the text in which searches look for the candidate: name, email address and
    `shown_school`. If the season may be closed, `season_id` is its id, or an expression for it;
    otherwise None.
    """

    school: ColumnElement[str]
    shown_school: ColumnElement[str]
    year: ColumnElement[int | None]
    group: ColumnElement[str]
    searched: ColumnElement[str]
    season_id: Any = None

    def join(self, rows: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
        """Add to a SELECT the table that the expressions need. A query about the current season
        stays as it is."""
        if self.season_id is None:
            return rows
        is_theirs = and_(PAST.c.candidate_id == USERS.c.id, PAST.c.season_id == self.season_id)
        return rows.outerjoin(PAST, is_theirs)

    @property
    def candidate(self) -> tuple[ColumnElement[Any], ...]:
        """The columns `CANDIDATE` of exports, with this affiliation."""
        return (
            *(each for each in CANDIDATE if each.name not in ("school", "year", "group")),
            self.school.label("school"),
            self.year.label("year"),
            self.group.label("group"),
        )


CURRENT = AffiliationColumns(
    COUNTED_SCHOOL, USERS.c.school, USERS.c.year, USERS.c.group, USERS.c.search_text
)


def of_exam(exam: Any) -> AffiliationColumns:
    """The affiliation in the season of an exam, which is an object or a table of the query."""
    return CURRENT if exam.is_current is True else of_season(exam.season_id)


def of_season(season_id: Any) -> AffiliationColumns:
    """The affiliation in a season, by the id or an expression for it. The season may be the current
    one, of which nothing is stored. A candidate of whom nothing is stored has the affiliation of
    the account."""

    def at_its_end(then: ColumnElement[Any], now: ColumnElement[Any]) -> ColumnElement[Any]:
        # The year may have been unknown, so its value can't show whether there is a row.
        return case((PAST.c.candidate_id.is_not(None), then), else_=now)

    searched = func.search_key(FULL_NAME + " " + USERS.c.email + " " + PAST.c.school)
    return AffiliationColumns(
        at_its_end(PAST.c.school, COUNTED_SCHOOL),
        at_its_end(PAST.c.school, USERS.c.school),
        at_its_end(PAST.c.year, USERS.c.year),
        at_its_end(PAST.c.group, USERS.c.group),
        type_coerce(at_its_end(searched, USERS.c.search_text), SearchKey()),
        season_id,
    )


class Affiliation(NamedTuple):
    school: str
    year: int | None
    group: str


class Affiliations:
    """The affiliations of candidates in the seasons of exams. Each pair has an exam and a candidate
    of it. One statement reads those of closed seasons. If there are none, it is not executed."""

    def __init__(self, work: Work, pairs: Iterable[tuple[Any, Candidate]]) -> None:
        of_closed = {
            (exam.season_id, candidate.id) for exam, candidate in pairs if not exam.is_current
        }
        self._past: dict[tuple[int, UUID], Affiliation] = {}
        if of_closed:
            key = (PAST.c.season_id, PAST.c.candidate_id)
            rows = work.db.execute(
                select(*key, PAST.c.school, PAST.c.year, PAST.c.group).where(
                    tuple_(*key).in_(of_closed)
                )
            )
            for season_id, candidate_id, *values in rows:
                self._past[season_id, candidate_id] = Affiliation(*values)

    def of(self, exam: Any, candidate: Candidate) -> Affiliation:
        """The affiliation of a candidate in the season of an exam, with the school that lists for
        staff show."""
        now = Affiliation(candidate.school, candidate.year, candidate.group)
        return self._past.get((exam.season_id, candidate.id), now)
