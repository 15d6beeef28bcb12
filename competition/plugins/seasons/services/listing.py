"""List the seasons, and rename one."""

from typing import Any

from sqlalchemy import exists, func, literal, or_, select

from competition.core import audit
from competition.core.errors import Invalid, existing
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.messages import Message
from competition.core.seasons import current as seasons
from competition.core.seasons.models import PastSeason, Season
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.exams.models import Exam

ORDERING = {"id": Season.id, "name": Season.name, "opened_at": Season.opened_at}
NAME_TAKEN = Message(
    "There is a season with this name already. Choose another name.", "season_name"
)


def page_of_seasons(work: Work, query: Query, *, has_counts: bool) -> Page[tuple[Season, int, int]]:
    """A page of the seasons, the newest first, each with the numbers of its exams and of the
    candidates who have joined it. Without `has_counts`, the numbers are 0."""
    exams: Any = (
        select(func.count())
        .where(Exam.season_id == Season.id, Exam.deleted_at.is_(None))
        .scalar_subquery()
    )
    # Without `correlate`, SQLAlchemy would correlate this subquery only with the candidates, and
    # not with the season.
    had_joined = (
        exists()
        .where(
            PastSeason.candidate_id == Candidate.id,
            PastSeason.season_id == Season.id,
            PastSeason.had_joined,
        )
        .correlate(Candidate, Season)
    )
    joined = or_(Season.closed_at.is_(None) & (Candidate.season >= Season.id), had_joined)
    candidates: Any = (
        select(func.count(Candidate.id)).where(joined).correlate(Season).scalar_subquery()
    )
    if not has_counts:
        exams = candidates = literal(0)
    page = paginate(
        work,
        select(Season, exams, candidates).where(*contains_every_word(query["search"], Season.name)),
        query,
        key=Season.id,
        created=Season.opened_at,
        ordering=ORDERING,
        default=(Season.id.desc(),),
    )
    return page.map(lambda row: (row[0], row[1], row[2]))


def locked(work: Work, season_id: int) -> Season:
    """Keep seasons from being opened or renamed until the commit, and return the season. Raises
    NotFound if there is none with this id."""
    work.lock(seasons.LOCK)
    return existing(work.db.get(Season, season_id, populate_existing=True))


def rename(work: Work, season: Season, name: str) -> Season:
    """Rename a locked season. Raises Invalid if another one has this name."""
    check_name(work, name, season.id)
    if season.name != name:
        audit.record(
            work, "season.rename", subject=f"season {season.id}", old=season.name, new=name
        )
        season.name = name
        work.db.flush()
    return season


def check_name(work: Work, name: str, season_id: int | None = None) -> None:
    """Raise Invalid if another season has this name. The lock of seasons must be held."""
    is_taken = select(exists().where(Season.name == name, Season.id.is_distinct_from(season_id)))
    if work.db.scalar(is_taken):
        raise Invalid.field("name", NAME_TAKEN)
