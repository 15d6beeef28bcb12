from competition.core.events import subscriber
from competition.plugins.invigilation.services import signs
from competition.plugins.sittings.events import CandidateSeen


@subscriber(CandidateSeen)
def note_sign_of_life(event: CandidateSeen) -> None:
    signs.note(event.work, event.exam_id, event.candidate_id)
