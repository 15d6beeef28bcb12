from competition.core.errors import ApiError


class PreviewOutdated(ApiError):
    """What was previewed is no more what would come of it."""

    status = 400
    code = "preview_outdated"
    detail = "Scores, candidates or corrections have changed since this preview. Make a new one."
