"""Add to the reply with a candidate's clock how many messages of the exam concern the candidate."""

from collections.abc import Collection

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.clarifications.services import messages
from competition.plugins.sittings.offered_slots import TIME


@fill_slot(TIME, "messages")
def count(work: Work, exam_ids: Collection[int]) -> dict[int, int]:
    """How many messages of each exam concern the caller."""
    return {exam_id: messages.count(work, exam_id) for exam_id in exam_ids}
