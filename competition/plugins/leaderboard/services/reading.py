"""Reading the latest snapshot, and earlier ones for staff: boards, their entries, a candidate's
answers."""

from collections.abc import Collection, Sequence
from uuid import UUID

from sqlalchemy import ColumnElement, and_, bindparam, func, or_, select

from competition.core import flags
from competition.core.auth.access import CandidateRole
from competition.core.errors import Invalid, NotFound, PermissionDenied
from competition.core.users.models import Candidate
from competition.core.web.pagination import Page, Query, page_bounds
from competition.core.work import Work
from competition.plugins.exams.models import STAGES
from competition.plugins.exams.services import papers
from competition.plugins.leaderboard import VISIBLE
from competition.plugins.leaderboard.errors import LeaderboardHidden, LeaderboardNotPublished
from competition.plugins.leaderboard.models import Board, Entry, Performance, Snapshot
from competition.plugins.scores.services import keys
from competition.plugins.sittings.models import Submission
from competition.plugins.sittings.services import sealing

TOP_RANKS_SHOWN_APART = 3
# The first ones of a board, and a page of the others.
ENTRIES = (
    select(Entry)
    .where(
        Entry.board_id == bindparam("board_id"),
        or_(
            Entry.position <= TOP_RANKS_SHOWN_APART,
            and_(Entry.position > bindparam("first"), Entry.position <= bindparam("last")),
        ),
    )
    .order_by(Entry.position)
)
LATEST = select(func.max(Snapshot.id)).scalar_subquery()


def summary(work: Work, query: Query) -> tuple[Snapshot, list[Board]]:
    """The boards that the caller may read, of the latest snapshot or, for staff, of the one asked
    for.

    Raises LeaderboardHidden, PermissionDenied, LeaderboardNotPublished, NotFound.
    """
    _check_visible(work)
    snapshot = _snapshot(work, query["snapshot"])
    boards = work.db.scalars(select(Board).where(Board.snapshot_id == snapshot.id))
    readable = [board for board in boards if _may_read(work, board.stage)]
    return snapshot, sorted(readable, key=lambda each: (STAGES.index(each.stage), each.round))


def board(work: Work, query: Query) -> tuple[Board, Sequence[Entry], Page[Entry]]:
    """A board by ``exam_id``, or by ``stage`` and ``round``; its first three, and a page of the
    rest.

    Raises Invalid, LeaderboardHidden, PermissionDenied, LeaderboardNotPublished, NotFound.
    """
    _check_visible(work)
    found = _asked_for(work, query)
    others = max(0, found.total_candidates - TOP_RANKS_SHOWN_APART)
    number, size = page_bounds(query, others)
    first = TOP_RANKS_SHOWN_APART + (number - 1) * size
    shown = work.db.scalars(
        ENTRIES, {"board_id": found.with_entries, "first": first, "last": first + size}
    ).all()
    rest = Page(shown[TOP_RANKS_SHOWN_APART:], others, number, size)
    return found, shown[:TOP_RANKS_SHOWN_APART], rest


def performance(work: Work, stage: str, round: str, candidate_id: str) -> Performance:
    """`candidate_id` is the candidate's number or the user's UUID (decisions A1).

    Raises Invalid, LeaderboardHidden, PermissionDenied, LeaderboardNotPublished, NotFound.
    """
    if stage not in STAGES:
        raise Invalid.field("stage", f"This has to be one of: {', '.join(STAGES)}.")
    _check_visible(work)
    is_candidate = _entry_of(candidate_id)
    if not round.isascii() or not round.isdigit() or len(round) > 9 or is_candidate is None:
        raise NotFound
    _check_may_read(work, stage)
    if _is_screening_candidate(work) and not _is_own(work, candidate_id):
        raise PermissionDenied
    found = _board_of(work, (Board.stage == stage) & (Board.round == int(round)))
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
        is_theirs = Candidate.number == int(candidate_id)
        user_id = select(Candidate.id).where(is_theirs).scalar_subquery()
        return Entry.user_id == user_id if len(candidate_id) < 10 else None
    try:
        return Entry.user_id == UUID(candidate_id)
    except ValueError:
        return None


def _asked_for(work: Work, query: Query) -> Board:
    stage, round = query["stage"], query["round"]
    if query["exam_id"] is not None:
        found = _board_of(work, Board.exam_id == query["exam_id"], query["snapshot"])
        _check_may_read(work, found.stage)
        return found
    if stage is None or round is None:
        missing = "stage" if stage is None else "round"
        raise Invalid.field(missing, "Give both the stage and the round.")
    _check_may_read(work, stage)
    is_wanted = (Board.stage == stage) & (Board.round == round)
    return _board_of(work, is_wanted, query["snapshot"])


def _board_of(work: Work, condition: ColumnElement[bool], snapshot_id: int | None = None) -> Board:
    _check_may_choose(work, snapshot_id)
    wanted = LATEST if snapshot_id is None else snapshot_id
    found = work.db.scalar(select(Board).where(Board.snapshot_id == wanted, condition))
    if found is None:
        # What is missing: the board, or the snapshot?
        _snapshot(work, snapshot_id)
        raise NotFound("There is no such leaderboard.")
    return found


def published(work: Work, exam_ids: Collection[int]) -> set[int]:
    """Those of these exams that have a board now."""
    boards = select(Board.exam_id).where(Board.snapshot_id == LATEST, Board.exam_id.in_(exam_ids))
    return set(work.db.scalars(boards))


def _snapshot(work: Work, snapshot_id: int | None) -> Snapshot:
    """The latest one without an id. Raises LeaderboardNotPublished, NotFound, PermissionDenied."""
    _check_may_choose(work, snapshot_id)
    snapshots = select(Snapshot).order_by(Snapshot.id.desc()).limit(1)
    if snapshot_id is not None:
        snapshots = snapshots.where(Snapshot.id == snapshot_id)
    snapshot = work.db.scalar(snapshots)
    if snapshot is None:
        raise LeaderboardNotPublished if snapshot_id is None else NotFound
    return snapshot


def _check_may_choose(work: Work, snapshot_id: int | None) -> None:
    """An earlier snapshot is staff's to read: what it shows may have been wrong."""
    if snapshot_id is not None and work.identity.kind == "candidate":
        raise PermissionDenied


def _check_visible(work: Work) -> None:
    if work.identity.kind == "candidate" and not flags.enabled(work, VISIBLE):
        raise LeaderboardHidden


def _is_screening_candidate(work: Work) -> bool:
    identity = work.identity
    return identity.kind == "candidate" and identity.role == CandidateRole.SCREENING


def _may_read(work: Work, stage: str) -> bool:
    return not _is_screening_candidate(work) or stage == CandidateRole.SCREENING


def _check_may_read(work: Work, stage: str) -> None:
    if not _may_read(work, stage):
        raise PermissionDenied
