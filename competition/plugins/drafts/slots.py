"""Fills slots in the replies of other plugins with what drafts knows."""

from collections.abc import Collection

from pyramid.config import Configurator

from competition.core.work import Work
from competition.plugins.drafts.presenters import Draft, draft
from competition.plugins.drafts.services import reading
from competition.plugins.sittings.presenters import ATTEMPT, PAPER


def own_drafts(work: Work, exam_ids: Collection[int]) -> dict[int, Draft]:
    """The caller's: a paper is shown to who sits the exam."""
    return {exam_id: draft(*reading.own(work, exam_id)) for exam_id in exam_ids}


def includeme(config: Configurator) -> None:
    config.fill_slot(PAPER, "draft", Draft, own_drafts)
    config.fill_slot(ATTEMPT, "answered", int, reading.answered)
