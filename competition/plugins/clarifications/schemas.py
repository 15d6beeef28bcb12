from typing import Any

import colander

from competition.core.schemas import (
    LARGEST_ID,
    Boolean,
    Choice,
    Integer,
    Nullable,
    Schema,
    Text,
    node,
)
from competition.core.web.paging import ListQuery, ordered_by, searched
from competition.plugins.clarifications.models import ClarificationStatus
from competition.plugins.clarifications.services.announcing import ORDERING as ANNOUNCEMENT_ORDERING
from competition.plugins.clarifications.services.asking import ORDERING

LONGEST_QUESTION = 1_000
LONGEST_ANSWER = 2_000


class NewClarification(Schema):
    question = node(
        Nullable(Integer(1, LARGEST_ID)),
        missing=None,
        description="The id of a question of the paper; without it, the clarification is about the"
        " whole exam.",
    )
    text = node(Text(1, LONGEST_QUESTION, lines=True))


class Answer(Schema):
    answer = node(
        Nullable(Text(1, LONGEST_ANSWER, lines=True)),
        missing=None,
        description="The answer. Only without it, `dismiss` may be true.",
    )
    public = node(
        Boolean(),
        missing=False,
        description="Whether everybody who takes the exam may read the answer.",
    )
    dismiss = node(
        Boolean(), missing=False, description="Close the clarification without an answer."
    )

    def validator(self, node: colander.SchemaNode, value: dict[str, Any]) -> None:
        if (value["answer"] is not None) == value["dismiss"]:
            refusal = colander.Invalid(node)
            refusal["answer"] = "Give either an answer, or dismiss the clarification."
            raise refusal
        if value["dismiss"] and value["public"]:
            refusal = colander.Invalid(node)
            refusal["public"] = "Without an answer there is nothing to publish."
            raise refusal


class ClarificationFilters(ListQuery):
    ordering = ordered_by(ORDERING)
    search = searched("text and answer")
    status = node(
        Choice(ClarificationStatus),
        missing=None,
        description="Only clarifications with this status.",
    )


class NewAnnouncement(Schema):
    text = node(Text(1, LONGEST_ANSWER, lines=True))


class AnnouncementFilters(ListQuery):
    ordering = ordered_by(ANNOUNCEMENT_ORDERING)
    search = searched("the text")
