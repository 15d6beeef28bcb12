"""The page of an exam at and after its end, when something goes wrong at the same time: proves that
every answer reaches the service or is named as late, and that time given then can be used.

After each test, `proof` compares the answers that the page has called saved with those that the
service has.
"""

import re

import pytest

from competition.plugins.drafts.models import Draft
from competition.plugins.sittings.models import Submission
from tests.support.browser import PHONE, wait_for
from tests.support.exam_page import (
    ALL_SAVED,
    IN_NO_TIME,
    choose,
    ends,
    says,
    shown,
    stored,
    submit,
)
from tests.support.programs import CHROMIUM, needs_program

pytestmark = [needs_program(CHROMIUM), pytest.mark.usefixtures("proof")]

LATE = "did not reach the league in time"
# After the deadline, the page waits for minutes until it submits.
IN_MINUTES = "Math.random = () => 0.9"


# The page learns nothing from its socket while the test has cut the connection.
WITHOUT_SOCKETS = "delete window.WebSocket"


def go_on(page):
    """Let the page continue now, as after a lost connection."""
    page.evaluate("dispatchEvent(new Event('online'))")


def give_time(site, exam_id):
    body = {"everyone": True, "extra_minutes": 10, "reason": "The projector failed."}
    site.service.staff("admin").post(f"/exams/{exam_id}/allowances/", body, status=201)


def time_is_over(site, page, minutes):
    """Let the time of an exam end. The page learns that from the reply to its next save."""
    site.service.clock.advance(minutes=minutes)
    page.get_by_role("button", name="Clear answer").wait_for()
    page.keyboard.press("d")
    says(page, ALL_SAVED)
    go_on(page)
    ends(page, "Your time is up. Checking if the league has given you more time.")


def test_time_that_is_given_after_the_deadline_can_be_used(site, sit, exam_id):
    page = sit(site.service.candidate())
    page.evaluate(IN_MINUTES)
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    choose(page, 2, "C")
    time_is_over(site, page, 61)
    # The socket says that there is more time.
    give_time(site, exam_id)
    site.service.run_jobs()
    choose(page, 3, "A")
    says(page, "You have 10 more minutes, until")
    time_is_over(site, page, 10)
    # The page asks the service before it submits.
    give_time(site, exam_id)
    go_on(page)
    choose(page, 4, "A")
    says(page, ALL_SAVED)
    assert stored(site, Draft, exam_id) == ["BDDA"]
    submit(page)
    ends(page, "The league has received your answers to 4 of 12 questions.")


def test_time_that_is_given_after_the_automatic_submission_reopens_the_exam_with_all_answers(
    site, sit, exam_id
):
    page = sit(site.service.candidate())
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    site.line.cut.add("phone")
    choose(page, 2, "C")
    says(page, "One answer saved on this device only.")
    site.service.clock.advance(minutes=66)
    site.service.run_task("drafts.hand_in")
    site.line.cut.clear()
    ends(page, "The league submitted your saved answer for you.")
    ends(page, re.compile(f"Your answer to question 2 .*{LATE}"))
    give_time(site, exam_id)
    site.service.run_jobs()
    says(page, "You have 10 more minutes, until")
    says(page, "All 2 answers saved at")
    assert shown(page) == "BC"
    choose(page, 3, "D")
    says(page, "All 3 answers saved at")
    submit(page)
    ends(page, "The league has received your answers to 3 of 12 questions.")
    ends(page, "The receipt is genuine and matches the answers")
    assert page.get_by_text(LATE).count() == 0
    assert stored(site, Submission, exam_id) == ["BCD"]


def test_a_candidate_who_submits_offline_and_is_back_too_late_sees_which_answers_are_late(
    site, sit, exam_id
):
    page = sit(site.service.candidate())
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    site.line.cut.add("phone")
    choose(page, 2, "C")
    says(page, "One answer saved on this device only.")
    page.get_by_role("link", name="All questions").click()
    page.get_by_role("button", name="Submit now").click()
    dialog = page.get_by_role("dialog", name="Submit now?")
    dialog.get_by_text("You have no connection. If you submit now").wait_for()
    dialog.get_by_text("the league submits your saved answer for you at").wait_for()
    dialog.get_by_role("button", name="Submit 2 answers").click()
    ends(page, "No connection. This page will submit your answers as soon as it is back online")
    site.service.clock.advance(minutes=66)
    site.service.run_task("drafts.hand_in")
    site.line.cut.clear()
    ends(page, "The league submitted your saved answer for you.")
    ends(page, re.compile(f"Your answer to question 2 .*{LATE}"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    assert '"selected_option": "C"' in download.value.path().read_text()
    assert stored(site, Submission, exam_id) == ["B"]


def test_a_candidate_of_whom_no_answer_arrived_can_keep_the_answers_as_a_file(site, sit, exam_id):
    page = sit(site.service.candidate())
    site.line.cut.add("phone")
    choose(page, 2, "C")
    says(page, "One answer saved on this device only.")
    site.service.clock.advance(minutes=66)
    site.service.run_task("drafts.hand_in")
    site.line.cut.clear()
    nothing = page.get_by_role("heading", name="Nothing was submitted")
    # The page waits for a receipt for minutes, because the service may still be submitting.
    ends(page, "Your time is up.")
    wait_for(page, lambda: go_on(page) or nothing.is_visible())
    ends(page, "No answers reached the league, so nothing was submitted.")
    ends(page, re.compile(f"Your answer to question 2 .*{LATE}"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    assert '"selected_option": "C"' in download.value.path().read_text()
    assert stored(site, Submission, exam_id) == []


def test_answers_reach_the_service_from_a_page_that_is_opened_again_after_the_conclusion(
    site, sit, exam_id
):
    ada = site.service.candidate()
    page = sit(ada)
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    site.line.cut.add("phone")
    choose(page, 2, "C")
    says(page, "One answer saved on this device only.")
    device = page.context
    page.close()
    site.service.staff("admin").post(f"/exams/{exam_id}/conclude/", status=200)
    site.line.cut.clear()
    # The service accepts answers for five more minutes.
    page = site.signed_in(ada, f"/exams/{exam_id}", device)
    ends(page, "The league has received your answers to 2 of 12 questions.")
    assert stored(site, Submission, exam_id) == ["BC"]


def test_a_candidate_who_is_offline_when_the_exam_is_concluded_learns_what_counts(
    site, sit, exam_id
):
    page = sit(site.service.candidate())
    page.add_init_script(WITHOUT_SOCKETS)
    page.reload()
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    site.line.cut.add("phone")
    choose(page, 2, "C")
    says(page, "One answer saved on this device only.")
    site.service.staff("admin").post(f"/exams/{exam_id}/conclude/", status=200)
    site.service.clock.advance(minutes=6)
    site.service.run_task("drafts.hand_in")
    site.line.cut.clear()
    ends(page, "The league closed the exam at")
    ends(page, "Your answer saved by then counts.")
    ends(page, re.compile(f"Your answer to question 2 .*{LATE}"))
    assert stored(site, Submission, exam_id) == ["B"]


def test_a_device_learns_that_another_device_has_submitted(site, sit, exam_id):
    ada = site.service.candidate()
    phone, laptop = sit(ada), sit(ada, "laptop")
    choose(laptop, 1, "B")
    submit(laptop)
    ends(laptop, "The league has received your answer to one of 12 questions.")
    choose(phone, 2, "C")
    ends(phone, re.compile("Submitted at .* from another device"))
    ends(phone, "The receipt is genuine. It does not cover all answers on this device.")
    assert stored(site, Submission, exam_id) == ["B"]


def test_a_device_on_which_nothing_was_chosen_leaves_the_submission_to_the_others(
    site, sit, exam_id
):
    ada = site.service.candidate()
    phone = sit(ada)
    site.line.cut.add("phone")
    choose(phone, 1, "B")
    choose(phone, 2, "C")
    says(phone, "2 answers saved on this device only.")
    laptop = sit(ada, "laptop")
    site.service.clock.advance(minutes=61)
    go_on(laptop)
    ends(laptop, "the league submits the answers that it has")
    # A device that opens the exam only now does the same.
    tablet = site.signed_in(ada, f"/exams/{exam_id}", viewport=PHONE, user_agent="tablet")
    ends(tablet, "the league submits the answers that it has")
    assert stored(site, Submission, exam_id) == []
    site.line.cut.clear()
    ends(phone, "The league has received your answers to 2 of 12 questions.")
    for other in (laptop, tablet):
        submitted = other.get_by_role("heading", name="Submitted")
        wait_for(other, lambda each=submitted, page=other: go_on(page) or each.is_visible())
    assert stored(site, Submission, exam_id) == ["BC"]


def test_the_practice_exam_warns_and_ends_by_its_own_clock(site):
    device = site.device(viewport=PHONE, has_touch=True)
    device.add_init_script(IN_NO_TIME)
    page = device.new_page()
    page.clock.install()
    page.goto("/practice")
    page.get_by_role("button", name="Start").click()
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    for minutes, warning in ((5, "5 minutes left."), (4, "One minute left.")):
        page.clock.fast_forward(minutes * 60_000)
        says(page, warning)
    page.clock.fast_forward(60_000)
    ends(page, "The league has received your answer to one of 10 questions.")
