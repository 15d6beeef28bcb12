class DemoError(Exception):
    """What ends the demo; its text is for whoever runs it."""


class CallFailed(DemoError):
    """A request that the service refused; `code` is the one of its error body."""

    def __init__(self, method: str, path: str, status: int, code: str, body: str) -> None:
        self.code = code
        super().__init__(f"{method} {path} answered {status}: {body}")


class WrongBoard(DemoError):
    """A leaderboard that does not follow from the answers that were sent."""


class WrongDashboard(DemoError):
    """A dashboard that does not follow from the answers that were sent."""
