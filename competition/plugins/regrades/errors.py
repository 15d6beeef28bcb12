from competition.core.errors import ApiError
from competition.core.messages import Message


class PreviewOutdated(ApiError):
    """Applying the regrade would no longer have the effect that the preview showed."""

    status = 400
    code = "preview_outdated"
    advice = "Create a new preview, and show its effects before it is applied."
    detail = Message(
        "Scores, candidates or corrections have changed since this preview. Create a new preview."
    )
