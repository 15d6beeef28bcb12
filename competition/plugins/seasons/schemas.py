from competition.core.schemas import (
    Choice,
    ClosedSchema,
    Integer,
    Nullable,
    Schema,
    Text,
    drop,
    node,
)
from competition.core.users.models import YEARS
from competition.core.web.paging import ListQuery, ordered_by, searched
from competition.plugins.seasons.services.listing import ORDERING

JOIN = ("confirm", "everybody")


class SeasonList(ListQuery):
    ordering = ordered_by(ORDERING)
    search = searched("the name")


class SeasonName(Schema):
    name = node(Text(1, 50))


class NewSeason(ClosedSchema):
    name = node(Text(1, 50))
    join = node(
        Choice(JOIN),
        missing="confirm",
        description="Whether each candidate has to confirm that they take part again, or everybody"
        " counts as joined.",
    )


class Joining(Schema):
    slot = "seasons.join"

    school = node(Text(1, 200), missing=drop)
    year = node(Nullable(Integer(*YEARS)), missing=drop)
