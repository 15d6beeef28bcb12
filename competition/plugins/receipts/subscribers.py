from competition.core.events import subscriber
from competition.plugins.receipts.services import receipts
from competition.plugins.sittings.events import SubmissionsStored, SubmissionsWithdrawing


@subscriber(SubmissionsStored)
def make_receipts(event: SubmissionsStored) -> None:
    receipts.make(event.work, event.exam_id, event.submissions)


@subscriber(SubmissionsWithdrawing)
def keep_receipts(event: SubmissionsWithdrawing) -> None:
    receipts.keep(event.work, event.exam_id, event.candidate_ids)
