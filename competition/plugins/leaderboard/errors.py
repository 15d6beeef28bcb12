from competition.core.errors import ApiError
from competition.core.messages import Message


class LeaderboardHidden(ApiError):
    status = 403
    code = "leaderboard_hidden"
    detail = Message("The leaderboard is not visible at the moment.")


class LeaderboardNotPublished(ApiError):
    status = 404
    code = "leaderboard_not_published"
    detail = Message("No leaderboard has been published yet.")
