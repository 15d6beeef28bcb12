"""Pages in a real browser: the system's Chromium, under the headers that the service sends.

    def test_a_page(site):
        page = site.visit("/console/")
        page.get_by_role("heading", name="Sign in").wait_for()
        assert faults(page) == []

The service's application and sockets run in this process, so tests can move its clock and read its
database. After the test, everything that a page has reported is an error: errors and warnings on
the console, violations of the content security policy, and requests to other origins.

Find elements by locators. Playwright's `wait_for_function` evaluates in the page, where the policy
rejects it. Never use `bypass_csp`: the tests would prove nothing.
"""

import json
import re
import time
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

import pytest

from competition.plugins.pages import PagesSettings
from competition.testing.service import PASSWORD, Clock, Person, Service
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.programs import CHROMIUM, find
from tests.support.reflow import cut_off
from tests.support.served import served
from tests.support.views import is_at

AXE = Path(__file__).parent / "vendor/axe-core/axe.min.js"
# The rules of WCAG 2.2 AA, and axe's best practices. By default, axe leaves out the only rule that
# is new in 2.2: a target is at least 24 pixels wide and high, or has as much space around it.
AXE_RUN = """
axe.run(document, {resultTypes: ["violations"], rules: {"target-size": {enabled: true}}})
  .then(found => found.violations)
"""
# The rule that depends on the colour scheme.
AXE_CONTRAST = """
axe.run(document, {resultTypes: ["violations"], runOnly: ["color-contrast"]})
  .then(found => found.violations)
"""
# JavaScript: choose the language in the page's own module of texts.
SPEAK = """async language => {
  const { src } = document.querySelector("script");  // ground/first.js
  const texts = await import(new URL("texts.js", src));
  await texts.choose(language);
}"""
# For `Site.tolerate`: when a user signs out, requests that are still on their way are rejected.
SIGNING_OUT = r"401 \(Unauthorized\)"
PHONE = {"width": 360, "height": 740}
SCREEN = {"width": 1280, "height": 800}
# The pages' language for tests. It puts every text of the catalogues between ⟦ and ⟧.
TEST_LANGUAGE = "xx"
# JavaScript: write violations of the content security policy to the console.
WATCH_POLICY = """
document.addEventListener("securitypolicyviolation", event => {
  const place = `${event.sourceFile}:${event.lineNumber}`;
  complain(`${event.effectiveDirective} ${event.blockedURI} ${place}`);
});
"""
# JavaScript: disables the polls of pages with a live socket, which have long pauses, so that only
# the socket can bring new data.
NO_POLLS = """
const after = window.setTimeout;
window.setTimeout = (act, wait, ...rest) => (wait > 10_000 ? 0 : after(act, wait, ...rest));
"""
INTERNAL = ("data:", "blob:")
# How many requests the report of a failed test shows.
RECENT = 100
REQUEST_ID = ("X-Request-Id", "8c1f0a")
# The pause that `Line.busy` asks for, in seconds. It is longer than any pause of the exam's page.
PAUSE = 7
# How long to wait for anything in a page, in milliseconds, as Playwright needs it.
MILLISECONDS = PATIENCE * 1000


# The date of each test in a browser, when it begins.
BEGINNING = datetime(2026, 3, 10, 10, tzinfo=UTC)
# JavaScript: the page's clocks. `ahead` is how far the date is ahead of the system's clock, in
# milliseconds. The page's own clock, `performance.now`, is ahead by what tests have added since the
# page was loaded.
CLOCK = """(ahead) => {
  if (globalThis.testClock) return void globalThis.testClock.set(ahead);
  const System = Date, [date, page] = [Date.now, performance.now.bind(performance)];
  let now = ahead;
  globalThis.testClock = { set: (ahead) => { now = ahead; } };
  performance.now = () => page() + now - ahead;
  globalThis.Date = class extends System {
    constructor(...given) { super(...(given.length ? given : [date() + now])); }
    static now() { return date() + now; }
  };
}"""


class RunningClock(Clock):
    """The clock of the service and of all pages in browser tests. It runs, as pages expect, from a
    date that is the same in each run. Tests move it."""

    def __init__(self) -> None:
        self._ahead = BEGINNING - datetime.now(UTC)
        # Called after each move.
        self.moved: Callable[[], None] = lambda: None

    @property
    def now(self) -> datetime:
        return datetime.now(UTC) + self._ahead

    @property
    def milliseconds_ahead(self) -> float:
        """How far it is ahead of the system's clock."""
        return self._ahead / timedelta(milliseconds=1)

    def advance(self, **delta: float) -> None:
        self._ahead += timedelta(**delta)
        self.moved()


@dataclass
class Line:
    """The connection between browsers and the service. Tests cut it for one device, named by its
    user agent. Playwright's own `set_offline` does not block requests that a page sends while it is
    closed. These requests have Chromium's user agent. They are cut as soon as any device is cut."""

    app: Any
    # The user agents of the devices whose connection is cut.
    cut: set[str] = field(default_factory=set)
    # Requests whose reply gets lost: regular expressions that match, for example, "PUT
    # /v1/exams/7/draft/".
    lost: set[str] = field(default_factory=set)
    # Requests that get an error as if from a firewall: regular expressions like those in `lost`.
    rejected: set[str] = field(default_factory=set)
    # Requests that get a 503 with a Retry-After of `PAUSE` seconds: regular expressions like those
    # in `lost`.
    busy: set[str] = field(default_factory=set)
    # How long each request for the API is delayed, in seconds.
    delay: float = 0
    # Functions to call after the service has answered a request, and before the browser gets the
    # reply. Their argument is, for example, "PUT /v1/exams/7/draft/".
    after: list[Callable[[str], None]] = field(default_factory=list)
    # Functions to call after a request about an exam, with the number of the reply. They are called
    # one at a time, in the order of the numbers. The browser gets the number in X-Test-Reply.
    numbered: list[Callable[[int], None]] = field(default_factory=list)
    # How many replies have a number.
    replies: int = 0
    _lock: Any = field(default_factory=Lock)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        called = f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}"
        if self.delay and " /v1/" in called:
            time.sleep(self.delay)
        device = environ.get("HTTP_USER_AGENT", "")
        if device in self.cut or (self.cut and "HeadlessChrome" in device):
            return self._nothing(start_response)
        if any(re.fullmatch(each, called) for each in self.rejected):
            start_response("400 Bad Request", [("Content-Type", "application/json"), REQUEST_ID])
            return [b'{"code": "invalid", "detail": "Rejected by a firewall."}']
        if any(re.fullmatch(each, called) for each in self.busy):
            headers = [
                ("Content-Type", "application/json"),
                ("Retry-After", str(PAUSE)),
                REQUEST_ID,
            ]
            start_response("503 Service Unavailable", headers)
            return [b'{"code": "unavailable", "detail": "Try again later."}']
        if any(re.fullmatch(each, called) for each in self.lost):
            reply = self.app(environ, lambda *_: lambda _: None)
            for _ in reply:
                pass
            if close := getattr(reply, "close", None):
                close()
            self._answered(called)
            return self._nothing(start_response)
        started: list[Any] = []
        reply = self.app(environ, lambda *given: started.extend(given))
        status, headers = started[:2]
        start_response(status, [*headers, *self._answered(called)])
        return reply

    def _answered(self, called: str) -> list[tuple[str, str]]:
        """Call the functions that wait for this reply. Returns headers to add."""
        for each in self.after:
            each(called)
        if " /v1/exams/" not in called:
            return []
        # By now, the service has stored what this reply tells.
        with self._lock:
            self.replies += 1
            for numbered in self.numbered:
                numbered(self.replies)
            return [("X-Test-Reply", str(self.replies))]

    @staticmethod
    def _nothing(start_response: Any) -> list[bytes]:
        # The response of a gateway that gets no reply. Pages treat it like a missing reply.
        start_response("504 Gateway Timeout", [("Content-Type", "text/html")])
        return [b"<h1>504 Gateway Timeout</h1>"]


@dataclass
class Site:
    """A running service, and a browser that visits it. `service` creates people and exams."""

    address: str
    sockets: str
    service: Service
    browser: Any
    line: Line = field(default_factory=lambda: Line(None))
    complaints: list[str] = field(default_factory=list)
    # The open browser contexts that visit this site. The browser has others: all tests of a process
    # share it.
    devices: list[Any] = field(default_factory=list)
    # Functions that are called with each new device.
    prepare: list[Callable[[Any], None]] = field(default_factory=list)
    # The latest requests of all pages, with the status or the error: "GET http://…/v1/exams/7/:
    # 200".
    recent: deque[str] = field(default_factory=lambda: deque(maxlen=RECENT))
    _tolerated: list[re.Pattern[str]] = field(default_factory=list)

    @property
    def clock(self) -> Clock | None:
        """The clock of the service and the pages, if there is a service."""
        return self.service.clock if self.service else None

    def move_clocks(self) -> None:
        """Give all pages the service's time."""
        set_clock = f"({CLOCK})({self.service.clock.milliseconds_ahead})"  # type: ignore[attr-defined]
        for context in self.devices:
            context.add_init_script(set_clock)
            for page in context.pages:
                page.evaluate(set_clock)

    def device(self, **options: Any) -> Any:
        """A browser context: another device, with its own storage. `options` are Playwright's, such
        as `viewport`, `color_scheme` and `locale`."""
        # While a colour changes, its contrast may be too low, and a test could see that.
        options = {"timezone_id": "UTC", "reduced_motion": "reduce", **options}
        context = self.browser.new_context(base_url=self.address, **options)
        context.set_default_timeout(MILLISECONDS)
        self.devices.append(context)
        context.on("close", lambda closed: self.devices.remove(closed))
        if isinstance(self.clock, RunningClock):
            context.add_init_script(f"({CLOCK})({self.clock.milliseconds_ahead})")
        context.expose_binding("complain", lambda _, text: self._complain(f"policy: {text}"))
        context.add_init_script(WATCH_POLICY)
        context.on("console", self._console)
        context.on("weberror", lambda each: self._complain(f"error: {each.error}"))
        context.on("request", self._request)
        context.on("response", lambda each: self._note(each.request, each.status))
        context.on("requestfailed", lambda each: self._note(each, each.failure))
        for prepare in self.prepare:
            prepare(context)
        return context

    def visit(self, path: str, **options: Any) -> Any:
        """Open a page on a new device."""
        page = self.device(**options).new_page()
        page.goto(path)
        return page

    def signed_in(self, person: Person, path: str, context: Any = None, **options: Any) -> Any:
        """Open a page of the portal or the console for a user who has logged in there, on a new
        device or on that of a browser context."""
        front_end = "console" if path.startswith("/console/") else "portal"
        config = self.service.http.get("/pages/config.json").json
        login = self.service.http.post_json(
            "/v1/auth/login/",
            {"email": person.email, "password": PASSWORD},
            headers={"X-Api-Key": config["api_key"]},
        ).json
        session = {"refresh": login["refresh"], "user": login["profile"]}
        page = (context or self.device(**options)).new_page()
        # Open a document of this origin without scripts, to write into the origin's storage.
        page.goto("/pages/config.json")
        page.evaluate(
            "([name, session]) => sessionStorage.setItem(name, session)",
            [f"{front_end}.session", json.dumps(session)],
        )
        page.goto(path)
        return page

    def tolerate(self, pattern: str) -> None:
        """Accept reports that match the pattern, such as errors of a connection that the test
        cuts.
        """
        self._tolerated.append(re.compile(pattern))

    def _console(self, message: Any) -> None:
        # If a page signs out while it opens its socket, it has to close the socket.
        if message.text.endswith("WebSocket is closed before the connection is established."):
            return
        if message.type in ("error", "warning"):
            self._complain(f"{message.type}: {message.text} ({message.location['url']})")

    def _request(self, request: Any) -> None:
        self._note(request, "sent")
        url = request.url
        if not url.startswith((f"{self.address}/", self.sockets, *INTERNAL)):
            self._complain(f"request: {url}")

    def _note(self, request: Any, what: object) -> None:
        at = datetime.now(UTC).strftime("%M:%S.%f")[:-3]
        self.recent.append(f"{at} {request.method} {request.url}: {what}")

    def _complain(self, text: str) -> None:
        self.complaints.append(text)

    def described(self) -> str:
        """A description of all pages for the report of a failed test: what they show now, their
        latest requests, and the errors that they have reported.
        """
        from playwright.sync_api import Error

        pages = [page for context in self.devices for page in context.pages]
        shown = []
        for page in pages:
            try:
                shown.append(f"{page.url}\n{page.locator('body').aria_snapshot(timeout=5_000)}")
            except Error as error:
                shown.append(f"{page.url}\n{error}")
        return "\n\n".join([*shown, "\n".join(self.recent), "\n".join(self.complaints)])

    def check(self) -> None:
        """Raise AssertionError if a page has reported something that is not tolerated."""
        found = [
            each for each in self.complaints if not any(it.search(each) for it in self._tolerated)
        ]
        assert found == [], "\n".join(found)


def wait_for(page: Any, is_so: Callable[[], Any]) -> None:
    """Wait until a condition is true. Unlike `wait_until`, this lets Playwright handle events of
    the browser in the meantime, such as an opened WebSocket.
    """

    def is_so_now() -> Any:
        page.wait_for_timeout(20)
        return is_so()

    wait_until(is_so_now, pause=0)


def opened(page: Any, heading: str | re.Pattern[str]) -> None:
    """Wait until a document is there: its heading, and the reply to each request that it has
    sent."""
    page.get_by_role("heading", name=heading, level=1, exact=True).wait_for()
    page.wait_for_load_state("networkidle")


def arrived(page: Any, heading: str | re.Pattern[str]) -> None:
    """Wait until a page is there, with every part of it.

    Use it before you look at a page or press keys. The page before may have elements of the same
    name.
    """
    opened(page, heading)
    # If a link has opened the page in the same document, its heading may be there before the rest.
    page.locator("[aria-busy=true]").first.wait_for(state="detached")


def faults(page: Any, run: str = AXE_RUN) -> list[str]:
    """The faults of a page: violations of accessibility rules, a number of h1 other than one, and
    sideways scrolling."""
    # Debugging commands, unlike scripts of the page, are not subject to its policy.
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    size = page.viewport_size
    # Show the whole page, because a bar at the bottom may cover a part of a button. Users scroll.
    height = page.evaluate("Math.max(innerHeight, document.documentElement.scrollHeight)")
    page.set_viewport_size({**size, "height": height})
    found = [
        f"{each['id']}: {each['help']}: {node['html']}"
        for each in page.evaluate(run)
        for node in each["nodes"]
    ]
    page.set_viewport_size(size)
    headings = page.locator("h1").count()
    if headings != 1:
        found.append(f"the page has {headings} h1")
    wide, shown = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    if wide > shown:
        found.append(f"the page is {wide} pixels wide, but shows {shown}")
    return found


def every_view(
    page: Any, name: str, ready: Callable[[Any], Any], *, data: Collection[str] = ()
) -> None:
    """Look at a page small and large, light and dark, enlarged, and in both languages. Raises
    AssertionError for its faults, and for words of buttons, columns and fields that are in no
    catalogue.

    `ready(page)` waits until the page shows what it should, in any language: by its heading or a
    value, not by words that are translated. `data` are words of buttons and fields that come from
    the database. `tests/support/views.py` lists all names.
    """
    assert is_at(name, urlsplit(page.url).path), f"{name} is another page than {page.url}"
    before = page.viewport_size
    found = []
    ready(page)
    for size, viewport in (("small", PHONE), ("large", SCREEN)):
        page.set_viewport_size(viewport)
        # Without motion, because colours that are still changing have no contrast of their own.
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        found += [f"{name}, {size}: {each}" for each in faults(page)]
        # Only colours depend on the scheme.
        page.emulate_media(color_scheme="dark")
        found += [f"{name}, {size} and dark: {each}" for each in faults(page, AXE_CONTRAST)]
        page.emulate_media(color_scheme="light")
    found += [f"{name}, {each}" for each in cut_off(page)]
    # What axe looks at is the same in each language; only the lengths of words differ.
    speak(page, "fr")
    ready(page)
    found += [f"{name}, in French, {each}" for each in cut_off(page)]
    speak(page, TEST_LANGUAGE)
    ready(page)
    # Leave out names of languages, which are the same in each language, and questions, which are
    # content.
    names = "button:not([lang]), th[scope=col], label:not(.option), legend:not(.options > legend)"
    words = page.locator(names)
    texts = [each.strip() for each in words.all_inner_texts()]
    found += [
        f"{name}: {each!r} is in no catalogue"
        for each in texts
        if each and "⟦" not in each and each not in data
    ]
    speak(page, "en")
    ready(page)
    if before:
        page.set_viewport_size(before)
    assert found == [], "\n".join(found)


def speak(page: Any, language: str) -> None:
    """Choose the language of a page, as its button for the language does."""
    page.evaluate(SPEAK, language)


# Chromium can't use its sandbox as root. In each new window, it would load two pages with
# suggestions for the address bar, which takes as much time as the rest of the window. This list of
# disabled features replaces Playwright's list. With HttpsUpgrades, Chromium would try https first.
SWITCHES = [
    "--no-sandbox",
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,HttpsUpgrades,Translate",
]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The system's Chromium. All tests of a process share it, because starting it takes longer than
    many tests. Use it in `closing_contexts`.

    As long as it runs, asyncio can't be used in the thread of the tests: Playwright uses it there.
    """
    # Import Playwright here, so that only tests that need it import it.
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=MILLISECONDS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(CHROMIUM), args=SWITCHES)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def closing_contexts(browser: Any) -> Iterator[Any]:
    """Context manager: close the contexts that a test has opened, with their pages, storage and
    connections. Leave it before the server stops, which waits for open connections."""
    before = browser.contexts
    try:
        yield browser
    finally:
        for context in browser.contexts:
            if context not in before:
                context.close()


@pytest.fixture
def site(sockets: Any, chromium: Any) -> Iterator[Site]:
    """The service with its own database, its sockets, and a browser. The test fails if a page
    reports an error.
    """
    service: Service = sockets.service
    runtime = service.runtime
    service.clock = runtime.clock = clock = RunningClock()
    runtime.settings = runtime.settings.replace(PagesSettings, sockets=sockets.url)
    line = Line(service.http.app)
    with served(line) as address, closing_contexts(chromium) as browser:
        runtime.public_url, runtime.api_url = address, f"{address}/v1"
        site = Site(address, sockets.url, service, browser, line)
        clock.moved = site.move_clocks
        yield site
    site.check()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Describe the pages in the report of a test that has failed."""
    report = yield
    site = getattr(item, "funcargs", {}).get("site")
    if report.when == "call" and report.failed and site:
        report.sections.append(("Pages", site.described()))
    return report
