from competition.core.events import subscriber
from competition.plugins.advancement.services import ranking
from competition.plugins.regrades.events import ChoicesAsked


@subscriber(ChoicesAsked)
def add_advancing_candidates(event: ChoicesAsked) -> None:
    chosen = ranking.chosen_by_plans(event.work, event.exam_id)
    event.choices.update(("advancement", *each) for each in chosen)
