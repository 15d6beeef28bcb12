"""Fills slots in the replies of other plugins with whom plans choose."""

from collections.abc import Collection
from typing import TypedDict

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.regrades.presenters import EFFECT, RegradedCandidate
from competition.plugins.regrades.services.reading import chosen_otherwise

# `in` is no name in Python. Who gets in by a plan, and who falls out of one.
InAndOut = TypedDict("InAndOut", {"in": list[RegradedCandidate], "out": list[RegradedCandidate]})


@fill_slot(EFFECT)
def in_and_out(work: Work, regrade_ids: Collection[int]) -> dict[int, InAndOut]:
    found = chosen_otherwise(work, regrade_ids)
    return {each: InAndOut({"in": found[each][0], "out": found[each][1]}) for each in regrade_ids}
