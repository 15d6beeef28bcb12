from competition.core.schemas import Choice, Integer, Nullable, Schema, Text, Uuid, node
from competition.core.web.paging import PageQuery, searched
from competition.plugins.invigilation.models import State


class FollowedExam(Schema):
    exam = node(Integer(1))


class WatchQuery(PageQuery):
    state = node(Choice(State), missing=None, description="Only candidates in this state.")
    candidate = node(Nullable(Uuid()), missing=None, description="Only the candidate with this id.")
    search = searched("name and email")
    school = node(
        Text(0, 200),
        missing="",
        description="Part of the school's name, in upper or lower case, with or without accents.",
    )
