"""Read leaderboards: boards, their entries, and a candidate's answers.

Candidates read the latest snapshot. Staff can also read earlier snapshots.
"""

from collections.abc import Collection, Sequence
from operator import attrgetter
from threading import Lock
from typing import Any
from uuid import UUID

from cachetools import TTLCache, cachedmethod
from sqlalchemy import (
    ColumnElement,
    Integer,
    Row,
    Select,
    and_,
    bindparam,
    case,
    func,
    or_,
    select,
    true,
)

from competition.core import flags
from competition.core.auth.access import CandidateRole
from competition.core.database import ONE_ROW
from competition.core.errors import Invalid, NotFound, PermissionDenied
from competition.core.flags import Flag
from competition.core.lists import Page, Query, contains_every_word, page_bounds, paginate
from competition.core.messages import Message
from competition.core.seasons import current as seasons
from competition.core.seasons.models import CURRENT_ID
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.exams.models import STAGES, Exam
from competition.plugins.exams.services import papers
from competition.plugins.leaderboard import VISIBLE, VISIBLE_BY_DEFAULT
from competition.plugins.leaderboard.errors import LeaderboardHidden, LeaderboardNotPublished
from competition.plugins.leaderboard.models import (
    TOP_RANKS_SHOWN_APART,
    Board,
    BoardPage,
    Entry,
    Performance,
    Published,
    Snapshot,
    Summary,
)
from competition.plugins.scores.services import keys
from competition.plugins.sittings.models import Submission
from competition.plugins.sittings.services import withholding

# The most digits that a round or a candidate's number may have, so that it fits into an integer of
# PostgreSQL.
LONGEST_NUMBER = 9
# How many pages of boards a process caches, and for how many seconds.
CACHED_PAGES = 256
CACHED_FOR = 60
NO_BOARD = Message(
    "There is no leaderboard for these values. Choose one of the available leaderboards."
)

SNAPSHOT_ORDERING = {"snapshot_id": Snapshot.id, "published_at": Snapshot.published_at}

# The tables rather than the classes, because SQLAlchemy reads their rows faster, and thousands of
# clients read a board in a minute.
BOARDS, SNAPSHOTS = (Board.metadata.tables[name] for name in ("board", "snapshot"))
# The season that the query names: by an exam or by its id. Without either, the current season.
SEASON = func.coalesce(
    select(Exam.season_id)
    .where(Exam.id == bindparam("exam_id", type_=Integer()))
    .scalar_subquery(),
    bindparam("season", type_=Integer()),
    CURRENT_ID,
)
LATEST = select(func.max(SNAPSHOTS.c.id)).where(SNAPSHOTS.c.season_id == SEASON).scalar_subquery()
# The snapshot that the query names, or the latest snapshot of the season.
WANTED = func.coalesce(bindparam("snapshot", type_=Integer()), LATEST)
# Whether the snapshot is of a closed season.
IS_CLOSED = (SNAPSHOTS.c.season_id != CURRENT_ID).label("is_closed")
# Whether staff have switched the flag `VISIBLE` on; null until they switch it for the first time.
SWITCHED = select(Flag.enabled).where(Flag.name == VISIBLE).scalar_subquery().label("switched")


def _boards(*conditions: ColumnElement[bool]) -> Select[Any]:
    """SELECT of the wanted snapshot, joined to its boards that meet the conditions. The rows have
    the attributes of a Board.

    If no board meets the conditions, there is one row, whose `id` is None.
    """
    is_of_snapshot = and_(BOARDS.c.snapshot_id == SNAPSHOTS.c.id, *conditions)
    with_entries = func.coalesce(BOARDS.c.copy_of, BOARDS.c.id).label("with_entries")
    snapshot = (SNAPSHOTS.c.id.label("wanted_id"), SNAPSHOTS.c.published_at, IS_CLOSED)
    boards = select(*snapshot, *BOARDS.c, with_entries, SWITCHED)
    return boards.outerjoin_from(SNAPSHOTS, BOARDS, is_of_snapshot).where(SNAPSHOTS.c.id == WANTED)


# If a stage and round has several exams, the exam with the latest date counts, and among equal
# dates the exam with the highest id (decisions G6).
NEWEST_FIRST = (BOARDS.c.scheduled_date.desc(), BOARDS.c.exam_id.desc())
SUMMARY = _boards().order_by(
    case({stage: place for place, stage in enumerate(STAGES)}, value=BOARDS.c.stage),
    BOARDS.c.round,
    *NEWEST_FIRST,
)
BOARD_BY_EXAM = _boards(BOARDS.c.exam_id == bindparam("exam_id"))
BOARD_BY_ROUND = (
    _boards(BOARDS.c.stage == bindparam("stage"), BOARDS.c.round == bindparam("round"))
    .order_by(*NEWEST_FIRST)
    .limit(ONE_ROW)
)
# The columns of an entry that a ranking shows.
SHOWN: tuple[Any, ...] = (
    Entry.rank,
    Entry.candidate_number,
    Entry.user_id,
    Entry.full_name,
    Entry.school,
    Entry.role,
    Entry.score,
    Entry.seconds_used,
)
ENTRIES = (
    select(*SHOWN)
    .where(
        Entry.board_id == bindparam("board_id"),
        or_(
            Entry.position <= TOP_RANKS_SHOWN_APART,
            Entry.position.between(bindparam("first"), bindparam("last")),
        ),
    )
    .order_by(Entry.position)
)


class BoardPages:
    """Cache of the pages of boards that were read last. Each process has one.

    Thousands of candidates read the same pages after a publication. Entries never change, except
    when a name is erased; readers see that within `CACHED_FOR` seconds. A new board has a new id,
    so readers see a publication at once.
    """

    def __init__(self) -> None:
        self.cache: TTLCache[tuple[int, int, int], Sequence[Row[Any]]] = TTLCache(
            CACHED_PAGES, CACHED_FOR
        )
        self.lock = Lock()

    @cachedmethod(attrgetter("cache"), key=lambda self, work, *page: page, lock=attrgetter("lock"))
    def entries(self, work: Work, board_id: int, number: int, size: int) -> Sequence[Row[Any]]:
        """The first three entries of a board, then the entries of the page."""
        first = TOP_RANKS_SHOWN_APART + 1 + (number - 1) * size
        on_page = {"board_id": board_id, "first": first, "last": first + size - 1}
        return work.db.execute(ENTRIES, on_page).all()


def summary(work: Work, query: Query) -> Summary:
    """The boards that the caller may read, one per stage and round.

    They are from the latest snapshot. The query of a member of staff may name another snapshot.

    Raises LeaderboardHidden for a candidate while boards are hidden from candidates, and
    PermissionDenied if a candidate names a snapshot. Raises LeaderboardNotPublished if there is no
    snapshot yet, and NotFound if the named snapshot does not exist.
    """
    seasons.check(work, query["season"])
    known = {"snapshot": query["snapshot"], "season": query["season"], "exam_id": None}
    rows = work.db.execute(SUMMARY, known).all()
    _check_readable(work, rows[0] if rows else None, query["snapshot"])
    if not rows:
        raise LeaderboardNotPublished if query["snapshot"] is None else NotFound
    boards: dict[tuple[str, int], Row[Any]] = {}
    readable = _readable_of_closed(work, rows)
    for row in rows:
        if row.id is not None and row.id in readable:
            boards.setdefault((row.stage, row.round), row)
    return Summary(rows[0].wanted_id, rows[0].published_at, [*boards.values()])


def board(work: Work, query: Query) -> BoardPage:
    """A page of the board that the query names by ``exam_id``, or by ``stage`` and ``round``.

    Raises Invalid if the query names no board, and PermissionDenied if the caller may not read this
    stage. Raises NotFound if there is no such board or page. Also raises the errors of `summary`.
    """
    found = _requested_board(work, query)
    others = max(0, found.total_candidates - TOP_RANKS_SHOWN_APART)
    number, size = page_bounds(query, others)
    pages = work.runtime.part(BoardPages)
    entries = pages.entries(work, found.with_entries, number, size)
    top, rest = entries[:TOP_RANKS_SHOWN_APART], entries[TOP_RANKS_SHOWN_APART:]
    return BoardPage(found, top, Page(rest, others, number, size))


def named_board(
    work: Work, stage: str, round: str, exam_id: int | None, season_id: int | None
) -> Row[Any]:
    """The latest board of a stage and round, in the current season by default.

    `season_id` names another season. `exam_id` selects one of several exams with this stage and
    round, in any season.

    Raises Invalid for an unknown stage or season, NotFound if there is no such board, and the
    errors of `board`.
    """
    _check_stage(stage)
    _check_readable(work)
    number = _number(round)
    if exam_id is None and season_id is None:
        _check_may_read(work, stage)
    found = board_of_round(work, stage, number, exam_id, season_id)
    _check_may_read_board(work, found)
    return found


def performance(
    work: Work,
    stage: str,
    round: str,
    candidate_id: str,
    exam_id: int | None = None,
    season_id: int | None = None,
) -> Performance:
    """A candidate's entry on the latest board of a stage and round, with paper and answers. With
    `exam_id`, on the board of this exam of the stage and round.

    `candidate_id` is the candidate's number or the user's UUID (decisions A1).

    Raises Invalid for an unknown stage or season. Raises PermissionDenied if the caller may not
    read this stage, or names another candidate although the caller is a screening candidate, or a
    candidate who reads a closed season. Raises LeaderboardHidden while boards are hidden from
    candidates, LeaderboardNotPublished if there is no snapshot yet, and NotFound if there is no
    such board or entry.
    """
    _check_stage(stage)
    _check_readable(work)
    number, is_candidate = _number(round), _entry_of(candidate_id)
    if exam_id is None and season_id is None:
        _check_may_read(work, stage)
    if _is_screening_candidate(work) and not _is_own(work, candidate_id):
        raise PermissionDenied
    found = board_of_round(work, stage, number, exam_id, season_id)
    _check_may_read_board(work, found)
    is_reader = work.identity.kind == "candidate"
    if found.is_closed and is_reader and not _is_own(work, candidate_id):
        raise PermissionDenied
    entry = work.db.scalar(select(Entry).where(Entry.board_id == found.with_entries, is_candidate))
    if entry is None:
        raise NotFound(
            Message(
                "This candidate is not on the leaderboard. Check the candidate and the leaderboard."
            )
        )
    if not entry.is_auto:
        return Performance(found, entry, None, "", (), (), ())
    answers = work.db.scalar(
        select(Submission.answers).where(
            Submission.exam_id == found.exam_id, Submission.candidate_id == entry.user_id
        )
    )
    paper = papers.frozen(work, found.exam_id)
    still_asked = withholding.still_asked(work, found.exam_id)
    asked = paper.question_ids if paper is not None else ()
    return Performance(
        found,
        entry,
        paper,
        answers or "",
        keys.key(work, found.exam_id),
        still_asked,
        withholding.hidden_answers(work, entry.user_id, asked, still_asked),
    )


def board_of_round(
    work: Work,
    stage: str,
    round: int,
    exam_id: int | None = None,
    season_id: int | None = None,
) -> Row[Any]:
    """The latest board of a stage and round, a row with the attributes of a Board. With `exam_id`,
    the board of this exam of the stage and round.

    Raises Invalid for an unknown stage or season, LeaderboardNotPublished if there is no snapshot
    yet, and NotFound if there is no such board.
    """
    _check_stage(stage)
    seasons.check(work, season_id)
    wanted = {
        "snapshot": None,
        "stage": stage,
        "round": round,
        "exam_id": exam_id,
        "season": season_id,
    }
    statement = BOARD_BY_ROUND if exam_id is None else BOARD_BY_EXAM
    found = _existing(work.db.execute(statement, wanted).first())
    if (found.stage, found.round) != (stage, round):
        raise NotFound(NO_BOARD)
    return found


def _check_stage(stage: str) -> None:
    if stage not in STAGES:
        raise Invalid.field(
            "stage", Message("This has to be one of: ${choices}.", choices=[*STAGES])
        )


def _is_own(work: Work, candidate_id: str) -> bool:
    caller = work.db.get_one(Candidate, work.identity.user_id)
    return candidate_id.lower() == str(caller.id) or (
        candidate_id.isdigit() and int(candidate_id) == caller.number
    )


def _number(text: str) -> int:
    """The number that a part of a path has. Raises NotFound if it is none, or too long."""
    if not text.isascii() or not text.isdigit() or len(text) > LONGEST_NUMBER:
        raise NotFound
    return int(text)


def _entry_of(candidate_id: str) -> ColumnElement[bool]:
    """SQL condition on Entry: whether it is of this candidate. Raises NotFound if the id is neither
    a candidate's number nor a UUID."""
    if candidate_id.isascii() and candidate_id.isdigit():
        is_theirs = Candidate.number == _number(candidate_id)
        user_id = select(Candidate.id).where(is_theirs).scalar_subquery()
        return Entry.user_id == user_id
    try:
        return Entry.user_id == UUID(candidate_id)
    except ValueError:
        raise NotFound from None


def _requested_board(work: Work, query: Query) -> Row[Any]:
    """The board that the query names. Raises the errors of `board`."""
    stage, exam_id = query["stage"], query["exam_id"]
    if exam_id is None and (stage is None or query["round"] is None):
        _check_readable(work)
        raise Invalid.field(
            "round" if stage else "stage", Message("Give both the stage and the round.")
        )
    seasons.check(work, query["season"])
    wanted = {name: query[name] for name in ("snapshot", "stage", "round", "exam_id", "season")}
    row = work.db.execute(BOARD_BY_ROUND if exam_id is None else BOARD_BY_EXAM, wanted).first()
    _check_readable(work, row, query["snapshot"])
    if exam_id is None and (row is None or not row.is_closed):
        _check_may_read(work, stage)
    found = _existing(row, query["snapshot"])
    _check_may_read_board(work, found)
    return found


def _existing(row: Row[Any] | None, snapshot_id: int | None = None) -> Row[Any]:
    """The row that `_boards` selected, after a check that it is a board.

    Raises LeaderboardNotPublished if there is no snapshot yet, and NotFound if the snapshot that
    the query names does not exist, or has no such board.
    """
    if row is None:
        raise LeaderboardNotPublished if snapshot_id is None else NotFound
    if row.id is None:
        raise NotFound(NO_BOARD)
    return row


def page_of_snapshots(work: Work, query: Query) -> Page[Published]:
    """A page of the snapshots, the newest first, each with the boards that were computed for it.

    With ``exam_id`` or ``search``, only snapshots in which the board of such an exam was computed.
    """
    is_wanted = [Board.copy_of.is_(None), *contains_every_word(query["search"], Board.exam_title)]
    is_of_season = Snapshot.season_id == CURRENT_ID
    if query["exam_id"] is not None:
        is_wanted.append(Board.exam_id == query["exam_id"])
        is_of_season = true()
    if query["season"] is not None:
        seasons.check(work, query["season"])
        is_of_season = Snapshot.season_id == query["season"]
    page = paginate(
        work,
        select(Snapshot).where(
            Snapshot.id.in_(select(Board.snapshot_id).where(*is_wanted)), is_of_season
        ),
        query,
        key=Snapshot.id,
        created=Snapshot.published_at,
        ordering=SNAPSHOT_ORDERING,
    )
    boards = work.db.scalars(
        select(Board)
        .where(Board.copy_of.is_(None), Board.snapshot_id.in_([each.id for each in page.items]))
        .order_by(Board.id)
    ).all()
    return page.map(
        lambda snapshot: Published(
            snapshot.id,
            snapshot.published_at,
            [board for board in boards if board.snapshot_id == snapshot.id],
            snapshot.season_id,
        )
    )


def published(work: Work, exam_ids: Collection[int]) -> set[int]:
    """The ids of the given exams that are published. The newest board of their stage and round may
    be that of another exam."""
    is_published = (Exam.published_at.is_not(None), Exam.deleted_at.is_(None))
    return set(work.db.scalars(select(Exam.id).where(Exam.id.in_(exam_ids), *is_published)))


def _check_readable(
    work: Work, row: Row[Any] | None = None, snapshot_id: int | None = None
) -> None:
    """Check that the caller may read leaderboards, and the snapshot that they name.

    `row` is a row that `_boards` selected, if the caller of this function has one. It has the value
    of the flag that shows boards to candidates, so the flag needs no query of its own.

    Raises LeaderboardHidden for a candidate while boards are hidden from candidates. Raises
    PermissionDenied if a candidate names a snapshot, because earlier snapshots may contain errors.
    """
    if work.identity.kind == "candidate":
        if not (flags.enabled(work, VISIBLE) if row is None else _is_visible(row)):
            raise LeaderboardHidden
        if snapshot_id is not None:
            raise PermissionDenied


def _is_visible(row: Row[Any]) -> bool:
    switched: bool | None = row.switched
    return VISIBLE_BY_DEFAULT if switched is None else switched


def _is_screening_candidate(work: Work) -> bool:
    identity = work.identity
    return identity.kind == "candidate" and identity.role == CandidateRole.SCREENING


def _may_read(work: Work, stage: str) -> bool:
    return not _is_screening_candidate(work) or stage == CandidateRole.SCREENING


def _readable_of_closed(work: Work, rows: Sequence[Row[Any]]) -> set[int]:
    """The ids of the boards among these rows that the caller may read.

    In a closed season, candidates may read the boards of the screening, and the boards that have an
    entry for them.
    """
    boards = [row for row in rows if row.id is not None]
    if work.identity.kind != "candidate" or not any(row.is_closed for row in boards):
        return {row.id for row in boards if _may_read(work, row.stage)}
    stands_on = set(
        work.db.scalars(
            select(Entry.board_id).where(
                Entry.user_id == work.identity.user_id,
                Entry.board_id.in_([row.with_entries for row in boards]),
            )
        )
    )
    return {
        row.id
        for row in boards
        if row.stage == CandidateRole.SCREENING or row.with_entries in stands_on
    }


def _check_may_read_board(work: Work, found: Row[Any]) -> None:
    """Raise PermissionDenied if the caller may not read this board."""
    if found.id not in _readable_of_closed(work, [found]):
        raise PermissionDenied


def _check_may_read(work: Work, stage: str) -> None:
    if not _may_read(work, stage):
        raise PermissionDenied
