from competition.core.errors import ServiceUnavailable
from competition.core.messages import Message


class ExportRunning(ServiceUnavailable):
    """The process is writing another export."""

    detail = Message("Another file is being written. Try again in a few seconds.")
