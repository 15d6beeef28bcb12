from competition.core.schemas import Number, Schema, Text, node
from competition.core.web.paging import ListQuery, ordered_by, searched
from competition.plugins.scores.services.statistics.exam import RESULTS_ORDERING


class ManualScore(Schema):
    # A string, so that a malformed id gets the same error as an unknown id (decisions G24).
    candidate_id = node(Text(0, 100))
    score = node(Number(0, 100))


class ScoreFilters(ListQuery):
    ordering = ordered_by(RESULTS_ORDERING)
    search = searched("name, email and school")
