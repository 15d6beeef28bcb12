from competition.core.events import subscriber
from competition.plugins.leaderboard.events import BoardPublished

from competition_certificates import services


@subscriber(BoardPublished)
def award(event: BoardPublished) -> None:
    services.award(event.work, event.snapshot_id)
