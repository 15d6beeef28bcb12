from sqlalchemy import func, select

from competition.core.events import subscriber
from competition.core.messages import Message
from competition.core.seasons.events import SeasonUndone
from competition.core.users.events import AccountErasing
from competition.core.users.models import Candidate
from competition.plugins.leaderboard.events import BoardPublished
from competition.plugins.leaderboard.models import Board, Entry, Snapshot
from competition.plugins.leaderboard.services import publishing
from competition.plugins.notifications.events import Notify


@subscriber(AccountErasing)
def wait_for_publications(event: AccountErasing) -> None:
    """Make publications wait until the erasure is committed, or the erasure until a publication
    that has begun is committed.

    Otherwise, a publication could copy the name to a new board while the erasure removes it from
    all boards that it sees. The two could also deadlock, because both change other rows of the
    candidate, such as open questions, in different orders.
    """
    # Only for candidates, because staff are on no leaderboard. The erasure of a member of staff who
    # is publishing would wait for the publication, and the publication for the erasure.
    if event.work.db.get(Candidate, event.user_id):
        event.work.lock(publishing.LOCK)


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


@subscriber(SeasonUndone)
def keep_boards(event: SeasonUndone) -> None:
    publishing.move_to_season(event.work, event.undone_id, event.season_id)
