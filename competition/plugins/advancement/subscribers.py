from competition.core.events import subscriber
from competition.core.seasons.events import SeasonOpened
from competition.plugins.advancement.services import plans, ranking
from competition.plugins.regrades.events import ChoicesAsked


@subscriber(ChoicesAsked)
def add_advancing_candidates(event: ChoicesAsked) -> None:
    chosen = ranking.chosen_by_plans(event.work, event.exam_id)
    event.choices.update(("advancement", *each) for each in chosen)


@subscriber(SeasonOpened)
def keep_plans_in_one_season(event: SeasonOpened) -> None:
    plans.drop_moved_exams(event.work)
