from competition.core.events import subscriber
from competition.plugins.leaderboard.events import BoardPublished
from competition.plugins.schools.services import boards


@subscriber(BoardPublished)
def write_boards_of_schools(event: BoardPublished) -> None:
    boards.write(event.work, event.snapshot_id)
