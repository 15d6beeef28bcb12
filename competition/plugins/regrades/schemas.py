from typing import Any

import colander

from competition.core.messages import Message
from competition.core.schemas import (
    LARGEST_ID,
    Boolean,
    Choice,
    Integer,
    Schema,
    Text,
    array,
    drop,
    node,
)
from competition.core.web.paging import ListQuery, ordered_by, searched
from competition.plugins.exams.models import LONGEST_PAPER
from competition.plugins.questions.models import OPTIONS, Answer
from competition.plugins.regrades.models import Status
from competition.plugins.regrades.services.reading import DIFFERENCE_ORDERING, ORDERING


class Change(Schema):
    """The answers to a question that count as right from now on. Give exactly one of `accept`,
    `void` and `credit_all`."""

    question = node(Integer(1, LARGEST_ID))
    accept = array(node(Choice(Answer)), len(OPTIONS), shortest=1, missing=drop)
    void = node(Boolean(), missing=drop, description="The question no longer counts.")
    credit_all = node(
        Boolean(),
        missing=drop,
        description="Every candidate gets the credit, also for a blank answer.",
    )

    def validator(self, node: colander.SchemaNode, given: dict[str, Any]) -> None:
        wanted = [name for name in ("accept", "void", "credit_all") if given.get(name)]
        if len(wanted) != 1:
            raise colander.Invalid(
                node, Message("Give exactly one of accept, void and credit_all.")
            )
        for name in {"accept", "void", "credit_all"} - {*wanted}:
            given.pop(name, None)


class NewRegrade(Schema):
    changes = array(Change(), LONGEST_PAPER, shortest=1)
    reason = node(Text(1, 500, lines=True))


class RegradeFilters(ListQuery):
    ordering = ordered_by(ORDERING)
    search = searched("the reason")
    status = node(Choice(Status), missing=None, description="Only regrades with this status.")


class DifferenceFilters(ListQuery):
    """The query of a list of differences. `created_after` and `created_before` compare the time at
    which the candidate registered."""

    ordering = ordered_by(DIFFERENCE_ORDERING)
    search = searched("name and school")
