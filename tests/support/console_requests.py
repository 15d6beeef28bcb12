"""The requests of a page of the console, which tests can let fail."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from competition.testing.waiting import wait_until

ID = "8c1f0a"


@dataclass(frozen=True)
class Failure:
    """A failure of a request, and the texts by which a page explains it."""

    texts: tuple[str, ...]
    # None if there is no reply.
    reply: Mapping[str, Any] | None = None


def _reply(status: int, code: str, **headers: str) -> dict[str, Any]:
    return {
        "status": status,
        "headers": {"X-Request-Id": ID, "Content-Type": "application/json", **headers},
        "body": json.dumps({"code": code, "detail": "The service has failed."}),
    }


SAYS = "The service has failed. Nothing was changed."
NEXT = "Try again in a minute."
BROKEN = Failure((SAYS, NEXT, ID), _reply(500, "server_error"))
CUT = Failure(("There is no connection to the league.", "Check your internet connection"))
LIMITED = Failure(
    ("You have sent too many requests.", "Try again in 7 seconds.", ID),
    _reply(429, "rate_limit_exceeded", **{"Retry-After": "7"}),
)
# JavaScript: the name of each field, and what the user has typed or chosen. The options in the
# preview of a question can't be chosen, so they are disabled.
FIELDS = """() => [...document.querySelectorAll(
  ":is(main, dialog) :is(input, textarea, select):enabled"
)].map(each => `${each.name || each.id}: ${each.type === "file" ? each.files.length
  : ["checkbox", "radio"].includes(each.type) ? `${each.value} ${each.checked}` : each.value}`)"""
# Requests of pages whose user is not a signed-in member of staff with all rights, or who has to
# prepare them in a dialog.
ELSEWHERE = {
    "of users who are not signed in": {
        "POST /auth/login/",
        "POST /auth/login/second-factor/",
        "POST /auth/password-change/",
        "POST /auth/password-change/confirm-otp/",
        "POST /auth/password-change/request/",
        "POST /auth/password-change/resend-otp/",
    },
    "of staff whose account is not verified": {
        "PATCH /user/verification/upload/",
        "POST /send-email-otp/",
        "POST /user/verification/upload/",
        "POST /verify-email-otp/",
    },
    "with a second factor": {
        "DELETE /auth/second-factor/",
        "POST /auth/second-factor/confirm/",
        "POST /auth/second-factor/recovery-codes/",
    },
    "of staff who leave": {"DELETE /users/me/", "POST /users/restore/"},
    "in the dialog with images": {
        "DELETE /questions/images/{image_id}/",
        "PATCH /questions/images/{image_id}/",
    },
    "signs out even without a reply": {"POST /auth/logout/"},
}
# The heading of the page that is shown for an address that does not exist.
NOWHERE = "This page does not exist"
# As Back and Forward do.
GO = """path => {
  history.pushState({ index: 0 }, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}"""


# Resolves when the page has nothing else to do. A busy machine takes long to draw a reply.
IDLE = "() => new Promise(done => requestIdleCallback(() => done(), { timeout: 1000 }))"


class Requests:
    """The requests of a page to the API. Those that match `failing` fail."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.seen: list[str] = []
        self.failed: list[str] = []
        self.failing: re.Pattern[str] | None = None
        self.failure = BROKEN
        self._open: set[Any] = set()
        page.route(re.compile(r"/v1/"), self._answer)
        page.on("request", lambda each: self._open.add(each))
        for end in ("requestfinished", "requestfailed"):
            page.on(end, lambda each: self._open.discard(each))

    def _answer(self, route: Any) -> None:
        name = f"{route.request.method} {urlsplit(route.request.url).path.removeprefix('/v1')}"
        self.seen.append(name)
        if self.failing and self.failing.fullmatch(name):
            self.failed.append(name)
            if self.failure.reply:
                route.fulfill(**self.failure.reply)
            else:
                route.abort()
        else:
            route.continue_()

    def settle(self) -> None:
        """Wait until the page has read everything."""
        quiet = 0

        def is_quiet() -> bool:
            nonlocal quiet
            self.page.wait_for_timeout(30)
            self.page.evaluate(IDLE)
            busy = self._open or self.page.locator(".loading").count()
            quiet = 0 if busy else quiet + 1
            return quiet >= 3

        wait_until(is_quiet, pause=0)

    def visit(self, address: str) -> None:
        """Go to a page of the console without loading the document again."""
        nowhere = self.page.get_by_role("heading", level=1, name=NOWHERE)
        self.page.evaluate(GO, "/console/nowhere")
        nowhere.wait_for()
        self.page.evaluate(GO, f"/console{address}")
        nowhere.wait_for(state="detached")
        self.page.locator("main h1").wait_for()
        self.settle()

    @contextmanager
    def fail(self, pattern: str, failure: Failure = BROKEN) -> Iterator[None]:
        self.failing, self.failed, self.failure = re.compile(pattern), [], failure
        try:
            yield
        finally:
            self.failing = None
