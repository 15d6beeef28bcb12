"""The page of an exam for candidates who do not see it: proves that each change of which they have
to know is in a region that screen readers read aloud, once, and when.

After each test, `proof` compares the answers that the page has called saved with those that the
service has.
"""

import re
from datetime import timedelta

import pytest

from competition.testing.exam_day import make_exam
from tests.browser.test_portal_exam import end_other_sessions
from tests.support.browser import PHONE, wait_for
from tests.support.exam_page import ALL_SAVED, IN_NO_TIME, choose, ends, says, sign_in, submit
from tests.support.programs import CHROMIUM, needs_program

pytestmark = [needs_program(CHROMIUM), pytest.mark.usefixtures("proof")]

# JavaScript: report each text that screen readers read aloud automatically, when it appears.
LISTEN = """
const last = {};
new MutationObserver(() => {
  for (const role of ["status", "alert"]) {
    const places = [...document.querySelectorAll(`#page [role=${role}]`)];
    const text = places.map(each => each.textContent.trim()).filter(Boolean).join(" | ");
    if (text && text !== last[role]) read(`${role}: ${text}`);
    last[role] = text;
  }
}).observe(document, {subtree: true, childList: true, characterData: true});
"""
# Moves the device's clock by some minutes, as if they had passed.
LATER = "minutes => { const now = Date.now; Date.now = () => now() + minutes * 60_000; }"


@pytest.fixture
def heard(site):
    """The texts that screen readers have read aloud, each with its kind of region."""
    heard = []

    def listen(context):
        context.expose_binding("read", lambda _, text: heard.append(text))
        context.add_init_script(LISTEN)

    site.prepare.append(listen)
    return heard


def waits_for(page, heard, text):
    """Wait until a text that begins in this way is read aloud. Returns it, and forgets all texts
    before it."""
    wait_for(page, lambda: any(each.startswith(text) for each in heard))
    found = next(each for each in heard if each.startswith(text))
    del heard[: heard.index(found)]
    return found


def test_a_lost_connection_is_announced_at_once_again_later_and_when_it_is_back(
    site, sit, exam_id, heard
):
    page = sit(site.service.candidate())
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    # Screen readers would otherwise interrupt the candidate after each choice.
    assert not any("saved" in each.lower() for each in heard)
    site.line.cut.add("phone")
    choose(page, 2, "C")
    text = waits_for(page, heard, "status: No connection.")
    assert text.endswith("One answer saved on this device only. Carry on.")
    for minutes, passed in ((5, 5), (10, 5), (20, 10)):
        page.evaluate(LATER, passed)
        text = waits_for(page, heard, f"status: No connection for {minutes} min.")
        assert ("Your time is still running. Tell your teacher." in text) == (minutes >= 10)
    page.evaluate(LATER, 5)
    says(page, "No connection for 25 min.")
    site.line.cut.clear()
    waits_for(page, heard, "status: You are back online. All 2 answers saved at")
    assert not any("25 min" in each for each in heard)


def test_a_lost_session_a_rejected_save_and_time_warnings_are_announced(site, sit, exam_id, heard):
    ada = site.service.candidate()
    page = sit(ada)
    end_other_sessions(ada)
    choose(page, 1, "B")
    text = waits_for(page, heard, "alert: You have been signed out.")
    assert text.endswith("New answers are saved on this device only.")
    page.locator(".bar").get_by_role("button", name="Sign in").click()
    sign_in(page, ada.email)
    says(page, ALL_SAVED)
    site.line.rejected.add(r"PUT /v1/exams/\d+/draft/")
    choose(page, 2, "C")
    waits_for(page, heard, "alert: Saving failed.")
    site.line.rejected.clear()
    for letter, minutes, warning in (
        ("A", 50, "10 minutes left. Not answered: 3, 4, 5"),
        ("B", 5, "5 minutes left. Not answered: 3, 4, 5"),
        ("C", 4, "One minute left. Not answered: 3, 4, 5"),
    ):
        site.service.clock.advance(minutes=minutes)
        choose(page, 2, letter)
        waits_for(page, heard, f"status: {warning}")
        assert sum(warning in each for each in heard) == 1
    submit(page)
    waits_for(page, heard, "status: Submitted at")


def test_the_minutes_before_the_start_and_the_start_are_announced(site, heard, proof):
    service = site.service
    opens = service.clock.now + timedelta(minutes=6)
    exam_id = make_exam(service, service.staff("admin"), scheduled_date=opens.isoformat())
    ada = service.candidate()
    proof.expect(exam_id, ada)
    device = site.device(viewport=PHONE, has_touch=True)
    device.add_init_script(IN_NO_TIME)
    page = site.signed_in(ada, f"/exams/{exam_id}", context=device)
    waits_for(page, heard, "status: The exam starts in 0")
    ends(page, re.compile("^You don.t need to reload this page.$"))
    for minutes, text in (
        (1.5, "The exam opens in 5 minutes."),
        (4, "The exam opens in one minute."),
        (1, "The exam is open until"),
    ):
        service.clock.advance(minutes=minutes)
        page.evaluate("dispatchEvent(new Event('online'))")
        waits_for(page, heard, f"status: {text}")
        assert sum(text in each for each in heard) == 1
    page.get_by_role("button", name="Start").wait_for()
    page.get_by_text("If the connection is lost, carry on.").wait_for()
    page.get_by_text("When your time is over, the league submits your saved answers").wait_for()
