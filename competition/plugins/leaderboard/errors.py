from competition.core.errors import ApiError
from competition.core.messages import Message


class LeaderboardHidden(ApiError):
    status = 403
    code = "leaderboard_hidden"
    advice = "Show that the organisers have hidden the leaderboards, and try again later."
    detail = Message("The leaderboard is not visible at the moment. Try again later.")


class LeaderboardNotPublished(ApiError):
    status = 404
    code = "leaderboard_not_published"
    advice = "Show that the leaderboard is not published yet, and try again later."
    detail = Message(
        "No leaderboard has been published yet. Try again after the results are published."
    )
