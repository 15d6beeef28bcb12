from typing import Any

import colander

from competition.core.schemas import (
    LARGEST_ID,
    Choice,
    Integer,
    Nullable,
    Schema,
    Timestamp,
    array,
    node,
)
from competition.core.web.paging import ListQuery, PageQuery, ordered_by, searched
from competition.plugins.exams.models import Stage
from competition.plugins.leaderboard.models import PublicationStatus
from competition.plugins.leaderboard.services.scheduling import ORDERING

MOST_EXAMS = 100


class PublicationOrder(Schema):
    """Without exams it is for everything that is over."""

    optional = True

    exams = array(node(Integer(1, LARGEST_ID)), MOST_EXAMS, shortest=1, missing=None)
    publish_at = node(Nullable(Timestamp()), missing=None, description="Without it: now.")

    def validator(self, node: colander.SchemaNode, given: dict[str, Any]) -> None:
        if given["publish_at"] is not None and given["exams"] is None:
            refusal = colander.Invalid(node)
            refusal["exams"] = "Say which exams are to be published then."
            raise refusal


class PublicationFilters(ListQuery):
    ordering = ordered_by(ORDERING)
    search = searched("the exam's title")
    status = node(Choice(PublicationStatus), missing=None, description="Only with this status.")


class LeaderboardQuery(PageQuery):
    stage = node(
        Choice(Stage), missing=None, description="With `round`: that leaderboard, in full."
    )
    round = node(Integer(1), missing=None, description="Goes with `stage`.")
    exam_id = node(
        Integer(1, LARGEST_ID), missing=None, description="In place of `stage` and `round`."
    )
    snapshot = node(
        Integer(1, LARGEST_ID),
        missing=None,
        description="For staff: as it was published then. Without it the latest one.",
    )
