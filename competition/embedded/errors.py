class EmbeddedUnavailable(Exception):
    """There are no embedded servers to run here."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"{reason}. Install competition[embedded] (Linux with glibc, or macOS), or use servers"
            " of your own: set competition.database.url and competition.redis.url in the ini, or"
            " COMPETITION_DATABASE_URL and COMPETITION_REDIS_URL in the environment."
        )


class AlreadyRunning(Exception):
    """Another process holds these servers; `pid` is None if it has only just begun."""

    def __init__(self, pid: int | None, where: object) -> None:
        who = f"process {pid}" if pid else "another process"
        super().__init__(
            f"The embedded servers of {where} are already run by {who}. Stop that first; or run"
            " `competition api`, `competition worker` and `competition ws` beside it."
        )
        self.pid = pid


class ServerFailed(Exception):
    """A server did not start; the message ends with what it said last."""

    def __init__(self, what: str, said: str) -> None:
        super().__init__(f"{what}. Its last words:\n{said.strip() or '(none)'}")
