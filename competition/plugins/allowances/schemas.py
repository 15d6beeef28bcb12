from collections.abc import Mapping
from typing import Any

import colander

from competition.core.messages import Message
from competition.core.schemas import (
    Boolean,
    Integer,
    Nullable,
    NullableMapping,
    Schema,
    Text,
    Timestamp,
    Uuid,
    node,
)
from competition.core.web.importing import NamedCandidate
from competition.core.web.paging import ListQuery, ordered_by, searched
from competition.plugins.allowances.services.listing import ORDERING
from competition.plugins.sittings.models import LARGEST_PERCENT

LONGEST_EXTRA_MINUTES = 24 * 60
FOR_WHOM = ("candidate_id", "school", "everyone")
HOW_MUCH = ("extra_minutes", "lost")


class Interval(Schema):
    """An interval in which candidates lost time."""

    schema_type = NullableMapping

    start = node(Timestamp(), name="from")
    until = node(Timestamp())

    def validator(self, node: colander.SchemaNode, value: Mapping[str, Any]) -> None:
        if value["from"] >= value["until"]:
            raise colander.Invalid(node, Message("The interval has to end after it starts."))


class NewAllowance(Schema):
    candidate_id = node(Nullable(Uuid()), missing=None)
    school = node(
        Nullable(Text(1, 200)),
        missing=None,
        description="The full name of the school, in upper or lower case.",
    )
    everyone = node(Boolean(), missing=False)
    extra_minutes = node(Nullable(Integer(1, LONGEST_EXTRA_MINUTES)), missing=None)
    lost = Interval(missing=None)
    reason = node(Text(1, 500, lines=True))

    def validator(self, node: colander.SchemaNode, value: Mapping[str, Any]) -> None:
        for names in (FOR_WHOM, HOW_MUCH):
            if sum(bool(value[name]) for name in names) != 1:
                raise colander.Invalid(
                    node, Message("Give exactly one of: ${names}.", names=[*names])
                )


class AllowanceQuery(ListQuery):
    ordering = ordered_by(ORDERING)
    search = searched("the reason")


class NewPercent(Schema):
    percent = node(Integer(0, LARGEST_PERCENT))
    reason = node(Text(1, 500, lines=True))


class PercentCell(Integer):
    """A percentage in a cell of an imported table, with or without the percent sign."""

    problem = Message("Write only the number of percent, such as 25.", "not_an_integer")

    def read(self, node: colander.SchemaNode, value: Any) -> int:
        text = value.strip().removesuffix("%").strip() if isinstance(value, str) else value
        return super().read(node, text)


class PercentRow(NamedCandidate):
    percent = node(
        PercentCell(0, LARGEST_PERCENT),
        headers=("Extra time", "Extra percent", "Pourcentage", "Temps supplémentaire"),
        example="25",
        description="By how many percent the candidate's countdown is longer, in every exam.",
    )
    reason = node(
        Text(1, 500, lines=True),
        headers=("Why", "Raison", "Motif"),
        example="Dyslexia, certificate of 2026",
        description="The reason, for the audit trail.",
    )
