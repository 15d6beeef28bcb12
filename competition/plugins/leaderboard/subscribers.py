from sqlalchemy import func, select

from competition.core.events import subscriber
from competition.core.messages import Message
from competition.plugins.leaderboard.events import BoardPublished
from competition.plugins.leaderboard.models import Board, Entry, Snapshot
from competition.plugins.notifications.events import Notify


@subscriber(BoardPublished)
def notify_ranked_candidates(event: BoardPublished) -> None:
    """Notify the candidates on boards that the previous snapshot did not contain.

    The candidates on all other boards have been notified before.
    """
    before = select(func.max(Snapshot.id)).where(Snapshot.id < event.snapshot_id).scalar_subquery()
    known = select(Board.exam_id).where(Board.snapshot_id == before)
    ranked = (
        select(Entry.user_id)
        .join(Board, Board.id == Entry.board_id)
        .where(Board.snapshot_id == event.snapshot_id, Board.exam_id.not_in(known))
    )
    subject = Message("A leaderboard is published")
    message = Message("You are ranked on a new leaderboard.")
    event.work.emit(Notify(event.work, ranked, subject, message, about="boards"))
