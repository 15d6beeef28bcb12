from competition.plugins.leaderboard.events import BoardPublished
from pyramid.events import subscriber

from competition_certificates import services


@subscriber(BoardPublished)
def award(event: BoardPublished) -> None:
    services.award(event.work, event.snapshot_id)
