"""Every page of the console says which of its requests has failed: to read something, or to change
it."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image

from competition.testing.identity_papers import encoded
from competition.testing.waiting import wait_until
from tests.support.console_league import league
from tests.support.console_requests import ELSEWHERE, FIELDS, ID, NEXT, SAYS, Requests
from tests.support.programs import CHROMIUM, needs_program
from tests.support.repository import REPOSITORY
from tests.support.views import routes

pytestmark = [needs_program(CHROMIUM), pytest.mark.long]

STATIC = REPOSITORY / "competition/plugins"
PICTURE = encoded(Image.new("RGB", (600, 600), "burlywood"), "PNG")
# `test_console_documents.py` has a test for it.
DECISION = "POST /user/verification/action/{user_id}/"


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


OPEN = ("/sign-in", "/password", "/restore")
# The frame of the console polls this, whichever page is open. These two pages show it, too.
POLLED = "GET /dashboard/staff/"
OVERVIEWS = ("/", "/exams")


def explains(part: Any) -> bool:
    """Whether a part of a page explains the failure, at once or after the page has drawn the reply
    or repeated the request."""

    def is_explained() -> bool:
        text = part.inner_text()
        return SAYS in text and NEXT in text and ID in text

    return happens(is_explained)


def happens(condition: Callable[[], bool]) -> bool:
    """Whether the condition is met within PATIENCE."""
    try:
        wait_until(condition)
    except AssertionError:
        return False
    return True


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
        reads = {each for each in requests.seen if each.startswith("GET ")}
        for read in sorted(reads if route in OVERVIEWS else reads - {POLLED}):
            with requests.fail(re.escape(read)):
                requests.visit(address)
                if not requests.failed:
                    # The frame of the console has the same reading, and keeps it.
                    page.goto(f"/console{address}")
                    requests.settle()
                if not explains(main):
                    wrong.append(f"{route}: {read} is not explained")
                    continue
            if not happens(lambda: is_tried_again(main, requests)):
                wrong.append(f"{route}: {read} can't be tried again")
    assert wrong == [], "\n".join(wrong)


def is_tried_again(main: Any, requests: Requests) -> bool:
    """Press the button of a failed request. Returns whether no failure is left."""
    again = main.get_by_role("button", name="Try again")
    if again.count():
        again.first.click()
        requests.settle()
    return ID not in main.inner_text()


# Requests that only read something, or that the user does not send.
READS = r"\w+ (.*/preview/|/ws/tickets/|/auth/token/refresh/|/questions/render/)"
WRITES = rf"(?!GET|{READS}).*"
# How many dialogs and steps may precede a request.
STEPS = 4
BUTTONS = "main button:visible:not(th button, [aria-disabled=true])"
FORMS = "main form:not([role=search])"
# Removes the drafts of forms.
FORGET = """() => Object.keys(sessionStorage)
  .filter(each => each.startsWith("draft."))
  .forEach(each => sessionStorage.removeItem(each))"""
VALUES = {
    "email": "new@example.org",
    "date": "2030-12-14",
    "time": "18:00",
    "tel": "+2348012345678",
    "password": "correct horse",
}
# What to do before the buttons of a page are pressed, so that they have something to send.
BEFORE: dict[str, Callable[[Any], None]] = {
    "/questions": lambda page: page.locator("tbody input[type=checkbox]").first.check(),
    "/exams/:id/paper": lambda page: page.get_by_role("button", name="Remove").first.click(),
    "/exams/:id/printed": lambda page: choose(page, "Ben"),
    "/exams/:id/regrades/new": lambda page: page.get_by_role("checkbox").first.click(),
}


def choose(page: Any, name: str) -> None:
    page.get_by_role("searchbox").first.fill(name)
    page.get_by_role("button", name=re.compile(name)).first.click()


def fill(scope: Any) -> None:
    """Fill in the fields that are empty."""
    for kind in ("checkbox", "radio"):
        sets = scope.locator(f"fieldset:visible:has(input[type={kind}])")
        for each in sets.all():
            if not each.locator("input:checked").count():
                each.locator(f"input[type={kind}]").first.dispatch_event("click")
    # A choice may show further fields.
    for _ in range(2):
        for each in scope.locator("input:visible, textarea:visible, select:visible").all():
            fill_one(each)


def fill_one(field: Any) -> None:
    kind = field.get_attribute("type") or field.evaluate("each => each.localName")
    if kind in ("checkbox", "radio", "search"):
        return
    if kind == "file":
        if not field.evaluate("each => each.files.length"):
            field.set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": PICTURE})
    elif field.input_value():
        return
    elif kind == "select":
        if field.get_attribute("required") is not None:
            field.select_option(index=field.locator("option").count() - 1)
    elif field.get_attribute("autocomplete") == "one-time-code":
        field.fill("123456")
    else:
        field.fill(VALUES.get(kind, "3"))


def sends() -> set[str]:
    """The requests in the modules of the console that change something, such as
    "POST /exams/{exam_id}/"."""
    source = "".join(each.read_text() for each in (STATIC / "console/static").rglob("calls.js"))
    call = r'(?:api\.|ask\("|request\(")(post|put|patch|delete)(?:\(|", )\s*"([^"]+)"'
    found = {f"{method.upper()} {path}" for method, path in re.findall(call, source)}
    upload = r'upload\("([^"]+)"(?:[^;]*method: "(\w+)")?'
    found |= {f"{method or 'POST'} {path}" for path, method in re.findall(upload, source)}
    return {each for each in found if re.fullmatch(WRITES, each)}


def named(request: str, known: set[str]) -> str:
    """The request with the names of its parameters, as `sends` has it. Requests of the shared
    modules stay as they are."""
    is_this = {each: re.sub(r"\{\w+\}", "[^/]+", each) for each in known}
    return next((each for each in known if re.fullmatch(is_this[each], request)), request)


def press(page: Any, requests: Requests, button: Any) -> Any:
    """Press a button, and the buttons of the dialogs and forms that appear, until a request has
    failed. Returns the button of that request and the values of all fields before it was pressed,
    or None if nothing is sent."""
    form = button.locator("xpath=ancestor::form[1]")
    if form.count():
        fill(form)
    forms = page.locator(FORMS).count()
    for _ in range(STEPS):
        handle, before = button.element_handle(), page.evaluate(FIELDS)
        button.click()
        requests.settle()
        if requests.failed:
            return handle, before
        dialog, new = page.locator("dialog[open]"), page.locator(FORMS)
        if not dialog.count() and new.count() <= forms:
            return None
        forms = new.count()
        scope = dialog.last if dialog.count() else new.last
        fill(scope)
        button = scope.locator("button.first, button.bad").last
        if not button.count():
            return None
    return None


def problem(page: Any, requests: Requests, pressed: Any) -> str | None:
    """The fault of a page whose request has just failed, or None."""
    handle, before = pressed
    if not explains(page.locator("body")):
        return "is not explained"
    # Further fields may have appeared, because a list that they are for has arrived.
    if lost := Counter(before) - Counter(page.evaluate(FIELDS)):
        return f"loses what was typed: {', '.join(lost)}"
    count = len(requests.failed)
    again = page.get_by_role("button", name="Try again")
    if again.count():
        again.last.click()
    else:
        handle.click()

    def is_sent_again() -> bool:
        requests.settle()
        return len(requests.failed) > count

    return None if happens(is_sent_again) else "can't be sent again"


def test_what_fails_to_be_sent_is_explained_kept_and_can_be_sent_again(site, boss, pages):
    page = site.signed_in(boss, "/console/account")
    requests = Requests(page)
    known = sends()
    seen: set[str] = set()
    wrong = []
    for route, views in pages.items():
        if route in OPEN:
            continue
        pressed_before: set[str] = set()
        for view in views:
            arrive(page, requests, route, view)
            texts = page.locator(BUTTONS).all_inner_texts()
            for at, text in enumerate(texts):
                # Several rows have the same button, and several tabs.
                if (short := text.split("\n")[0]) in pressed_before:
                    continue
                pressed_before.add(short)
                with requests.fail(WRITES):
                    arrive(page, requests, route, view)
                    pressed = press(page, requests, page.locator(BUTTONS).nth(at))
                    # Reviewers can undo a decision for some seconds, and then get the next case.
                    if pressed and "/user/verification/action/" not in requests.failed[0]:
                        sent = named(requests.failed[0], known)
                        seen.add(sent)
                        if fault := problem(page, requests, pressed):
                            wrong.append(f"{view}: {short}: {sent} {fault}")
                    while page.locator("dialog[open]").count():
                        page.keyboard.press("Escape")
    assert wrong == [], "\n".join(wrong)
    # `test_console_failures_elsewhere.py` sends the others.
    assert known - seen == set().union(*ELSEWHERE.values()) | {DECISION}


def arrive(page: Any, requests: Requests, route: str, view: str) -> None:
    """Open a view of a page, without what was typed there before."""
    page.evaluate(FORGET)
    requests.visit(view)
    if route in BEFORE:
        BEFORE[route](page)
        requests.settle()
