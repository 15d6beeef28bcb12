"""Reading the latest snapshot, and earlier ones for staff: boards, their entries, a candidate's
answers."""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Integer,
    Row,
    Select,
    String,
    and_,
    any_,
    bindparam,
    cast,
    func,
    select,
)

from competition.core import flags
from competition.core.auth.access import CandidateRole
from competition.core.errors import ApiError, Invalid, NotFound, PermissionDenied
from competition.core.kept import state
from competition.core.users.models import Candidate
from competition.core.web.pagination import Page, Query, page_bounds, page_size
from competition.core.work import Read, Work
from competition.plugins.exams.models import STAGES
from competition.plugins.exams.services import papers
from competition.plugins.leaderboard import VISIBLE
from competition.plugins.leaderboard.errors import LeaderboardHidden, LeaderboardNotPublished
from competition.plugins.leaderboard.models import (
    TOP_RANKS_SHOWN_APART,
    Board,
    BoardPage,
    Entry,
    Performance,
    Snapshot,
    Summary,
)
from competition.plugins.scores.services import keys
from competition.plugins.sittings.models import Submission
from competition.plugins.sittings.services import sealing

# Digits of a candidate's number: more are beyond PostgreSQL's integers.
LONGEST_NUMBER = 9
# The first ones of a board, and a page of the others. How many positions there are is nothing that
# PostgreSQL plans by: it does not plan anew each time. As a text, which psycopg sends as it is; a
# list it looks through, number by number.
ARE_SHOWN = Entry.position == any_(cast(bindparam("positions", type_=String()), ARRAY(Integer)))
LATEST = select(func.max(Snapshot.id)).scalar_subquery()
# Of a board, in the summary.
_OF_SUMMARY = (
    Board.stage,
    Board.round,
    Board.exam_id,
    Board.exam_title,
    Board.total_candidates,
    Board.average_score,
)


def first_read(query: Query) -> Read | None:
    """What `summary` and `board` read first; None for half a question."""
    stage, round, exam_id = query["stage"], query["round"], query["exam_id"]
    if stage is None and round is None and exam_id is None:
        return _summary_read(query)
    if exam_id is None and (stage is None or round is None):
        return None
    form = query["snapshot"] is not None, exam_id is not None
    asked = {name: query[name] for name in ("snapshot", "stage", "round", "exam_id")}
    return Read(_asked, form, {**asked, "positions": _positions(query)})


def _summary_read(query: Query) -> Read:
    return Read(_boards, (query["snapshot"] is not None,), {"snapshot": query["snapshot"]})


def _positions(query: Query) -> str:
    """As PostgreSQL writes an array."""
    first = 1 + TOP_RANKS_SHOWN_APART + (query["page"] - 1) * page_size(query)
    shown = (*range(1, 1 + TOP_RANKS_SHOWN_APART), *range(first, first + page_size(query)))
    return f"{{{','.join(map(str, shown))}}}"


def _wanted(is_named: bool) -> ColumnElement[int]:
    """The snapshot that is asked for, or the latest."""
    return bindparam("snapshot", type_=Integer()) if is_named else LATEST


def summary(work: Work, query: Query) -> Summary:
    """The boards that the caller may read, of the latest snapshot or, for staff, of the one asked
    for.

    Raises LeaderboardHidden, PermissionDenied, LeaderboardNotPublished, NotFound.
    """
    rows = work.read(_summary_read(query))
    _check_readable(work, rows, query["snapshot"])
    if not rows:
        raise LeaderboardNotPublished if query["snapshot"] is None else NotFound
    # A snapshot without boards is one row without a board.
    readable = [row for row in rows if row.stage and _may_read(work, row.stage)]
    in_order = sorted(readable, key=lambda each: (STAGES.index(each.stage), each.round))
    return Summary(rows[0].snapshot_id, rows[0].published_at, in_order)


def _boards(work: Work, is_named: bool) -> Select[Any]:
    snapshot = Snapshot.id.label("snapshot_id"), Snapshot.published_at
    columns: tuple[Any, ...] = (*snapshot, *_OF_SUMMARY, flags.is_on(work, VISIBLE))
    return select(*columns).outerjoin_from(Snapshot, Board).where(Snapshot.id == _wanted(is_named))


def board(work: Work, query: Query) -> BoardPage:
    """A page of a board by ``exam_id``, or by ``stage`` and ``round``.

    Raises Invalid, LeaderboardHidden, PermissionDenied, LeaderboardNotPublished, NotFound.
    """
    row = _asked_for(work, query)
    others = max(0, row.total_candidates - TOP_RANKS_SHOWN_APART)
    number, size = page_bounds(query, others)

    def load() -> tuple[Board, Sequence[Entry]]:
        entries = select(Entry).where(Entry.board_id == row.with_entries, ARE_SHOWN)
        on_page = {"positions": _positions(query)}
        shown = work.db.scalars(entries.order_by(Entry.position), on_page).all()
        return work.db.get_one(Board, row.id), shown

    return BoardPage((row.id, number, size, row.state), load, Page((), others, number, size))


def _asked(work: Work, is_named: bool, by_exam: bool) -> Select[Any]:
    """The board that is asked for, without loading it, and the state of a page of it."""
    of_board = select(state(Entry.position, Entry, Board)).where(
        Entry.board_id == Board.with_entries, ARE_SHOWN
    )
    is_of_round = and_(Board.stage == bindparam("stage"), Board.round == bindparam("round"))
    is_asked = Board.exam_id == bindparam("exam_id") if by_exam else is_of_round
    with_entries = Board.with_entries.label("with_entries")
    columns = Board.id, with_entries, Board.stage, Board.total_candidates
    state_of_page = of_board.scalar_subquery().label("state")
    asked = select(*columns, flags.is_on(work, VISIBLE), state_of_page)
    return asked.where(Board.snapshot_id == _wanted(is_named), is_asked)


def performance(work: Work, stage: str, round: str, candidate_id: str) -> Performance:
    """`candidate_id` is the candidate's number or the user's UUID (decisions A1).

    Raises Invalid, LeaderboardHidden, PermissionDenied, LeaderboardNotPublished, NotFound.
    """
    if stage not in STAGES:
        raise Invalid.field("stage", f"This has to be one of: {', '.join(STAGES)}.")
    _check_readable(work)
    is_candidate = _entry_of(candidate_id)
    if not round.isascii() or not round.isdigit() or len(round) > 9 or is_candidate is None:
        raise NotFound
    _check_may_read(work, stage)
    if _is_screening_candidate(work) and not _is_own(work, candidate_id):
        raise PermissionDenied
    is_asked = (Board.stage == stage) & (Board.round == int(round))
    asked = select(Board).where(Board.snapshot_id == LATEST, is_asked)
    found = work.db.scalar(asked)
    if found is None:
        missing = _missing(work)
        found = work.db.scalar(asked)
        if found is None:
            raise missing
    entry = work.db.scalar(select(Entry).where(Entry.board_id == found.with_entries, is_candidate))
    if entry is None:
        raise NotFound("This candidate is not on the leaderboard.")
    if not entry.is_auto:
        return Performance(found, entry, None, "", (), ())
    answers = work.db.scalar(
        select(Submission.answers).where(
            Submission.exam_id == found.exam_id, Submission.candidate_id == entry.user_id
        )
    )
    return Performance(
        found,
        entry,
        papers.frozen(work, found.exam_id),
        answers or "",
        keys.key(work, found.exam_id),
        sealing.still_asked(work, found.exam_id),
    )


def _is_own(work: Work, candidate_id: str) -> bool:
    caller = work.db.get_one(Candidate, work.identity.user_id)
    return candidate_id.lower() == str(caller.id) or (
        candidate_id.isdigit() and int(candidate_id) == caller.number
    )


def _entry_of(candidate_id: str) -> ColumnElement[bool] | None:
    if candidate_id.isascii() and candidate_id.isdigit():
        if len(candidate_id) > LONGEST_NUMBER:
            return None
        is_theirs = Candidate.number == int(candidate_id)
        user_id = select(Candidate.id).where(is_theirs).scalar_subquery()
        return Entry.user_id == user_id
    try:
        return Entry.user_id == UUID(candidate_id)
    except ValueError:
        return None


def _asked_for(work: Work, query: Query) -> Row[Any]:
    stage, exam_id = query["stage"], query["exam_id"]
    read = first_read(query)
    if read is None:
        _check_readable(work)
        raise Invalid.field("round" if stage else "stage", "Give both the stage and the round.")
    rows = work.read(read)
    _check_readable(work, rows, query["snapshot"])
    if exam_id is None:
        _check_may_read(work, stage)
    if not rows:
        missing = _missing(work, query["snapshot"])
        # Which may have been published since.
        rows = work.read(read)
        if not rows:
            raise missing
    _check_may_read(work, rows[0].stage)
    return rows[0]


def _missing(work: Work, snapshot_id: int | None = None) -> ApiError:
    """What is missing: the board, or the snapshot?"""
    snapshots = select(Snapshot.id).where(Snapshot.id == _wanted(snapshot_id is not None))
    if work.db.scalar(snapshots, {"snapshot": snapshot_id}) is not None:
        return NotFound("There is no such leaderboard.")
    return LeaderboardNotPublished() if snapshot_id is None else NotFound()


def published(work: Work, exam_ids: Collection[int]) -> set[int]:
    """Those of these exams that have a board now."""
    boards = select(Board.exam_id).where(Board.snapshot_id == LATEST, Board.exam_id.in_(exam_ids))
    return set(work.db.scalars(boards))


def _check_readable(work: Work, found: Sequence[Any] = (), snapshot_id: int | None = None) -> None:
    """Rows that were found tell the flag, too. An earlier snapshot is staff's to read: what it
    shows may have been wrong."""
    if work.identity.kind == "candidate":
        if not (found[0]._mapping[VISIBLE] if found else flags.enabled(work, VISIBLE)):
            raise LeaderboardHidden
        if snapshot_id is not None:
            raise PermissionDenied


def _is_screening_candidate(work: Work) -> bool:
    identity = work.identity
    return identity.kind == "candidate" and identity.role == CandidateRole.SCREENING


def _may_read(work: Work, stage: str) -> bool:
    return not _is_screening_candidate(work) or stage == CandidateRole.SCREENING


def _check_may_read(work: Work, stage: str) -> None:
    if not _may_read(work, stage):
        raise PermissionDenied
