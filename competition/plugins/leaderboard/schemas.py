from competition.core.web.pagination import PageQuery
from competition.core.web.schemas import LARGEST_ID, Choice, Integer, node
from competition.plugins.exams.models import STAGES


class LeaderboardQuery(PageQuery):
    stage = node(
        Choice(STAGES), missing=None, description="With `round`: that leaderboard, in full."
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
