"""Events of regrades, emitted in the transaction that previews, applies or reverts a regrade."""

from dataclasses import dataclass, field
from uuid import UUID

from competition.core.work import Work

# The name of a plugin, the purpose for which it chooses candidates, and the id of a chosen
# candidate.
Choice = tuple[str, object, UUID]


@dataclass(frozen=True)
class ChoicesAsked:
    """Collects the candidates whom plugins choose by the scores in an exam, such as for the next
    stage.

    A subscriber adds to `choices` the candidates whom it chooses by the current scores, with the
    name of its plugin and the purpose. A regrade emits this event before and after it corrects the
    scores, and stores the candidates who are in only one of the two results.
    `services.reading.chosen_otherwise` returns them, for example to fill the slot `EFFECT`.
    """

    work: Work
    exam_id: int
    choices: set[Choice] = field(default_factory=set)
