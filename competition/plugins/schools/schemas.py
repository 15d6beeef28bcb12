from competition.core.schemas import (
    LARGEST_ID,
    Boolean,
    Integer,
    Nullable,
    Schema,
    Text,
    array,
    node,
    partial,
)
from competition.core.seasons.schemas import season_filter
from competition.core.web.paging import PageQuery, ordered_by, searched
from competition.plugins.schools.models import LONGEST_NAME
from competition.plugins.schools.services.reading import ORDERING

# How many names one request merges at most.
MOST_NAMES = 100


class SchoolFilters(PageQuery):
    ordering = ordered_by(ORDERING)
    search = searched("the name, the aliases and the code")
    region = node(Text(0, 100), missing="", description="Only schools of this region.")
    listed = node(
        Boolean(),
        missing=None,
        description="true: only schools that staff have created, changed or merged; false: only"
        " others.",
    )


class NewSchool(Schema):
    name = node(Text(1, LONGEST_NAME))
    code = node(Nullable(Text(1, 50)), missing=None)
    region = node(Text(0, 100), missing="")


SchoolChanges = partial(NewSchool, "SchoolChanges")


class MergePreviewOrder(Schema):
    names = array(
        node(Text(1, LONGEST_NAME)),
        MOST_NAMES,
        shortest=1,
        description="The names to merge into this school: names of other schools, whose candidates"
        " and other names this school then gets, and names that no school has.",
    )


class MergeOrder(MergePreviewOrder):
    reason = node(Text(1, 500))


class SchoolBoardQuery(PageQuery):
    region = node(Text(0, 100), missing="", description="Only schools of this region.")
    exam_id = node(
        Integer(1, LARGEST_ID),
        missing=None,
        description="The leaderboard of this exam, instead of that of the stage and round.",
    )
    season = season_filter()
