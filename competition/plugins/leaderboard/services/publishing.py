"""Publication: one transaction writes everything, by statements over whole boards."""

from collections.abc import Collection, Iterable

from sqlalchemy import ColumnElement, case, func, insert, literal, or_, select, update

from competition.core.users import names
from competition.core.users.models import Candidate
from competition.core.users.personal_data import ERASED
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.leaderboard.events import BoardPublished
from competition.plugins.leaderboard.models import Board, Entry, Publication, Snapshot
from competition.plugins.leaderboard.services import ranking
from competition.plugins.scores.models import Score
from competition.plugins.scores.services import ending
from competition.plugins.sittings.models import Submission

# Who publishes, or changes what is to be published, holds it until the commit.
LOCK = "leaderboard.publish"


def publish(work: Work) -> None:
    """Write a snapshot of every stage and round that is over for good (decisions L5 to L8). Exams
    whose publication is scheduled are left as they are (decisions L14)."""
    work.hold(LOCK)
    scheduled = select(Publication.exam_id).where(Publication.status == "scheduled")
    among = Exam.id.not_in(scheduled)
    _write(work, ending.seal_and_score(work, among), ~among)


def publish_exams(work: Work, exam_ids: Collection[int]) -> set[int]:
    """Write a snapshot with new boards of those of these exams that are over for good, beside the
    boards there are; returns which they are. None: nothing is written."""
    work.hold(LOCK)
    exams = ending.seal_and_score(work, Exam.id.in_(exam_ids))
    published = {exam.id for exam in exams}
    if published:
        _write(work, exams, Exam.id.not_in(published))
    return published


def _write(work: Work, exams: Iterable[Exam], kept: ColumnElement[bool]) -> None:
    """Write a snapshot: new boards of these exams, and those of the one before of exams that `kept`
    holds for."""
    latest = select(func.max(Snapshot.id)).scalar_subquery()
    before = work.db.scalars(
        select(Board)
        .join(Exam, Exam.id == Board.exam_id)
        .where(Board.snapshot_id == latest, Exam.deleted_at.is_(None), kept)
    ).all()
    snapshot = Snapshot(published_at=work.now)
    work.db.add(snapshot)
    work.db.flush()
    new = [_board(snapshot, exam) for exam in exams]
    copies = {_copy(snapshot, board): board.id for board in before}
    boards = _latest([*new, *copies])
    work.db.add_all(boards)
    work.db.flush()
    _rank(work, [board.id for board in boards if board not in copies])
    for board in boards:
        if board in copies:
            _copy_entries(work, copies[board], board.id)
    # Publishing switches readers at once (decisions L10).
    work.show_at_once()
    work.emit(BoardPublished(work, snapshot.id))


def _latest(boards: Iterable[Board]) -> list[Board]:
    """One board for each stage and round: the later date wins, then the higher id of the exam
    (decisions G6)."""
    in_order = sorted(boards, key=lambda board: (board.scheduled_date, board.exam_id))
    return list({(board.stage, board.round): board for board in in_order}.values())


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
    names = [
        each.name for each in Board.__table__.columns if each.name not in ("id", "snapshot_id")
    ]
    return Board(snapshot_id=snapshot.id, **{name: getattr(board, name) for name in names})


def _copy_entries(work: Work, source: int, board_id: int) -> None:
    names = [each.name for each in Entry.__table__.columns if each.name != "board_id"]
    columns = [literal(board_id), *(getattr(Entry, name) for name in names)]
    copied = select(*columns).where(Entry.board_id == source)
    work.db.execute(insert(Entry).from_select(["board_id", *names], copied))


def _rank(work: Work, board_ids: Collection[int]) -> None:
    """Write the entries of the boards, each by the ranking of its exam. Inside a tie the earlier
    submission comes first, then the name, then the id. Deactivated candidates are left out."""
    full_name = Candidate.first_name + " " + Candidate.last_name
    is_nameless = or_(Candidate.last_name == ERASED, names.is_forgotten(work, Exam.closes_at))
    submitted_at = func.coalesce(Submission.submitted_at, Score.recorded_at)
    in_order = (*ranking.best_first(), submitted_at, full_name, Candidate.id)
    position = func.row_number().over(partition_by=Board.id, order_by=in_order)
    columns = {
        "board_id": Board.id,
        "position": position,
        "rank": ranking.rank(Board.id),
        "candidate_number": Candidate.number,
        "user_id": Candidate.id,
        "full_name": case((is_nameless, ERASED), else_=full_name),
        "school": Candidate.school,
        "role": Candidate.role,
        "score": Score.value,
        "seconds_used": ranking.seconds_used(),
        "is_auto": Score.is_auto,
        "participated_at": case((Score.is_auto, submitted_at), else_=Score.recorded_at),
    }
    ranked = (
        ranking.with_all_that_ranks(select(*columns.values()))
        .join(Board, Board.exam_id == Exam.id)
        .where(Board.id.in_(board_ids), Candidate.is_ranked)
    )
    work.db.execute(insert(Entry).from_select(list(columns), ranked))
    _count(work, board_ids)


def _count(work: Work, board_ids: Collection[int]) -> None:
    totals = (
        select(
            Entry.board_id,
            func.count().label("candidates"),
            func.round(func.avg(Entry.score), 2).label("average"),
        )
        .where(Entry.board_id.in_(board_ids))
        .group_by(Entry.board_id)
        .subquery()
    )
    work.db.execute(
        update(Board)
        .where(Board.id == totals.c.board_id)
        .values(total_candidates=totals.c.candidates, average_score=totals.c.average),
        execution_options={"synchronize_session": False},
    )
