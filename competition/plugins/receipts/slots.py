from collections.abc import Collection
from uuid import UUID

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.receipts.presenters import Receipt
from competition.plugins.receipts.services import receipts
from competition.plugins.sittings.offered_slots import SUBMISSION


@fill_slot(SUBMISSION, "receipt")
def receipt(
    work: Work, submissions: Collection[tuple[int, UUID]]
) -> dict[tuple[int, UUID], Receipt | None]:
    """The receipt of each submission; null if there is none. If staff have taken the submission
    back, a late repeat of its request gets its receipt."""
    found = receipts.of(work, submissions)
    for (exam_id, candidate_id), receipt in found.items():
        if receipt is None:
            withdrawn = receipts.earlier(work, candidate_id, exam_id)
            found[exam_id, candidate_id] = withdrawn[0] if withdrawn else None
    return found
