"""The requests of a page of the console, which tests can let fail."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from competition.testing.waiting import wait_until

ID = "8c1f0a"
FAILURE = {
    "status": 500,
    "headers": {"X-Request-Id": ID, "Content-Type": "application/json"},
    "body": json.dumps({"code": "server_error", "detail": "The service has failed."}),
}
# The heading of the page that is shown for an address that does not exist.
NOWHERE = "This page does not exist"
# As Back and Forward do.
GO = """path => {
  history.pushState({ index: 0 }, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}"""


class Requests:
    """The requests of a page to the API. Those that match `failing` get an error."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.seen: list[str] = []
        self.failed: list[str] = []
        self.failing: re.Pattern[str] | None = None
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
            route.fulfill(**FAILURE)
        else:
            route.continue_()

    def settle(self) -> None:
        """Wait until the page has read everything."""
        quiet = 0

        def is_quiet() -> bool:
            nonlocal quiet
            self.page.wait_for_timeout(30)
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
    def fail(self, pattern: str) -> Iterator[None]:
        self.failing, self.failed = re.compile(pattern), []
        try:
            yield
        finally:
            self.failing = None
