"""Publish leaderboards: write a snapshot in one transaction, with one INSERT per board."""

from collections.abc import Collection, Iterable

from sqlalchemy import ColumnElement, case, func, insert, literal, or_, select, update

from competition.core.database import over_sets
from competition.core.seasons import current as seasons
from competition.core.seasons.models import CURRENT_ID
from competition.core.users.models import Candidate
from competition.core.users.personal_data import ERASED
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.leaderboard.events import BoardPublished
from competition.plugins.leaderboard.models import Board, Entry, Publication, Snapshot
from competition.plugins.leaderboard.services import personal_data, ranking
from competition.plugins.scores.services import ending
from competition.plugins.scores.services.rounding import average_in_sql

# Name of the lock that a transaction takes until its commit, before it publishes boards or changes
# scheduled publications.
LOCK = "leaderboard.publish"


def publish(work: Work, season_ids: Collection[int] | None = None) -> None:
    """Write a snapshot with new boards of all exams that are over (decisions L5 to L8).

    An exam is over if no candidate can start or submit it any longer. Exams with a scheduled
    publication keep the board they have, if any (decisions L14). If `season_ids` is given, and none
    of these seasons is current, nothing is written.
    """
    work.lock(seasons.LOCK)
    if season_ids is not None and seasons.current(work).id not in season_ids:
        return
    work.lock(LOCK)
    scheduled = select(Publication.exam_id).where(Publication.status == "scheduled")
    among = Exam.id.not_in(scheduled)
    _write(work, ending.seal_and_score(work, among, Exam.is_current), ~among)


def publish_exams(work: Work, exam_ids: Collection[int]) -> set[int]:
    """Write a snapshot with new boards for the given exams, except those that are not over.

    All other boards are copied from the previous snapshot. Returns the ids of the published exams.
    If there are none, no snapshot is written.
    """
    work.lock(seasons.LOCK)
    work.lock(LOCK)
    exams = ending.seal_and_score(work, Exam.id.in_(exam_ids), Exam.is_current)
    published = {exam.id for exam in exams}
    if published:
        _write(work, exams, Exam.id.not_in(published))
    return published


def _write(work: Work, exams: Iterable[Exam], copied: ColumnElement[bool]) -> None:
    """Write a snapshot with new boards of these exams.

    The boards of exams that meet the condition `copied` are copied from the previous snapshot, if
    it has them.
    """
    latest = select(func.max(Snapshot.id)).where(Snapshot.season_id == CURRENT_ID).scalar_subquery()
    before = work.db.scalars(
        select(Board)
        .join(Exam, Exam.id == Board.exam_id)
        .where(Board.snapshot_id == latest, Exam.deleted_at.is_(None), Exam.is_current, copied)
    ).all()
    snapshot = Snapshot(published_at=work.now)
    work.db.add(snapshot)
    work.db.flush()
    new = {_board(snapshot, exam): exam for exam in exams}
    work.db.add_all([*new, *(_copy(snapshot, board) for board in before)])
    work.db.flush()
    for board, exam in new.items():
        _rank(work, board, exam)
    # All readers see the new snapshot from the commit on (decisions L10).
    work.emit(BoardPublished(work, snapshot.id))


def _board(snapshot: Snapshot, exam: Exam) -> Board:
    return Board(
        snapshot_id=snapshot.id,
        stage=exam.stage,
        round=exam.round,
        exam_id=exam.id,
        exam_title=exam.title,
        scheduled_date=exam.scheduled_date,
        concluded_at=exam.closes_at,
        ranking=exam.ranking,
        total_questions=exam.question_count,
        total_candidates=0,
        average_score=0,
    )


def _copy(snapshot: Snapshot, board: Board) -> Board:
    own = ("id", "snapshot_id", "copy_of")
    names = [each.name for each in Board.__table__.columns if each.name not in own]
    fields = {name: getattr(board, name) for name in names}
    return Board(snapshot_id=snapshot.id, copy_of=board.with_entries, **fields)


def _rank(work: Work, board: Board, exam: Exam) -> None:
    """Write the entries of a board, ranked by the policy of its exam. Deactivated candidates are
    left out."""
    scores = ranking.scored(exam)
    full_name = Candidate.first_name + " " + Candidate.last_name
    is_forgotten = personal_data.is_forgotten(work, literal(board.concluded_at))
    is_nameless = or_(Candidate.last_name == ERASED, is_forgotten)
    submitted_at = func.coalesce(scores.c.submitted_at, scores.c.recorded_at)
    columns = {
        "board_id": literal(board.id),
        "position": func.row_number().over(order_by=ranking.in_order(scores)),
        "rank": ranking.rank(exam, scores),
        "candidate_number": Candidate.number,
        "user_id": Candidate.id,
        "full_name": case((is_nameless, ERASED), else_=full_name),
        "school": Candidate.counted_school,
        "role": Candidate.role,
        "score": scores.c.value,
        "seconds_used": scores.c.seconds_used,
        "is_auto": scores.c.is_auto,
        "participated_at": case((scores.c.is_auto, submitted_at), else_=scores.c.recorded_at),
    }
    entries = select(*columns.values()).join(scores, scores.c.candidate_id == Candidate.id)
    ranked = entries.where(Candidate.is_ranked)
    with over_sets(work.db):
        work.db.execute(insert(Entry).from_select(list(columns), ranked))
    board.total_candidates, board.average_score = work.db.execute(
        select(func.count(), func.coalesce(average_in_sql(Entry.score), 0)).where(
            Entry.board_id == board.id
        )
    ).one()


def move_to_season(work: Work, from_id: int, into_id: int) -> None:
    """Move the snapshots of the season `from_id` into the season `into_id`.

    Then write a new snapshot with copies of the latest boards of both seasons, because the latest
    snapshot of each has only its own boards. Nobody is notified, because no board has changed. If
    there are no snapshots to move, nothing is written.
    """
    latest = (
        select(func.max(Snapshot.id))
        .where(Snapshot.season_id.in_((from_id, into_id)))
        .group_by(Snapshot.season_id)
    )
    shown = work.db.scalars(latest).all()
    moved = work.db.scalars(
        update(Snapshot)
        .where(Snapshot.season_id == from_id)
        .values(season_id=into_id)
        .returning(Snapshot.id),
        execution_options={"synchronize_session": False},
    ).all()
    if not moved:
        return
    boards = work.db.scalars(
        select(Board)
        .join(Exam, Exam.id == Board.exam_id)
        .where(Board.snapshot_id.in_(shown), Exam.deleted_at.is_(None))
    ).all()
    snapshot = Snapshot(published_at=work.now, season_id=into_id)
    work.db.add(snapshot)
    work.db.flush()
    work.db.add_all(_copy(snapshot, board) for board in boards)
    work.db.flush()
