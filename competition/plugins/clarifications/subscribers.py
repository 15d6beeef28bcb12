from competition.core.events import subscriber
from competition.plugins.clarifications.services import closing
from competition.plugins.leaderboard.events import BoardPublished


@subscriber(BoardPublished)
def dismiss_open_questions(event: BoardPublished) -> None:
    closing.dismiss_open(event.work)
