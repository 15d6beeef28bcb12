"""Events of regrades, emitted in the transaction in which they happen."""

from dataclasses import dataclass, field
from uuid import UUID

from competition.core.work import Work

# Who chooses, what for, and the candidate whom they choose.
Choice = tuple[str, object, UUID]


@dataclass(frozen=True)
class ChoicesAsked:
    """Asks whom plugins choose by the scores in an exam, such as for the next stage.

    A subscriber adds to `choices` the candidates whom it chooses by the scores as they are now,
    with the name of its plugin and what they are chosen for. A regrade emits this event before and
    after it corrects the scores, and so finds out for whom the correction changes that.
    `services.reading.chosen_otherwise` returns them, for example to fill the slot `EFFECT`.
    """

    work: Work
    exam_id: int
    choices: set[Choice] = field(default_factory=set)
