"""Fills slots in the replies of other plugins with whom plans choose."""

from collections.abc import Collection
from typing import TypedDict
from uuid import UUID

from pyramid.config import Configurator

from competition.core.work import Work
from competition.plugins.advancement.services import ranking
from competition.plugins.regrades.presenters import CHOSEN, EFFECT, RegradedCandidate
from competition.plugins.regrades.services.reading import chosen_otherwise

# `in` is no name in Python. Who gets in by a plan, and who falls out of one.
InAndOut = TypedDict("InAndOut", {"in": list[RegradedCandidate], "out": list[RegradedCandidate]})


def chosen(work: Work, exam_ids: Collection[int]) -> dict[int, set[tuple[int, UUID]]]:
    return {exam_id: ranking.chosen_by_plans(work, exam_id) for exam_id in exam_ids}


def in_and_out(work: Work, regrade_ids: Collection[int]) -> dict[int, InAndOut]:
    found = chosen_otherwise(work, regrade_ids)
    return {each: InAndOut({"in": found[each][0], "out": found[each][1]}) for each in regrade_ids}


def includeme(config: Configurator) -> None:
    config.fill_slot(CHOSEN, "advancement", set[tuple[int, UUID]], chosen)
    config.fill_slot_with(EFFECT, InAndOut, in_and_out)
