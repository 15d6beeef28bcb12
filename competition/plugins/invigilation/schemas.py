from typing import get_args

from competition.core.web.paging import PageQuery, searched
from competition.core.web.schemas import Choice, Integer, Schema, Text, node
from competition.plugins.invigilation.models import State


class FollowedExam(Schema):
    exam = node(Integer(1))


class WatchQuery(PageQuery):
    state = node(Choice(get_args(State)), missing=None, description="Only who is in this state.")
    search = searched("name and email")
    school = node(Text(0, 200), missing="", description="A part of the school's name, in any case.")
