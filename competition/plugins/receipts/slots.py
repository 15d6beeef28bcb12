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
    """The receipt of each submission; null if there is none."""
    return receipts.of(work, submissions)
