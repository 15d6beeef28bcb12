"""Add the caller's draft to the reply with an exam's paper, and the number of answered questions to
attempts."""

from collections.abc import Collection
from uuid import UUID

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.drafts.presenters import Draft, draft
from competition.plugins.drafts.services import reading
from competition.plugins.sittings.offered_slots import ATTEMPT, PAPER


@fill_slot(PAPER, "draft")
def own_drafts(work: Work, exam_ids: Collection[int]) -> dict[int, Draft]:
    """The caller's drafts. The caller is always the candidate who is taking the exam, because
    nobody else gets its paper."""
    return {exam_id: draft(*reading.own(work, exam_id)) for exam_id in exam_ids}


@fill_slot(ATTEMPT, "answered")
def answered(work: Work, attempts: Collection[tuple[int, UUID]]) -> dict[tuple[int, UUID], int]:
    return reading.answered(work, attempts)
