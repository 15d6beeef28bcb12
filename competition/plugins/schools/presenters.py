"""The shapes of schools in the API."""

from collections.abc import Mapping, Sequence
from typing import Annotated, NotRequired, TypedDict

from competition.core.lists import Page, Pagination
from competition.core.slots import Contributed, spread
from competition.core.work import Work
from competition.plugins.leaderboard.presenters.boards import ExamDetails, exam_details
from competition.plugins.schools import models
from competition.plugins.schools.models import Numbers, SchoolPage
from competition.plugins.schools.offered_slots import SCHOOL
from competition.plugins.scores.presenters.scores import number


class SchoolAlias(TypedDict):
    id: int
    name: str


class School(TypedDict):
    """A school. `listed` is true once staff have created, changed or merged it. `candidates` is how
    many candidates belong to it, and `verified` how many of them are verified."""

    id: int
    name: str
    code: str | None
    region: str
    listed: bool
    aliases: list[SchoolAlias]
    candidates: int
    verified: int
    contributed: NotRequired[Annotated[Contributed, SCHOOL]]


class SchoolList(TypedDict):
    results: list[School]
    pagination: Pagination


class SchoolMerge(TypedDict):
    """The effect of a merge: how many candidates get this school, and how many teachers and
    allowances move to it from the other schools. If `needs_manager` is true, only managers may
    merge them."""

    candidates: int
    teachers: int
    allowances: int
    needs_manager: bool


class SchoolRule(TypedDict):
    """The score of a school is the sum of the scores of its `best` best candidates. Schools with
    fewer than `minimum` candidates are left out."""

    best: int
    minimum: int


class RankedSchool(TypedDict):
    rank: int
    school: str
    region: str
    candidates: int
    counted: int
    score: float


class SchoolLeaderboard(TypedDict):
    exam_details: ExamDetails
    rule: SchoolRule
    results: list[RankedSchool]
    pagination: Pagination


def school(work: Work, found: models.School, numbers: Mapping[str, Numbers]) -> School:
    [shown] = _schools(work, [found], numbers)
    return shown


def school_list(
    work: Work, page: Page[models.School], numbers: Mapping[str, Numbers], url: str
) -> SchoolList:
    """A page of schools. `numbers` has the numbers of candidates of each school, by the key of its
    name."""
    return SchoolList(results=_schools(work, page.items, numbers), pagination=page.pagination(url))


def _schools(
    work: Work, rows: Sequence[models.School], numbers: Mapping[str, Numbers]
) -> list[School]:
    fields = SCHOOL.load(work, [each.id for each in rows])
    return [
        spread(
            School(
                id=each.id,
                name=each.name,
                code=each.code,
                region=each.region,
                listed=each.is_listed,
                aliases=[SchoolAlias(id=alias.id, name=alias.name) for alias in each.aliases],
                candidates=numbers[each.key].candidates,
                verified=numbers[each.key].verified,
                contributed=contributed,
            )
        )
        for each, contributed in zip(rows, fields, strict=True)
    ]


def school_leaderboard(found: SchoolPage, url: str) -> SchoolLeaderboard:
    return SchoolLeaderboard(
        exam_details=exam_details(found.board),
        rule=SchoolRule(best=found.best, minimum=found.minimum),
        results=[
            RankedSchool(
                rank=each.rank,
                school=each.school,
                region=each.region,
                candidates=each.candidates,
                counted=each.counted,
                score=number(each.score),
            )
            for each in found.page.items
        ],
        pagination=found.page.pagination(url),
    )
