from competition.core.schemas import LARGEST_ID, Choice, Integer, Nullable, Schema, Text, Uuid, node
from competition.core.seasons.schemas import season_filter
from competition.core.web.paging import ListQuery, ordered_by, searched
from competition.plugins.appeals.models import AppealStatus, Ruling
from competition.plugins.appeals.services import ORDERING

LONGEST_TEXT = 2_000


class NewAppeal(Schema):
    question = node(
        Nullable(Integer(1, LARGEST_ID)),
        missing=None,
        description="The id of a question of the exam; without it, the appeal is about the whole"
        " result.",
    )
    text = node(Text(1, LONGEST_TEXT, lines=True))


class AppealAnswer(Schema):
    answer = node(Text(1, LONGEST_TEXT, lines=True))
    status = node(Choice(Ruling))
    regrade = node(
        Nullable(Integer(1, LARGEST_ID)),
        missing=None,
        description="The id of the regrade of the exam that the appeal led to.",
    )


class AppealFilters(ListQuery):
    ordering = ordered_by(ORDERING)
    search = searched("text and answer")
    status = node(Choice(AppealStatus), missing=None, description="Only appeals with this status.")
    candidate = node(
        Uuid(), missing=None, description="Only appeals of the candidate with this id."
    )


class AllAppealFilters(AppealFilters):
    season = season_filter()
