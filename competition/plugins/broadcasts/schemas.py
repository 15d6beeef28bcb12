from typing import Any

import colander

from competition.core.auth.access import RANKED, CandidateRole
from competition.core.messages import Message
from competition.core.schemas import (
    REQUIRED,
    Boolean,
    Choice,
    ClosedSchema,
    Nullable,
    Schema,
    Text,
    array,
    drop,
    node,
)
from competition.core.web.paging import ListQuery, ordered_by, searched
from competition.plugins.broadcasts.services.asking import ORDERING

# How long a list of roles or mediums may be. Duplicates in it are merged.
MOST_TARGETS = 100


class NewTargetRoles(ClosedSchema):
    """The roles whose users receive a broadcast (decisions M4)."""

    staff = array(node(Choice(RANKED)), MOST_TARGETS, shortest=1, missing=drop)
    candidate = array(node(Choice(CandidateRole)), MOST_TARGETS, shortest=1, missing=drop)

    def validator(self, node: colander.SchemaNode, value: dict[str, Any]) -> None:
        if not value:
            raise colander.Invalid(
                node, Message("Name at least one role, of staff or of candidates.")
            )


class BroadcastQuery(ListQuery):
    ordering = ordered_by(ORDERING)
    search = searched("subject and message")


class Audience(Schema):
    target_roles = NewTargetRoles(missing_msg=REQUIRED)
    joined = node(
        Nullable(Boolean()),
        missing=None,
        description="true: of the candidates, only those who have joined the current season; false:"
        " only those who have not.",
    )


class NewBroadcast(ClosedSchema, Audience):
    subject = node(Text(1, 255))
    message = node(Text(1, 20_000, lines=True))
    # The service checks the values, because an unknown medium has an error code of its own.
    mediums = array(node(Text(0, 50)), MOST_TARGETS, shortest=1)
