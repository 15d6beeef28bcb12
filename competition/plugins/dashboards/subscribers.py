from competition.core.events import subscriber
from competition.core.seasons.events import SeasonOpened, SeasonUndone
from competition.plugins.dashboards.services.dashboards import NUMBERS


@subscriber(SeasonOpened)
def count_the_new_season(event: SeasonOpened) -> None:
    """Recompute the totals, so that no number of the closed season is shown."""
    NUMBERS.refresh(event.work)


@subscriber(SeasonUndone)
def count_the_earlier_season(event: SeasonUndone) -> None:
    NUMBERS.refresh(event.work)
