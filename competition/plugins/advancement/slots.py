"""Add to the reply about a regrade's effect which candidates advance only because of the regrade,
and which no longer advance because of it."""

from collections.abc import Collection
from typing import TypedDict

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.regrades.offered_slots import EFFECT
from competition.plugins.regrades.presenters import RegradedCandidate
from competition.plugins.regrades.services.reading import chosen_otherwise

# The candidates who advance only after a regrade, and those who advance only without it. Written as
# a call, because `in` is a keyword.
InAndOut = TypedDict("InAndOut", {"in": list[RegradedCandidate], "out": list[RegradedCandidate]})


@fill_slot(EFFECT)
def in_and_out(work: Work, regrade_ids: Collection[int]) -> dict[int, InAndOut]:
    found = chosen_otherwise(work, regrade_ids)
    return {each: InAndOut({"in": found[each][0], "out": found[each][1]}) for each in regrade_ids}
