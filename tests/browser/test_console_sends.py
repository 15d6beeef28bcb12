"""Every page of the console says when a request that changes something has failed."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image

from competition.testing.identity_papers import encoded
from tests.support.console_league import league
from tests.support.console_requests import ID, Requests
from tests.support.programs import CHROMIUM, needs_program
from tests.support.repository import REPOSITORY

pytestmark = [needs_program(CHROMIUM), pytest.mark.long]

CONSOLE = REPOSITORY / "competition/plugins/console/static"
PICTURE = encoded(Image.new("RGB", (600, 600), "burlywood"), "PNG")

# A page, how the name of the button begins that the user presses first, and the request that this
# button, or one in the forms and dialogs that follow, sends. The test lets that request fail.
SENT = [
    ("/account", "Save", "PATCH /account-management/"),
    ("/account", "Set up an authenticator app", "POST /auth/second-factor/"),
    ("/account", "Set up an authenticator app", "POST /auth/second-factor/confirm/"),
    ("/account", "Sign out", "DELETE /auth/sessions/{session_id}/"),
    ("/account", "Sign out everywhere", "DELETE /auth/sessions/"),
    ("/", "Mark one as read", "PATCH /notifications/mark-all-as-read/"),
    ("/candidates/:id", "Assign stage", "PUT /candidates/{candidate_id}/roles/assign/"),
    ("/candidates/:id", "Give time", "POST /exams/{exam_id}/allowances/"),
    ("/candidates/:id", "Edit details", "PATCH /account-management/{user_id}/"),
    ("/candidates/:id", "Change", "PUT /candidates/{candidate_id}/allowance/"),
    ("/candidates/:id", "Take back", "DELETE /exams/{exam_id}/allowances/{allowance_id}/"),
    ("/candidates/:id", "Deactivate", "PUT /account-management/{user_id}/activation/"),
    ("/candidates/:id", "Delete account", "DELETE /users/{user_id}/"),
    ("/staff/invite", "Send invitation", "POST /staff/invite/"),
    ("/staff/:id", "Change role", "PUT /staff/{staff_id}/roles/assign/"),
    ("/staff/:id", "Deactivate", "PUT /account-management/{user_id}/activation/"),
    ("/staff/:id", "Delete account", "DELETE /users/{user_id}/"),
    ("/leaving", "Restore", "POST /users/{user_id}/restore/"),
    ("/questions", "Add one question to exams", "POST /questions/bulk-add-to-exams/"),
    ("/questions", "Archive one question", "POST /questions/bulk-archive/"),
    ("/questions/new", "Insert an image", "POST /questions/images/"),
    ("/questions/new", "Add to the bank", "POST /questions/"),
    ("/questions/:id", "Archive", "DELETE /questions/{question_id}/"),
    ("/questions/:id", "Save the question", "PATCH /questions/{question_id}/"),
    ("/exams/new", "Create the exam", "POST /exams/"),
    ("/exams/:id", "Save changes", "PATCH /exams/{exam_id}/"),
    ("/exams/:id", "Switch the exam off", "PATCH /exams/{exam_id}/"),
    ("/exams/:id", "Delete the exam", "DELETE /exams/{exam_id}/"),
    ("/exams/:id", "Freeze the paper", "POST /exams/{exam_id}/prepare/"),
    ("/exams/:id", "Unfreeze the paper", "DELETE /exams/{exam_id}/prepare/"),
    ("/exams/:id/paper", "Save the paper", "PATCH /exams/{exam_id}/"),
    ("/exams/:id/day", "Conclude", "POST /exams/{exam_id}/conclude/"),
    ("/exams/:id/day", "Answer", "POST /clarifications/{clarification_id}/answer/"),
    ("/exams/:id/day", "Dismiss", "POST /clarifications/{clarification_id}/answer/"),
    ("/exams/:id/day", "Preview", "POST /exams/{exam_id}/announcements/"),
    ("/exams/:id/day", "Withdraw", "DELETE /exams/{exam_id}/allowances/{allowance_id}/"),
    ("/exams/:id/day/time", "Preview", "POST /exams/{exam_id}/allowances/"),
    ("/exams/:id/day/time", "Preview", "POST /exams/{exam_id}/allowances/preview/"),
    ("/exams/:id/results", "Download as a table", "POST /downloads/links/"),
    ("/exams/:id/printed", "Record the score", "PUT /exams/{exam_id}/submit-exam-score/"),
    ("/exams/:id/regrades/new", "Preview", "POST /exams/{exam_id}/regrades/"),
    ("/exams/:id/regrades/:rid", "Apply", "POST /exams/{exam_id}/regrades/{regrade_id}/apply/"),
    ("/exams/:id/regrades/:rid", "Revert", "POST /exams/{exam_id}/regrades/{regrade_id}/revert/"),
    ("/boards", "Withdraw", "DELETE /leaderboard/publications/{publication_id}/"),
    ("/boards/publish", "Check and publish", "POST /leaderboard/publish/"),
    ("/boards/publish", "Check and publish", "POST /leaderboard/publish/preview/"),
    ("/advancement/new", "Create the plan", "POST /advancement/"),
    ("/advancement/:id", "Move", "POST /advancement/{plan_id}/apply/"),
    ("/advancement/:id", "Undo the advancement", "POST /advancement/{plan_id}/undo/"),
    ("/advancement/:id", "Delete", "DELETE /advancement/{plan_id}/"),
    ("/advancement/:id/change", "Save", "PATCH /advancement/{plan_id}/"),
    ("/appeals/:id", "Check and send", "POST /appeals/{appeal_id}/answer/"),
    ("/broadcasts/new", "Check and send", "POST /broadcasts/"),
    ("/house/flags", "Switch off", "PUT /flags/{name}/"),
    ("/house/keys", "New API key", "POST /api-keys/"),
    ("/house/keys", "Revoke", "DELETE /api-keys/{key_id}/"),
    ("/house/jobs", "Run again", "POST /jobs/{job_id}/retry/"),
    ("/house/mails", "Send again", "POST /mails/{mail_id}/resend/"),
]
# What to do before that button, so that the page has something to send.
BEFORE: dict[str, Callable[[Any], None]] = {
    "/questions": lambda page: page.locator("tbody input[type=checkbox]").first.check(),
    "/exams/:id/paper": lambda page: page.get_by_role("button", name="Remove").first.click(),
    "/exams/:id/printed": lambda page: choose(page, "Ben"),
    "/exams/:id/regrades/new": lambda page: page.get_by_role("checkbox").first.click(),
}
# Requests that the page sends while the user types.
TYPING = {"POST /broadcasts/preview/", "POST /questions/render/"}
# A request in the modules that console and portal share.
SHARED = {"POST /downloads/links/"}
# Requests that need a user in another state than that of this test. The same forms and dialogs send
# them.
ELSEWHERE = {
    # Users who are not signed in.
    "POST /auth/login/",
    "POST /auth/login/second-factor/",
    "POST /auth/password-change/",
    "POST /auth/password-change/confirm-otp/",
    "POST /auth/password-change/request/",
    "POST /auth/password-change/resend-otp/",
    # Staff whose account is not verified.
    "PATCH /user/verification/upload/",
    "POST /send-email-otp/",
    "POST /user/verification/upload/",
    "POST /verify-email-otp/",
    # Staff with a second factor.
    "DELETE /auth/second-factor/",
    "POST /auth/second-factor/recovery-codes/",
    # Questions with images.
    "DELETE /questions/images/{image_id}/",
    "PATCH /questions/images/{image_id}/",
    # The page signs out without a reply, too.
    "POST /auth/logout/",
    # Reviewers can undo it for some seconds. `test_console_documents.py` has a test for it.
    "POST /user/verification/action/{user_id}/",
}
# What the page shows: what failed, what to do next, and the id of the request.
EXPLAINED = ("The service has failed. Nothing was changed.", "Try again in a minute.", ID)
# How many forms and dialogs may follow the first button.
STEPS = 4
VALUES = {
    "email": "new@example.org",
    "date": "2030-12-14",
    "time": "18:00",
    "tel": "+2348012345678",
    "password": "correct horse",
}
FORMS = "main form:not([role=search])"
# JavaScript: the values of all fields.
FIELDS = """() => [...document.querySelectorAll(
  "main :is(input, textarea, select), dialog :is(input, textarea, select)"
)].map(each => each.type === "file" ? each.files.length
  : ["checkbox", "radio"].includes(each.type) ? each.checked : each.value)"""
# JavaScript: remove the drafts of forms.
FORGET = """() => Object.keys(sessionStorage)
  .filter(each => each.startsWith("draft."))
  .forEach(each => sessionStorage.removeItem(each))"""


def choose(page: Any, name: str) -> None:
    page.get_by_role("searchbox").first.fill(name)
    page.get_by_role("button", name=re.compile(name)).first.click()


def fill(scope: Any) -> None:
    """Fill in the fields that are empty."""
    for kind in ("checkbox", "radio"):
        for each in scope.locator(f"fieldset:visible:has(input[type={kind}])").all():
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


def calls() -> set[str]:
    """The requests in the modules of the console that may change something, such as
    "POST /exams/{exam_id}/"."""
    source = "".join(each.read_text() for each in CONSOLE.rglob("calls.js"))
    found = re.findall(r'\b(post|put|patch|delete)(?:\(|", )\s*"(/[^"]*)"', source)
    found += [("post", path) for path in re.findall(r'\bupload\("(/[^"]*)"', source)]
    return {f"{method.upper()} {path}" for method, path in found}


def first_button(page: Any, requests: Requests, route: str, views: list[str], name: str) -> Any:
    """Open the page, in the first of its views that has the button, and return the button. None if
    no view has it."""
    for view in views:
        page.evaluate(FORGET)
        requests.visit(view)
        if route in BEFORE:
            BEFORE[route](page)
            requests.settle()
        button = page.locator("main").get_by_role("button", name=re.compile(f"^{name}"))
        if button.count():
            return button.first.element_handle()
    return None


def press(page: Any, requests: Requests, button: Any) -> Any:
    """Press the button, and then the buttons of the forms and dialogs that follow, until the
    request has failed. Returns the last button and the values of all fields before it was pressed,
    or None if the request was not sent."""
    if button.evaluate("each => each.closest('form') !== null"):
        fill(page.locator(FORMS))
        requests.settle()
    for _ in range(STEPS):
        fields = page.evaluate(FIELDS)
        button.click()
        requests.settle()
        if requests.failed:
            return button, fields
        dialogs = page.locator("dialog[open]")
        last = dialogs.last if dialogs.count() else page.locator(FORMS).last
        fill(last)
        requests.settle()
        buttons = last.locator("button.first, button.bad")
        if not buttons.count():
            return None
        button = buttons.last.element_handle()
    return None


def fault(page: Any, requests: Requests, button: Any) -> str | None:
    """What is wrong with the page after the request that follows the button has failed."""
    pressed = press(page, requests, button)
    if pressed is None:
        return "is not sent"
    button, fields = pressed
    shown = page.locator("body").inner_text()
    if not all(each in shown for each in EXPLAINED):
        return "is not explained"
    if page.evaluate(FIELDS) != fields:
        return "loses what was typed"
    count = len(requests.failed)
    again = page.get_by_role("button", name="Try again")
    if again.count():
        again.last.click()
    else:
        button.click()
    requests.settle()
    return None if len(requests.failed) > count else "can't be sent again"


def test_what_fails_to_be_sent_is_explained_kept_and_can_be_sent_again(site):
    boss = site.service.staff("superadmin", first_name="Maria", last_name="Okafor")
    addresses, others = league(site, boss)
    site.tolerate("status of 500")
    # A candidate without saved answers.
    site.tolerate(r"status of 404 .*/drafts/")
    page = site.signed_in(boss, "/console/account")
    requests = Requests(page)
    wrong = []
    for route, name, sent in SENT:
        views = [addresses[route], *others.get(route, ())]
        button = first_button(page, requests, route, views, name)
        with requests.fail(re.sub(r"\{\w+\}", "[^/]+", sent)):
            problem = fault(page, requests, button) if button else "has no button"
            if problem:
                wrong.append(f"{route}: {name}: {sent} {problem}")
        while page.locator("dialog[open]").count():
            page.keyboard.press("Escape")
    assert wrong == [], "\n".join(wrong)


def test_each_request_that_changes_something_fails_in_the_other_test():
    covered = {sent for _, _, sent in SENT}
    assert covered & ELSEWHERE == set()
    assert covered | ELSEWHERE | TYPING == calls() | SHARED
