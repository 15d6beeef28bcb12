"""Publication: one transaction writes everything, by statements over whole boards."""

from collections.abc import Iterable

from sqlalchemy import case, func, insert, select, update

from competition.core import audit, flags
from competition.core.errors import PermissionDenied
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.leaderboard import SCORE_PUBLICATION
from competition.plugins.leaderboard.events import BoardPublished
from competition.plugins.leaderboard.models import Board, Entry, Snapshot
from competition.plugins.scores.models import Score
from competition.plugins.scores.services import ending
from competition.plugins.sittings.models import Submission

LOCK = "leaderboard.publish"


def request_publication(work: Work) -> None:
    """Have a snapshot published by a job. Requests that come before it begins are one
    publication."""
    audit.record(work, "leaderboard.publish")
    work.enqueue("leaderboard.publish")


def check_score_publication(work: Work) -> None:
    """Raises PermissionDenied while it is switched off (decisions L13)."""
    if not flags.enabled(work, SCORE_PUBLICATION):
        raise PermissionDenied("The publication of scores is switched off.")


def publish(work: Work) -> None:
    """Write a snapshot of every stage and round that is over for good (decisions L5 to L8)."""
    work.hold(LOCK)
    exams = _latest(ending.seal_and_score(work))
    snapshot = Snapshot(published_at=work.now)
    work.db.add(snapshot)
    work.db.flush()
    work.db.add_all(_board(snapshot, exam) for exam in exams)
    work.db.flush()
    _rank(work, snapshot)
    _count(work, snapshot)
    work.emit(BoardPublished(work, snapshot.id))


def _latest(exams: Iterable[Exam]) -> list[Exam]:
    """One exam for each stage and round: the later date wins, then the higher id (decisions G6)."""
    in_order = sorted(exams, key=lambda exam: (exam.scheduled_date, exam.id))
    return list({(exam.stage, exam.round): exam for exam in in_order}.values())


def _board(snapshot: Snapshot, exam: Exam) -> Board:
    return Board(
        snapshot_id=snapshot.id,
        stage=exam.stage,
        round=exam.round,
        exam_id=exam.id,
        exam_title=exam.title,
        scheduled_date=exam.scheduled_date,
        concluded_at=exam.closes_at,
        total_questions=exam.question_count,
        total_candidates=0,
        average_score=0,
    )


def _rank(work: Work, snapshot: Snapshot) -> None:
    """Write the entries of the boards. Equal scores share a rank; inside a tie the earlier
    submission comes first, then the name, then the id. Deactivated candidates are left out."""
    full_name = Candidate.first_name + " " + Candidate.last_name
    submitted_at = func.coalesce(Submission.submitted_at, Score.recorded_at)
    best_first = Score.value.desc()
    position = func.row_number().over(
        partition_by=Board.id, order_by=(best_first, submitted_at, full_name, Candidate.id)
    )
    rank = func.rank().over(partition_by=Board.id, order_by=best_first)
    columns = {
        "board_id": Board.id,
        "position": position,
        "rank": rank,
        "candidate_number": Candidate.number,
        "user_id": Candidate.id,
        "full_name": full_name,
        "school": Candidate.school,
        "role": Candidate.role,
        "score": Score.value,
        "is_auto": Score.is_auto,
        "participated_at": case((Score.is_auto, submitted_at), else_=Score.recorded_at),
    }
    ranked = (
        select(*columns.values())
        .select_from(Board)
        .join(Score, Score.exam_id == Board.exam_id)
        .join(Candidate, Candidate.id == Score.candidate_id)
        .outerjoin(
            Submission,
            (Submission.exam_id == Score.exam_id) & (Submission.candidate_id == Score.candidate_id),
        )
        .where(Board.snapshot_id == snapshot.id, Candidate.is_active)
    )
    work.db.execute(insert(Entry).from_select(list(columns), ranked))


def _count(work: Work, snapshot: Snapshot) -> None:
    totals = (
        select(
            Entry.board_id,
            func.count().label("candidates"),
            func.round(func.avg(Entry.score), 2).label("average"),
        )
        .join(Board, Board.id == Entry.board_id)
        .where(Board.snapshot_id == snapshot.id)
        .group_by(Entry.board_id)
        .subquery()
    )
    work.db.execute(
        update(Board)
        .where(Board.id == totals.c.board_id)
        .values(total_candidates=totals.c.candidates, average_score=totals.c.average),
        execution_options={"synchronize_session": False},
    )
