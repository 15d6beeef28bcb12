from typing import Any

import colander

from competition.core.auth.access import RANKED, CandidateRole
from competition.core.schemas import Choice, Schema, StrictMapping, Text, array, drop, node
from competition.core.web.paging import ListQuery, ordered_by, searched
from competition.plugins.broadcasts.services.asking import ORDERING

# Roles and mediums may be named twice; they are merged.
MOST_TARGETS = 100


class NewTargetRoles(Schema):
    """The roles that a broadcast is for. Unlike elsewhere in a body, an unknown key is refused
    (decisions M4)."""

    staff = array(node(Choice(RANKED)), MOST_TARGETS, shortest=1, missing=drop)
    candidate = array(node(Choice(CandidateRole)), MOST_TARGETS, shortest=1, missing=drop)

    @staticmethod
    def schema_type() -> StrictMapping:
        return StrictMapping(unknown="raise")

    def validator(self, node: colander.SchemaNode, value: dict[str, Any]) -> None:
        if not value:
            raise colander.Invalid(node, "Name roles of staff, of candidates, or of both.")


class BroadcastQuery(ListQuery):
    ordering = ordered_by(ORDERING)
    search = searched("subject and message")


class NewBroadcast(Schema):
    subject = node(Text(1, 255))
    message = node(Text(1, 20_000, lines=True))
    # Which there are is a rule, with a code of its own.
    mediums = array(node(Text(0, 50)), MOST_TARGETS, shortest=1)
    target_roles = NewTargetRoles(missing_msg="This field is required.")
