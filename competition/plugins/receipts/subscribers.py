from competition.core.events import subscriber
from competition.plugins.receipts.services import receipts
from competition.plugins.sittings.events import SubmissionsStored


@subscriber(SubmissionsStored)
def make_receipts(event: SubmissionsStored) -> None:
    receipts.make(event.work, event.exam_id, event.submissions)
