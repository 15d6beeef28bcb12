"""Every page of the console says which of its reads has failed, and tries it again."""

import re

import pytest

from tests.support.console_league import league
from tests.support.console_requests import ID, Requests
from tests.support.programs import CHROMIUM, needs_program
from tests.support.views import routes

pytestmark = [needs_program(CHROMIUM), pytest.mark.long]

SAYS = "The service has failed. Nothing was changed."
NEXT = "Try again in a minute."


@pytest.fixture
def boss(site):
    return site.service.staff("superadmin", first_name="Maria", last_name="Okafor")


@pytest.fixture
def pages(site, boss):
    found, others = league(site, boss)
    assert set(found) == routes("console"), "Give each page an address in console_league.py."
    site.tolerate("status of 500")
    # A candidate without saved answers.
    site.tolerate(r"status of 404 .*/drafts/")
    return {route: [address, *others.get(route, ())] for route, address in found.items()}


OPEN = ("/sign-in", "/password")


def explains(text: str) -> bool:
    return SAYS in text and NEXT in text and ID in text


def test_each_read_that_fails_is_explained_and_can_be_tried_again(site, boss, pages):
    page = site.signed_in(boss, "/console/account")
    requests = Requests(page)
    page.reload()
    requests.settle()
    main = page.locator("main")
    wrong = []
    for route, [address, *_] in pages.items():
        if route in OPEN:
            continue
        requests.seen.clear()
        requests.visit(address)
        for read in sorted({each for each in requests.seen if each.startswith("GET ")}):
            with requests.fail(re.escape(read)):
                requests.visit(address)
                if not requests.failed:
                    # The frame of the console has the same reading, and keeps it.
                    page.goto(f"/console{address}")
                    requests.settle()
            text = main.inner_text()
            if not explains(text):
                wrong.append(f"{route}: {read}: {'no id' if SAYS in text else 'silent'}")
                continue
            for _ in range(10):
                again = main.get_by_role("button", name="Try again")
                if not again.count():
                    break
                again.first.click()
                requests.settle()
            if ID in main.inner_text():
                wrong.append(f"{route}: {read} can't be tried again")
    assert wrong == [], "\n".join(wrong)
