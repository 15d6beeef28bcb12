"""Fill a slot in the clock of an exam with the number of messages to the candidate."""

from collections.abc import Collection

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.clarifications.services import messages
from competition.plugins.sittings.presenters import TIME


@fill_slot(TIME, "messages")
def count(work: Work, exam_ids: Collection[int]) -> dict[int, int]:
    return messages.count(work, exam_ids)
