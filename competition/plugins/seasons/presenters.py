from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict

from sqlalchemy import Row

from competition.core.auth.access import CandidateRole
from competition.core.lists import Page, Pagination
from competition.core.seasons.models import Season as SeasonRow
from competition.core.users.models import Candidate
from competition.plugins.seasons.errors import BlockerShape


class SeasonName(TypedDict):
    id: int
    name: str
    status: Literal["current", "closed"]
    opened_at: datetime
    closed_at: datetime | None


class Season(SeasonName):
    """A season. `exams` and `candidates` are only shown to moderators."""

    exams: NotRequired[int]
    candidates: NotRequired[int]


class SeasonList(TypedDict):
    results: list[Season]
    pagination: Pagination


class Warning(TypedDict):
    kind: str
    message: str


class CandidateCounts(TypedDict):
    """How many candidates there are, how many get the role screening, and how many count as joined
    without confirming it."""

    all: int
    moved: int
    joined: int


class UndoPreview(TypedDict):
    """Whether the opening of the current season can be undone. `confirmed` counts the candidates
    who have joined the season since: the next season asks them again."""

    until: datetime
    refusal: str | None
    confirmed: int


class OpeningPreview(TypedDict):
    """The blockers that keep the next season from being opened, warnings, the candidates whom the
    opening would concern, and whether the opening of the current season can be undone."""

    blockers: list[BlockerShape]
    warnings: list[Warning]
    candidates: CandidateCounts
    undo: UndoPreview | None


class Joined(TypedDict):
    season: int
    school: str
    year: int | None


class PastSeason(TypedDict):
    """An earlier season that the candidate had joined. `stage` is the role at its end."""

    season: int
    name: str
    stage: CandidateRole
    school: str
    year: int | None


class CurrentSeason(TypedDict):
    id: int
    name: str
    joined: bool


def season_name(row: SeasonRow) -> SeasonName:
    return SeasonName(
        id=row.id,
        name=row.name,
        status="current" if row.closed_at is None else "closed",
        opened_at=row.opened_at,
        closed_at=row.closed_at,
    )


def season_list(
    page: Page[tuple[SeasonRow, int, int]], url: str, *, has_counts: bool
) -> SeasonList:
    """The seasons of a page, each with the numbers of its exams and candidates."""
    results = []
    for row, exams, candidates in page.items:
        counts = {"exams": exams, "candidates": candidates} if has_counts else {}
        results.append(Season(**season_name(row), **counts))  # type: ignore[typeddict-item]  # both or none
    return SeasonList(results=results, pagination=page.pagination(url))


def joined(candidate: Candidate) -> Joined:
    return Joined(season=candidate.season, school=candidate.school, year=candidate.year)


def past_seasons(rows: Sequence[Row[Any]]) -> list[PastSeason]:
    return [
        PastSeason(
            season=row.season,
            name=row.name,
            stage=CandidateRole(row.stage),
            school=row.school,
            year=row.year,
        )
        for row in rows
    ]


def current_season(row: Row[Any], joined_id: int) -> CurrentSeason:
    return CurrentSeason(id=row.id, name=row.name, joined=joined_id >= row.id)
