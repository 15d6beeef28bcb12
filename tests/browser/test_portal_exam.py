"""The page of an exam in Debian's Chromium: what may happen to a pupil on exam day.

After each test, the service must have every answer that the page has called saved.
"""

import re

import pytest
from sqlalchemy import select

from competition.core.work import begin
from competition.plugins.drafts.models import Draft
from competition.plugins.sittings.models import Submission
from competition.testing.exam_day import make_exam
from tests.support.browser import PHONE, every_view, faults
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

KEY = "ABCDABCDABCD"
# Everything that the bar says, in order.
WATCH_BAR = """
window.said = [];
new MutationObserver(() => {
  const text = document.querySelector(".bar .state")?.innerText;
  if (text && text !== window.said.at(-1)) window.said.push(text);
}).observe(document, {subtree: true, childList: true, characterData: true});
"""
# Pauses at random are short, so that tests don't wait.
IN_NO_TIME = "Math.random = () => 0.01"
ALL_SAVED = re.compile(r"saved at")


@pytest.fixture
def exam_id(site):
    site.tolerate(r"Failed to load resource|bad HTTP response code \(504\)")
    return make_exam(site.service, site.service.staff("admin"), KEY, title="Screening, round 1")


@pytest.fixture
def sit(site, exam_id):
    """``sit(candidate)``: the page of a candidate who has started the exam on another device."""

    def sit(candidate, device="phone", **options):
        options["user_agent"] = device
        page = site.signed_in(
            candidate, f"/exams/{exam_id}", **{"viewport": PHONE, "has_touch": True, **options}
        )
        page.add_init_script(WATCH_BAR)
        page.add_init_script(IN_NO_TIME)
        page.reload()
        start = page.get_by_role("button", name="Start")
        running = page.get_by_role("navigation", name="Questions")
        start.or_(running).wait_for()
        if start.is_visible():
            start.click()
        running.wait_for()
        return page

    return sit


def choose(page, question, letter):
    page.get_by_role("link", name=re.compile(rf"^Question {question}:")).first.click()
    page.get_by_role("radio", name=re.compile(f"^{letter}, ")).click()


def says(page, text):
    page.locator(".bar").get_by_text(text).wait_for()


def shown(page):
    """A letter per question, up to the last one that is answered."""
    names = page.get_by_role("navigation", name="Questions").get_by_role("link").all()
    found = [re.search(r": ([A-D])?", each.get_attribute("aria-label"))[1] or "." for each in names]
    return "".join(found).rstrip(".")


def stored(site, model, exam_id):
    """The answers of each candidate, from the database."""
    with begin(site.service.runtime) as work:
        rows = work.db.scalars(select(model.answers).where(model.exam_id == exam_id))
        return [answers.rstrip("-").replace("-", ".") for answers in rows]


def test_a_candidate_answers_submits_and_keeps_the_receipt(site, sit, exam_id):
    page = sit(site.service.candidate())
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    page.get_by_role("button", name="Next").click()
    page.keyboard.press("c")
    page.keyboard.press("f")
    page.get_by_role("button", name="Remove the flag").wait_for()
    says(page, "All 2 answers saved at")
    page.reload()
    page.get_by_role("navigation", name="Questions").wait_for()
    assert shown(page) == "BC"
    assert stored(site, Draft, exam_id) == ["BC"]
    page.get_by_role("link", name="All questions").click()
    page.get_by_text("2 of 12 answered.").wait_for()
    page.get_by_text("Flagged: 2.").wait_for()
    page.get_by_role("button", name="Submit now").click()
    dialog = page.get_by_role("dialog", name="Submit now?")
    dialog.get_by_text("You have not answered questions 3, 4").wait_for()
    dialog.get_by_role("button", name="Submit 2 answers").click()
    page.get_by_role("main").get_by_text(
        "The league has received your answers to 2 of 12 questions."
    ).wait_for()
    page.get_by_role("main").get_by_text(
        "The receipt is genuine and matches the answers you see here."
    ).wait_for()
    assert faults(page) == []
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the receipt").click()
    assert '"handed_in_by": "candidate"' in download.value.path().read_text()
    assert stored(site, Submission, exam_id) == ["BC"]
    page.get_by_role("button", name="Forget on this device").click()
    page.wait_for_url(re.compile("/home$"))
    left = page.evaluate("Object.keys(localStorage).filter(each => each.startsWith('exam.'))")
    assert left == []


def test_nothing_is_lost_without_a_connection_in_other_tabs_and_on_other_devices(
    site, sit, exam_id
):
    ada = site.service.candidate()
    phone = sit(ada)
    choose(phone, 1, "B")
    says(phone, ALL_SAVED)
    phone.evaluate("navigator.serviceWorker.ready.then(() => null)")
    phone.reload()
    phone.get_by_role("navigation", name="Questions").wait_for()
    site.line.cut.add("phone")
    choose(phone, 2, "C")
    says(phone, "One answer saved on this device only.")
    phone.reload()
    says(phone, "One answer saved on this device only.")
    assert shown(phone) == "BC"
    choose(phone, 3, "D")
    says(phone, "2 answers saved on this device only.")

    laptop = sit(ada, "laptop")
    assert shown(laptop) == "B"
    choose(laptop, 1, "A")
    choose(laptop, 5, "B")
    says(laptop, "All 2 answers saved at")
    assert stored(site, Draft, exam_id) == ["A...B"]

    site.line.cut.clear()
    says(phone, "You also answered on another device. Question 1 is now A, as you chose there.")
    phone.locator(".bar").get_by_role("button", name="Hide").last.click()
    says(phone, "All 4 answers saved at")
    assert shown(phone) == "ACD.B"
    assert stored(site, Draft, exam_id) == ["ACD.B"]


def test_the_practice_exam_needs_no_account_and_shows_what_is_lost_and_what_is_not(site):
    page = site.visit("/practice", viewport=PHONE)
    page.get_by_role("heading", name="Practice exam").wait_for()
    assert faults(page) == []
    page.get_by_role("button", name="Start").click()
    page.get_by_role("radio", name="B, 56").click()
    says(page, "Your answer is saved at")
    page.get_by_role("button", name="Pretend the connection is lost").click()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("radio", name="C, 5/6").click()
    says(page, "One answer saved on this device only.")
    assert faults(page) == []
    page.get_by_role("button", name="Bring the connection back").click()
    says(page, "All 2 answers saved at")
    page.get_by_role("button", name="Pretend this device is lost").click()
    says(page, "All 2 answers saved at")
    assert shown(page) == "BC"
    page.get_by_role("link", name="All questions").click()
    page.get_by_role("button", name="Submit now").click()
    page.get_by_role("dialog").get_by_role("button", name="Submit 2 answers").click()
    text = "The league has received your answers to 2 of 10 questions."
    page.get_by_role("main").get_by_text(text).wait_for()
    page.get_by_role("button", name="Practise again").wait_for()


@pytest.mark.long
def test_every_view_of_the_exam(site, sit, exam_id):
    page = sit(site.service.candidate())
    choose(page, 2, "B")
    every_view(page, "portal-exam-running", lambda it: it.locator(".strip a").first.wait_for())
    page.goto(f"/exams/{exam_id}#all")
    every_view(page, "portal-exam-overview", lambda it: it.locator(".answers a").first.wait_for())
    page.locator(".bottom button").click()
    page.get_by_role("dialog").locator("button").first.click()
    every_view(page, "portal-exam-ended", lambda it: it.locator("code").first.wait_for())
