from typing import Any

import colander

from competition.core.messages import Message
from competition.core.schemas import (
    LARGEST_ID,
    Choice,
    ClosedSchema,
    Integer,
    Nullable,
    Schema,
    Timestamp,
    array,
    node,
)
from competition.core.seasons.schemas import season_filter
from competition.core.web.paging import ListQuery, PageQuery, ordered_by, searched
from competition.plugins.exams.models import STAGES, Stage
from competition.plugins.leaderboard.models import PublicationStatus
from competition.plugins.leaderboard.services.reading import SNAPSHOT_ORDERING
from competition.plugins.leaderboard.services.scheduling import ORDERING

MOST_EXAMS = 100
# The schema of the stage in a path, for the OpenAPI document.
STAGE = {
    "type": "string",
    "enum": [*STAGES],
    "description": "The stage. The status is 400 for an unknown value.",
}


class PublicationOrder(ClosedSchema):
    """Without `exams`, the leaderboards of all exams that are over are published."""

    optional = True

    exams = array(node(Integer(1, LARGEST_ID)), MOST_EXAMS, shortest=1, missing=None)
    publish_at = node(
        Nullable(Timestamp()),
        missing=None,
        description="When to publish the leaderboards of `exams`; without this field, immediately.",
    )

    def validator(self, node: colander.SchemaNode, given: dict[str, Any]) -> None:
        if given["publish_at"] is not None and given["exams"] is None:
            refusal = colander.Invalid(node)
            refusal["exams"] = Message("List the exams to publish at that time.")
            raise refusal


class PublicationFilters(ListQuery):
    ordering = ordered_by(ORDERING)
    search = searched("the exam's title")
    status = node(
        Choice(PublicationStatus), missing=None, description="Only publications with this status."
    )
    season = season_filter()


class SnapshotFilters(ListQuery):
    ordering = ordered_by(SNAPSHOT_ORDERING)
    search = searched("the titles of the exams whose leaderboards were published")
    exam_id = node(
        Integer(1, LARGEST_ID),
        missing=None,
        description="Only snapshots in which the leaderboard of this exam was published.",
    )
    season = season_filter()


class BoardQuery(Schema):
    exam_id = node(
        Integer(1, LARGEST_ID),
        missing=None,
        description="If several exams of the stage and round are published, use this exam.",
    )
    season = season_filter()


class LeaderboardQuery(PageQuery):
    stage = node(
        Choice(Stage),
        missing=None,
        description="Together with `round`: return the leaderboard of this stage and round.",
    )
    round = node(Integer(1), missing=None, description="The round; requires `stage`.")
    exam_id = node(
        Integer(1, LARGEST_ID),
        missing=None,
        description="Return the leaderboard of this exam; replaces `stage` and `round`.",
    )
    snapshot = node(
        Integer(1, LARGEST_ID),
        missing=None,
        description="Only for staff: read this snapshot instead of the latest snapshot.",
    )
    season = season_filter()
