"""The documentation pages in Debian's Chromium, used like a client developer uses them."""

import json

import pytest

from competition.testing.service import PASSWORD
from tests.support.browser import MILLISECONDS, closing_contexts
from tests.support.programs import CHROMIUM, needs_program
from tests.support.served import served

pytestmark = needs_program(CHROMIUM)


@pytest.fixture
def address(live):
    """The URL of a server that runs the application."""
    with served(live.http.app) as url:
        yield url


@pytest.fixture
def page(address, chromium):
    """A browser page. The test fails if the page logs a message, sends a request to another host,
    or if a request fails.
    """
    complaints, fetched = [], []
    with closing_contexts(chromium) as browser:
        # The window is high enough for the whole page, because Swagger UI renders only the visible
        # part of a long list.
        page = browser.new_page(viewport={"width": 1280, "height": 20_000})
        page.set_default_timeout(MILLISECONDS)
        page.on("console", lambda each: complaints.append(each.text))
        page.on("pageerror", lambda each: complaints.append(str(each)))
        page.on("requestfailed", lambda each: complaints.append(each.url))
        page.on("response", lambda each: each.ok or complaints.append(f"{each.status} {each.url}"))
        page.on("request", lambda each: fetched.append(each.url))
        yield page
    assert complaints == []
    assert {each for each in fetched if not each.startswith(("data:", "blob:", address))} == set()


def test_a_reader_finds_the_operations_logs_in_and_calls_one(live, address, page):
    page.goto(f"{address}/v1/docs/redoc/")
    page.get_by_role("heading", name="Competition Service").first.wait_for()
    page.get_by_text("/auth/login/").first.wait_for(state="attached")
    ada = live.candidate()
    # The page works without its slash.
    page.goto(f"{address}/v1/docs/swagger")
    authorize(page, live.key)
    login = operation(page, "POST", "/auth/login/")
    body = json.dumps({"email": ada.email, "password": PASSWORD})
    login.locator("textarea").fill(body)
    tokens = json.loads(execute(login))
    authorize(page, live.key, tokens["access"])
    me = json.loads(execute(operation(page, "GET", "/candidates/me/")))
    assert me["user"]["email"] == ada.email


def authorize(page, *values):
    page.locator("button.authorize").first.click()
    dialog = page.locator(".modal-ux")
    for number, value in enumerate(values):
        each = dialog.locator(".auth-container").nth(number)
        if (out := each.get_by_role("button", name="Remove authorization")).count():
            out.click()
        each.locator("input").fill(value)
        each.locator("button.authorize").click()
    dialog.locator("button.close-modal").click()


def operation(page, method, path):
    """Open an operation's form, ready to be sent."""
    block = page.locator(f".opblock-{method.lower()}").filter(
        has=page.locator(f'[data-path="{path}"]')
    )
    block.locator(".opblock-summary-control").click()
    block.get_by_role("button", name="Try it out").click()
    return block


def execute(block):
    """Send the request, check that the status is 200, and return the response's body."""
    block.locator("button.execute").click()
    answer = block.locator(".live-responses-table")
    assert answer.locator(".response-col_status").last.inner_text().strip() == "200"
    return answer.locator("pre, code").first.inner_text()
