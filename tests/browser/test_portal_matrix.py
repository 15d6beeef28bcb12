"""The page of an exam loses its connection at each step, and then each trouble happens: proves that
no answer is lost.

In each test, the candidate chooses B and C, and the service has them at the end, or those that
reached it in time. After each test, `proof` compares the answers that pages have called saved with
those that the service has.

These are some cells of a matrix. `tests/pages/portal/exam/matrix.test.js` tests all of them, with
the module of the exam alone and a model of the service.
"""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import TimeoutError

from competition.plugins.drafts.models import Draft
from competition.plugins.sittings.models import Submission
from competition.testing.exam_day import make_exam
from competition.testing.service import PASSWORD, Person
from tests.support.browser import MILLISECONDS, PHONE, SIGNING_OUT, Site, wait_for
from tests.support.exam_page import (
    ALL_SAVED,
    DRAFT,
    IN_NO_TIME,
    RECEIPT,
    SUBMIT,
    TAKE,
    Proof,
    choose,
    ends,
    says,
    shown,
    sign_in,
    stored,
    submit,
)
from tests.support.programs import CHROMIUM, needs_program
from tests.support.repository import REPOSITORY

pytestmark = [needs_program(CHROMIUM), pytest.mark.usefixtures("proof")]

MATRIX = json.loads((REPOSITORY / "tests/pages/portal/exam/matrix.json").read_text())
# The exam opens after this time, in minutes, and lasts an hour.
OPENS = MATRIX["opens"]
LASTS = 60
# Until this many minutes after the deadline, the service takes answers.
GRACE = 5
# How long a step waits for what it clicks, in milliseconds, until the next step is tried.
STEP = 20_000
# What a page says at the end of an exam.
END = re.compile(
    "The league has received your answer"
    "|The league submitted your "
    "|Your .*answers? saved by then"
    "|Submitted at .* from another device"
    "|nothing was submitted"
    "|This exam is over."
)
# The page learns everything by requests, because only these are cut: its socket never opens.
# `setDate` moves the device's date alone, and not the page's own clock.
PHONE_SCRIPT = f"""
window.WebSocket = class extends EventTarget {{ static OPEN = 1; close() {{}} }};
{IN_NO_TIME};
const [Right, date] = [Date, Date.now];
let ahead = 0;
globalThis.Date = class extends Right {{
  constructor(...given) {{ super(...(given.length ? given : [date() + ahead])); }}
  static now() {{ return date() + ahead; }}
}};
globalThis.setDate = milliseconds => {{ ahead += milliseconds; }};
"""
FULL = """
const store = Storage.prototype.setItem;
Storage.prototype.setItem = function (name, value) {
  if (this === localStorage) throw new DOMException("full", "QuotaExceededError");
  store.call(this, name, value);
};
"""
FORBIDDEN = """
const forbidden = { get() { throw new DOMException("forbidden", "SecurityError"); } };
Object.defineProperty(window, "localStorage", forbidden);
"""


@dataclass
class Case:
    """One candidate's exam on a phone."""

    site: Site
    ada: Person
    exam_id: int
    device: Any
    page: Any
    opens: datetime

    @property
    def path(self) -> str:
        return f"/exams/{self.exam_id}"

    def cut(self) -> None:
        self.site.line.cut.add("phone")

    def restore(self) -> None:
        """Repair the connection. The page continues at once."""
        self.site.line.cut.clear()
        self.site.line.lost.clear()
        self.go_on()

    def go_on(self) -> None:
        for page in self.device.pages:
            page.evaluate("dispatchEvent(new Event('online'))")

    def later(self, minutes: float) -> None:
        """Let time pass, for the service and for the phone."""
        self.site.service.clock.advance(minutes=minutes)
        self.site.service.run_task("drafts.hand_in")

    def open(self) -> Any:
        """Open the exam in another tab."""
        page = self.device.new_page()
        page.goto(self.path)
        return page

    def wait_until_open(self) -> None:
        left = self.opens - self.site.service.clock.now
        if left > timedelta(0):
            self.later(left / timedelta(minutes=1))

    def begin(self) -> None:
        """Start the exam, when it is open."""
        self.wait_until_open()
        self.go_on()
        self.page.get_by_role("button", name="Start").click()
        self.page.get_by_role("navigation", name="Questions").wait_for()

    def answer(self) -> None:
        """Choose B and C, which the service saves."""
        choose(self.page, 1, "B")
        choose(self.page, 2, "C")
        says(self.page, "All 2 answers saved at")


# The steps at which the connection is lost.


def before_the_start(case: Case) -> None:
    case.page.get_by_role("timer").wait_for()
    case.cut()


def at_the_start(case: Case) -> None:
    case.wait_until_open()
    case.go_on()
    case.site.line.lost.add(TAKE)
    case.page.get_by_role("button", name="Start").click()
    ends(case.page, "This page keeps trying.")
    case.cut()


def while_choosing(case: Case) -> None:
    case.begin()
    choose(case.page, 1, "B")
    says(case.page, ALL_SAVED)
    case.cut()
    choose(case.page, 2, "C")
    case.page.get_by_role("link", name="Question 2: C, here only").wait_for()


def while_saving(case: Case) -> None:
    case.begin()
    choose(case.page, 1, "B")
    says(case.page, ALL_SAVED)
    case.site.line.lost.add(DRAFT)
    choose(case.page, 2, "C")
    wait_for(case.page, lambda: stored(case.site, Draft, case.exam_id) == ["BC"])
    case.page.get_by_role("link", name="Question 2: C, here only").wait_for()
    case.cut()


def at_the_deadline(case: Case) -> None:
    while_choosing(case)
    case.later(LASTS)
    case.page.get_by_role("timer").get_by_text("00:00").wait_for()


def while_submitting(case: Case) -> None:
    case.begin()
    case.answer()
    case.site.line.lost.update((SUBMIT, RECEIPT))
    submit(case.page)
    ends(case.page, "No connection. This page will submit your answers")
    assert stored(case.site, Submission, case.exam_id) == ["BC"]
    case.cut()


def before_the_receipt(case: Case) -> None:
    """The service submits the answers at the end, and the page asks for the receipt."""
    case.begin()
    case.answer()
    asked = []
    case.site.line.after.append(lambda called: re.fullmatch(RECEIPT, called) and asked.append(1))
    case.site.line.lost.add(RECEIPT)
    case.later(LASTS + GRACE + 1)
    case.go_on()
    wait_for(case.page, lambda: asked)
    case.cut()


# What happens then.


def back_in_ten_minutes(case: Case) -> None:
    case.later(10)
    case.restore()


def never_back(case: Case) -> None:
    case.later(OPENS + LASTS + GRACE + 1)


def tab_killed(case: Case) -> None:
    # `close` runs no handlers of the page, so the page can't send anything.
    case.page.close()
    case.page = case.open()
    case.restore()


def second_tab(case: Case) -> None:
    case.page = case.open()
    case.restore()


def second_device(case: Case) -> None:
    """If the exam is running, the candidate also answers a question on the other device."""
    # Only the phone's replies get lost, and its connection is cut now.
    case.site.line.lost.clear()
    other = case.site.signed_in(case.ada, case.path, viewport=PHONE, user_agent="laptop")
    over = other.get_by_text(re.compile(f"{END.pattern}|Your time is up"))
    other.get_by_role("timer").or_(over).first.wait_for()
    if other.get_by_role("navigation", name="Questions").is_visible():
        choose(other, 4, "A")
        says(other, ALL_SAVED)
    case.restore()


def slept(case: Case) -> None:
    """While the device sleeps, its date goes on, and the page's own clock stands still."""
    clock = case.site.service.clock
    # Move no clock of a page.
    clock.moved = lambda: None
    clock.advance(minutes=2)
    case.page.evaluate("setDate(120_000)")
    case.restore()


def api_restarted(case: Case) -> None:
    # Lose what a process loses. Another test kills a process (test_portal_exam_trouble.py).
    case.site.service.runtime.close_parts()
    case.restore()


def time_given(case: Case) -> None:
    body = {"everyone": True, "extra_minutes": 10, "reason": "The projector failed."}
    path = f"/exams/{case.exam_id}/allowances/"
    case.site.service.staff("admin").post(path, body, status=201)
    case.restore()


def concluded(case: Case) -> None:
    # Only an exam that has opened can be concluded.
    case.wait_until_open()
    case.site.service.staff("admin").post(f"/exams/{case.exam_id}/conclude/", status=200)
    case.later(GRACE + 1)
    case.restore()


def signed_out_elsewhere(case: Case) -> None:
    for each in case.ada.get("/auth/sessions/").json:
        if not each["current"]:
            case.ada.delete(f"/auth/sessions/{each['id']}/", status=204)
    case.restore()


STEPS = {
    each.__name__: each
    for each in (
        before_the_start,
        at_the_start,
        while_choosing,
        while_saving,
        at_the_deadline,
        while_submitting,
        before_the_receipt,
    )
}
# What happens, and a script that changes the phone from the beginning.
TROUBLES = {
    "back_soon": (Case.restore, ""),
    "back_in_ten_minutes": (back_in_ten_minutes, ""),
    "never_back": (never_back, ""),
    "tab_killed": (tab_killed, ""),
    "second_tab": (second_tab, ""),
    "second_device": (second_device, ""),
    "clock_is_wrong": (Case.restore, "setDate(3_600_000);"),
    "slept": (slept, ""),
    "storage_is_forbidden": (Case.restore, FORBIDDEN),
    "storage_is_full": (Case.restore, FULL),
    "api_restarted": (api_restarted, ""),
    "time_given": (time_given, ""),
    "concluded": (concluded, ""),
    "signed_out_elsewhere": (signed_out_elsewhere, ""),
}
# The cells in which the service has something else than B and C at the end, and what it has. An
# answer that arrives too late does not count.
OUTCOMES = {(step, trouble): found for step, trouble, found in MATRIX["outcomes"]}
# Each other step and trouble once.
CELLS = [
    *OUTCOMES,
    ("before_the_receipt", "back_soon"),
    ("while_saving", "tab_killed"),
    ("at_the_start", "second_tab"),
    ("at_the_deadline", "clock_is_wrong"),
    ("while_choosing", "slept"),
    ("while_submitting", "storage_is_forbidden"),
    ("while_saving", "storage_is_full"),
    ("while_submitting", "api_restarted"),
    ("at_the_deadline", "time_given"),
    ("while_choosing", "signed_out_elsewhere"),
]


def finish(case: Case) -> None:
    """Do what the page asks for, until the exam has ended."""
    page = case.page
    end = page.get_by_role("main").get_by_text(END).first
    start = page.get_by_role("button", name="Start")
    running = page.get_by_role("navigation", name="Questions")

    def try_to_end() -> None:
        if page.get_by_role("button", name="Sign in").first.is_visible():
            sign_in_again(page, case.ada)
        elif start.is_visible():
            start.click()
            running.wait_for()
        elif running.is_visible() and not shown(page).startswith("BC"):
            choose(page, 1, "B")
            choose(page, 2, "C")
        elif page.locator(".bar").get_by_text(ALL_SAVED).is_visible():
            submit(page)
            end.wait_for()
        elif not end.is_visible():
            # The page pauses between its attempts, for two minutes in all.
            with page.expect_response("**/v1/exams/**"):
                case.go_on()

    def has_ended() -> bool:
        # The exam may end during each step. Then the page no longer has what the step clicks.
        page.set_default_timeout(STEP)
        with suppress(TimeoutError):
            try_to_end()
        page.set_default_timeout(MILLISECONDS)
        return end.is_visible()

    case.wait_until_open()
    case.go_on()
    wait_for(page, has_ended)


def sign_in_again(page: Any, person: Person) -> None:
    button = page.get_by_role("button", name="Sign in").first
    if "/sign-in" in page.url:
        page.get_by_label("Email").fill(person.email)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        button.click()
        page.wait_for_url("**/exams/*")
    else:
        button.click()
        sign_in(page, person.email)
        page.get_by_role("dialog").wait_for(state="hidden")
    button.wait_for(state="hidden")


@pytest.fixture
def phone(site: Site, proof: Proof) -> Callable[..., Case]:
    """``phone(script)``: the page of an exam that opens soon. The script changes the phone."""
    site.tolerate(r"Failed to load resource|bad HTTP response code|" + SIGNING_OUT)
    opens = site.service.clock.now + timedelta(minutes=OPENS)
    exam_id = make_exam(site.service, site.service.staff("admin"), scheduled_date=opens.isoformat())
    ada = site.service.candidate()
    proof.expect(exam_id, ada)

    def open_exam(script: str = "") -> Case:
        device = site.device(viewport=PHONE, has_touch=True, user_agent="phone")
        device.add_init_script(PHONE_SCRIPT + script)
        page = site.signed_in(ada, f"/exams/{exam_id}", context=device)
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        page.reload()
        page.get_by_role("timer").wait_for()
        return Case(site, ada, exam_id, device, page, opens)

    return open_exam


@pytest.mark.parametrize(("step", "trouble"), CELLS)
def test_no_answer_is_lost(site, phone, step, trouble):
    happens, script = TROUBLES[trouble]
    case = phone(script)
    STEPS[step](case)
    happens(case)
    if happens is not never_back:
        finish(case)
    expected = OUTCOMES.get((step, trouble), MATRIX["otherwise"])
    assert stored(site, Submission, case.exam_id) == ([] if expected is None else [expected])
