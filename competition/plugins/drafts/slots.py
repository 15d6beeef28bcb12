"""Fills slots in the replies of other plugins with what drafts knows."""

from collections.abc import Collection
from uuid import UUID

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.drafts.presenters import Draft, draft
from competition.plugins.drafts.services import reading
from competition.plugins.sittings.presenters import ATTEMPT, PAPER


@fill_slot(PAPER, "draft")
def own_drafts(work: Work, exam_ids: Collection[int]) -> dict[int, Draft]:
    """The caller's: a paper is shown to who sits the exam."""
    return {exam_id: draft(*reading.own(work, exam_id)) for exam_id in exam_ids}


@fill_slot(ATTEMPT, "answered")
def answered(work: Work, attempts: Collection[tuple[int, UUID]]) -> dict[tuple[int, UUID], int]:
    return reading.answered(work, attempts)
