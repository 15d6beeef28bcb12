from competition.core.errors import ApiError


class PreviewOutdated(ApiError):
    """Applying the regrade would no longer have the effect that the preview showed."""

    status = 400
    code = "preview_outdated"
    detail = (
        "Scores, candidates or corrections have changed since this preview. Create a new preview."
    )
