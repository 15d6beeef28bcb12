from competition.core.events import subscriber
from competition.plugins.drafts.services import handing_in
from competition.plugins.sittings.events import ExamsSealing, SubmissionsWithdrawn


@subscriber(SubmissionsWithdrawn)
def open_again(event: SubmissionsWithdrawn) -> None:
    """They are handed in anew, whether or not anything is saved until then."""
    handing_in.open_again(event.work, event.exam_id, event.candidate_ids)


@subscriber(ExamsSealing)
def hand_in_what_is_left(event: ExamsSealing) -> None:
    """No board is built before the drafts of its exam are in."""
    handing_in.hand_in_before_sealing(event.work, event.exam_ids)
