"""Leaderboards of schools: the sums of the best scores of each school's candidates.

They are written with the snapshot of the leaderboards, and never changed. For a leaderboard from
before this plugin was enabled, they are computed from its entries, and not stored.
"""

from collections import defaultdict
from decimal import Decimal
from heapq import nlargest
from typing import Any

from sqlalchemy import Row, func, insert, literal, select

from competition.core.audit import ERASED_DOMAIN
from competition.core.database import over_sets
from competition.core.lists import Page, Query, page_bounds
from competition.core.texts import name_key
from competition.core.users.models import Candidate
from competition.core.users.personal_data import ERASED
from competition.core.work import Work
from competition.plugins.leaderboard.models import Board, Entry
from competition.plugins.leaderboard.services import reading
from competition.plugins.schools import SchoolsSettings
from competition.plugins.schools.models import (
    Ranking,
    School,
    SchoolBoard,
    SchoolPage,
    SchoolStanding,
    Standing,
)


def write(work: Work, snapshot_id: int) -> None:
    """Write the leaderboards of schools for the new leaderboards of a snapshot."""
    settings = work.settings[SchoolsSettings]
    new = select(Board.id).where(Board.snapshot_id == snapshot_id, Board.copy_of.is_(None))
    for board_id in work.db.scalars(new).all():
        work.db.execute(
            insert(SchoolBoard).values(
                board_id=board_id, best=settings.best, minimum=settings.minimum
            )
        )
        _write(work, board_id, settings)


def _write(work: Work, board_id: int, settings: SchoolsSettings) -> None:
    key = Candidate.counted_school_key()
    place = func.row_number().over(partition_by=key, order_by=Entry.score.desc())
    scores = (
        select(key.label("key"), Entry.score, place.label("place"))
        .join(Candidate, Candidate.id == Entry.user_id)
        # Erased candidates count for no school.
        .where(Entry.board_id == board_id, Candidate.email.not_like(f"%@{ERASED_DOMAIN}"))
        .subquery()
    )
    is_best = scores.c.place <= settings.best
    sums = (
        select(
            scores.c.key,
            func.count().label("candidates"),
            func.count().filter(is_best).label("counted"),
            func.sum(scores.c.score).filter(is_best).label("score"),
        )
        .group_by(scores.c.key)
        .having(func.count() >= settings.minimum)
        .subquery()
    )
    in_order = (sums.c.score.desc(), School.searched, School.id)
    columns = {
        "board_id": literal(board_id),
        "position": func.row_number().over(order_by=in_order),
        "rank": func.rank().over(order_by=sums.c.score.desc()),
        "school": School.name,
        "region": School.region,
        "candidates": sums.c.candidates,
        "counted": sums.c.counted,
        "score": sums.c.score,
    }
    rows = select(*columns.values()).join(School, School.key == sums.c.key)
    with over_sets(work.db):
        work.db.execute(insert(SchoolStanding).from_select([*columns], rows))


def page(work: Work, stage: str, round: str, query: Query) -> SchoolPage:
    """A page of the latest leaderboard of schools of a stage and round, or of an exam.

    Raises the errors of `competition.plugins.leaderboard.services.reading.named_board`, and
    NotFound beyond the last page.
    """
    board = reading.named_board(work, stage, round, query["exam_id"], query["season"])
    found = ranking(work, board)
    standings = found.standings
    if query["region"]:
        wanted = name_key(query["region"])
        standings = [each for each in standings if name_key(each.region) == wanted]
    number, size = page_bounds(query, len(standings))
    first = (number - 1) * size
    shown = Page(standings[first : first + size], len(standings), number, size)
    return SchoolPage(board, found.best, found.minimum, shown)


def ranking(work: Work, board: Row[Any]) -> Ranking:
    """The schools of a leaderboard, by rank, and the rule."""
    stored = work.db.get(SchoolBoard, board.with_entries)
    if stored is not None:
        return Ranking(stored.best, stored.minimum, _stored(work, board.with_entries))
    settings = work.settings[SchoolsSettings]
    computed = _computed(work, board.with_entries, settings)
    return Ranking(settings.best, settings.minimum, computed)


def _stored(work: Work, board_id: int) -> list[Standing]:
    names = ("rank", "school", "region", "candidates", "counted", "score")
    rows = work.db.execute(
        select(*(getattr(SchoolStanding, name) for name in names))
        .where(SchoolStanding.board_id == board_id)
        .order_by(SchoolStanding.position)
    )
    return [Standing(*row) for row in rows]


def _computed(work: Work, board_id: int, settings: SchoolsSettings) -> list[Standing]:
    """The schools of a leaderboard, from the names of schools in its entries."""
    entries = work.db.execute(
        select(Entry.school, Entry.score).where(Entry.board_id == board_id, Entry.school != ERASED)
    )
    scores: defaultdict[str, list[Decimal]] = defaultdict(list)
    names: dict[str, str] = {}
    for name, score in entries:
        key = name_key(name)
        names.setdefault(key, name)
        scores[key].append(score)
    rows = work.db.execute(select(School.key, School.region))
    regions: dict[str, str] = {key: region for key, region in rows}
    sums = [
        (sum(nlargest(settings.best, each), Decimal()), key, len(each))
        for key, each in scores.items()
        if len(each) >= settings.minimum
    ]
    sums.sort(key=lambda each: (-each[0], each[1]))
    standings: list[Standing] = []
    for place, (score, key, count) in enumerate(sums, start=1):
        before = standings[-1] if standings else None
        rank = before.rank if before is not None and before.score == score else place
        counted = min(settings.best, count)
        region = regions.get(key, "")
        standings.append(Standing(rank, names[key], region, count, counted, score))
    return standings
