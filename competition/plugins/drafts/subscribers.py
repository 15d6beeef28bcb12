from competition.core.events import subscriber
from competition.plugins.drafts.services import handing_in
from competition.plugins.sittings.events import AttemptsReopened, ExamsSealing


@subscriber(AttemptsReopened)
def open_again(event: AttemptsReopened) -> None:
    """Reopen the drafts of candidates who have time again, so that the service submits them at the
    new deadline even if the candidates save nothing more."""
    handing_in.open_again(event.work, event.exam_id)


@subscriber(ExamsSealing)
def hand_in_what_is_left(event: ExamsSealing) -> None:
    """Submit the remaining drafts before the exam is scored and ranked."""
    handing_in.hand_in_before_sealing(event.work, event.exam_ids)
