from typing import Any

import colander

from competition.core.messages import Message
from competition.core.schemas import (
    LARGEST_ID,
    REQUIRED,
    Boolean,
    Choice,
    Integer,
    Number,
    Schema,
    Uuid,
    array,
    drop,
    node,
    partial,
)
from competition.core.seasons.schemas import season_filter
from competition.core.web.paging import ListQuery, PageQuery, ordered_by, searched
from competition.plugins.advancement.models import RULE_KINDS, NextStage, Ties
from competition.plugins.advancement.services.plans import ORDERING
from competition.plugins.advancement.services.ranking import ORDERING as ADVANCED_ORDERING
from competition.plugins.exams.models import Stage

MOST_EXAMS = 100


class Rule(Schema):
    """The rule that decides who advances. Give exactly one of the three fields."""

    top = node(Integer(1), missing=drop, description="The number of candidates who advance.")
    percent = node(
        Number(0, 100),
        missing=drop,
        description="The percentage of the ranked candidates who advance. The number is rounded"
        " up.",
    )
    minimum = node(
        Number(0, 100 * MOST_EXAMS),
        missing=drop,
        description="The lowest total score that advances.",
    )

    def validator(self, node: colander.SchemaNode, given: dict[str, Any]) -> None:
        if len(given) != 1:
            raise colander.Invalid(
                node, Message("Give exactly one of: ${names}.", "exactly_one", names=[*RULE_KINDS])
            )


class NewPlan(Schema):
    from_stage = node(Choice(Stage))
    to_stage = node(Choice(NextStage))
    exams = array(node(Integer(1, LARGEST_ID)), MOST_EXAMS, shortest=1)
    rule = Rule(missing_msg=REQUIRED)
    ties = node(Choice(Ties), missing="in")


PlanChanges = partial(NewPlan, "PlanChanges")


class PlanFilters(ListQuery):
    ordering = ordered_by(ORDERING)
    search = searched("the stages")
    candidate = node(
        Uuid(),
        missing=None,
        description="Only plans by which the candidate with this id advanced.",
    )
    season = season_filter()


class AdvancedFilters(PageQuery):
    ordering = ordered_by(ADVANCED_ORDERING)
    search = searched("name, email and school")
    undoable = node(
        Boolean(),
        missing=False,
        description="true: only candidates whom undoing the plan would move back.",
    )
