from competition.core.errors import ApiError


class LeaderboardHidden(ApiError):
    status = 403
    code = "leaderboard_hidden"
    detail = "The leaderboard is not visible at the moment."


class LeaderboardNotPublished(ApiError):
    status = 404
    code = "leaderboard_not_published"
    detail = "No leaderboard has been published yet."
