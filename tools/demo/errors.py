class DemoError(Exception):
    """Ends the demo. The message is for the user."""


class CallFailed(DemoError):
    """A request that the service has rejected. `code` is the error code in the reply."""

    def __init__(self, method: str, path: str, status: int, code: str, body: str) -> None:
        self.code = code
        super().__init__(f"{method} {path} answered {status}: {body}")


class WrongBoard(DemoError):
    """A leaderboard that does not match the submitted answers."""


class WrongDashboard(DemoError):
    """A dashboard that does not match the submitted answers."""
