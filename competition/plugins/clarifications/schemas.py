from collections.abc import Mapping
from typing import Any

import colander

from competition.core.messages import Message
from competition.core.schemas import (
    LARGEST_ID,
    Boolean,
    Choice,
    ClosedSchema,
    Integer,
    Nullable,
    Schema,
    Text,
    Uuid,
    node,
)
from competition.core.seasons.schemas import season_filter
from competition.core.web.paging import ListQuery, ordered_by, searched
from competition.plugins.clarifications.models import ClarificationStatus
from competition.plugins.clarifications.services import announcing, reading

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


class ClarificationAnswer(Schema):
    """Send either `answer` with `public`, or `dismiss`."""

    answer = node(Nullable(Text(1, LONGEST_ANSWER, lines=True)), missing=None)
    public = node(
        Nullable(Boolean()),
        missing=None,
        description="Whether all candidates of the exam can read the answer. Required with an"
        " answer.",
    )
    dismiss = node(
        Boolean(), missing=False, description="True to close the question without an answer."
    )
    only_if_open = node(
        Boolean(),
        missing=False,
        description="True to change nothing if another answer or a dismissal has arrived before"
        " this one.",
    )

    def validator(self, node: colander.SchemaNode, value: Mapping[str, Any]) -> None:
        if value["dismiss"] == (value["answer"] is not None):
            raise colander.Invalid(node, Message("Send either an answer or `dismiss: true`."))
        if not value["dismiss"] and value["public"] is None:
            error = colander.Invalid(node)
            error["public"] = Message(
                "Say whether all candidates may read the answer: set this to true or false."
            )
            raise error


class NewAnnouncement(ClosedSchema):
    text = node(Text(1, LONGEST_ANSWER, lines=True))


class OpenClarificationQuery(ListQuery):
    ordering = ordered_by(reading.ORDERING)
    search = searched("the text of the question")
    season = season_filter()
    candidate = node(
        Uuid(),
        missing=None,
        description="All questions of the candidate with this id, also those that are answered or"
        " dismissed.",
    )


class ClarificationFilters(ListQuery):
    ordering = ordered_by(reading.ORDERING)
    search = searched("question and answer")
    status = node(
        Choice(ClarificationStatus), missing=None, description="Only questions with this status."
    )


class AnnouncementQuery(ListQuery):
    ordering = ordered_by(announcing.ORDERING)
    search = searched("the text")
