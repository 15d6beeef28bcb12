"""The measured paths of an exam day, each with the requests that its callers send."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle, islice

from competition.core.runtime import API_PREFIX
from tools.bench.load import ask, header, message
from tools.bench.world import PASSWORD, World, answers, email

MANY = 100_000
Requests = Callable[[World, int, int], list[bytes]]


@dataclass(frozen=True)
class Path:
    """A measured path.

    `requests` creates a number of requests, beginning with a given caller. `at_most` is the highest
    cost allowed, relative to baseline A. `of_many` is the highest cost with 100,000 candidates or
    more.

    With `jobs`, the cost includes the jobs that the requests cause. With `hash`, the cost excludes
    the hashing of passwords, which is slow on purpose, and the cost of the idle service. The
    requests are then sent one at a time. With `once`, each candidate can send only one request.
    """

    name: str
    status: int
    requests: Requests
    at_most: float
    jobs: bool = False
    once: bool = False
    hash: bool = False
    of_many: float | None = None

    def most(self, candidates: int) -> float:
        return self.at_most if self.of_many is None or candidates < MANY else self.of_many


def _get(path: str, *, by_staff: bool = False) -> Requests:
    def requests(world: World, first: int, count: int) -> list[bytes]:
        callers = world.staff if by_staff else world.candidates
        return [
            message("GET", f"{API_PREFIX}{path.format(number=first + at)}", headers)
            for at, headers in enumerate(_from(callers, first, count))
        ]

    return requests


def _from(callers: list[dict[str, str]], first: int, count: int) -> list[dict[str, str]]:
    start = first % len(callers)
    return list(islice(cycle(callers), start, start + count))


def _health(world: World, first: int, count: int) -> list[bytes]:
    return [message("GET", f"{API_PREFIX}/health/")] * count


def _submit(world: World, first: int, count: int) -> list[bytes]:
    body = answers(world.asked_in(world.open_exam))
    path = f"{API_PREFIX}/exams/{world.open_exam}/submit-exam-answers/"
    return [message("POST", path, each, body) for each in world.candidates[first : first + count]]


def save_draft(world: World, exam_id: int, first: int, count: int) -> list[bytes]:
    """Requests that save two answers each. Their sequence is higher than that of all earlier
    requests.
    """
    now = time.time_ns() // 10**6
    changed = [{"question": each, "selected_option": "A"} for each in world.asked_in(exam_id)[:2]]
    body = json.dumps({"sequence": now, "answers": changed}).encode()
    path = f"{API_PREFIX}/exams/{exam_id}/draft/"
    return [message("PUT", path, each, body) for each in _from(world.candidates, first, count)]


def _save_draft(world: World, first: int, count: int) -> list[bytes]:
    return save_draft(world, world.open_exam, 0, count)


def logins(world: World, first: int, count: int) -> list[bytes]:
    return [
        message(
            "POST",
            f"{API_PREFIX}/auth/login/",
            {"X-Api-Key": world.key},
            json.dumps(
                {"email": email(1 + (first + at) % len(world.candidates)), "password": PASSWORD}
            ).encode(),
        )
        for at in range(count)
    ]


def unchanged(port: int, fresh: list[bytes]) -> list[bytes]:
    """The same requests, from clients that have the reply in their cache. Each request has the ETag
    of that reply.
    """
    revalidating = []
    for each in fresh:
        _, head, _ = ask(port, each)
        tag = f"If-None-Match: {header(head, 'etag')}\r\n\r\n".encode()
        revalidating.append(each.removesuffix(b"\r\n") + tag)
    return revalidating


BOARD = _get("/leaderboard/?exam_id=2")
DASHBOARD = _get("/dashboard/candidate/")

PATHS = (
    Path("health", 200, _health, 1),
    Path("candidates/me", 200, _get("/candidates/me/"), 1.8),
    Path("take-exam, after the first", 200, _get("/exams/1/take-exam/"), 2.8),
    Path("leaderboard page", 200, BOARD, 2.6),
    Path("leaderboard page, unchanged", 304, BOARD, 2.6),
    Path("leaderboard summary", 200, _get("/leaderboard/"), 2.6),
    Path(
        "candidate search",
        200,
        _get("/candidates/?search=surname{number}", by_staff=True),
        4,
        of_many=5,
    ),
    Path("candidate list", 200, _get("/candidates/", by_staff=True), 4, of_many=5),
    Path("questions list", 200, _get("/questions/", by_staff=True), 4),
    Path("notifications", 200, _get("/notifications/"), 2.8),
    Path("candidate dashboard", 200, DASHBOARD, 3.5),
    Path("candidate dashboard, unchanged", 304, DASHBOARD, 3.5),
    Path("staff dashboard", 200, _get("/dashboard/staff/", by_staff=True), 3.5),
    Path("login, without the hash", 200, logins, 6, hash=True),
    Path("save a draft", 200, _save_draft, 3),
    Path("submit 40 answers, scored", 201, _submit, 7, jobs=True, once=True),
)
