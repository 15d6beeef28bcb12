"""The page of an exam in Debian's Chromium: what may happen to a pupil on exam day.

After each test, `proof` compares the answers that the page has called saved with those that the
service has.
"""

import json
import re
from datetime import timedelta
from threading import Event

import pytest

from competition.plugins.drafts.models import Draft
from competition.plugins.sittings.models import Submission
from competition.testing.exam_day import make_exam
from competition.testing.service import PASSWORD
from competition.testing.waiting import PATIENCE
from tests.support.browser import PHONE, PICTURES, SIGNING_OUT, every_view, faults, wait_for
from tests.support.exam_page import (
    ALL_SAVED,
    DRAFT,
    IN_NO_TIME,
    RECEIPT,
    SUBMIT,
    TAKE,
    choose,
    ends,
    says,
    shown,
    sign_in,
    stored,
    submit,
)
from tests.support.programs import CHROMIUM, needs_program

pytestmark = [needs_program(CHROMIUM), pytest.mark.usefixtures("proof")]

KEY = "ABCDABCDABCD"


def end_other_sessions(person):
    """Sign a person out in all browsers."""
    for each in person.get("/auth/sessions/").json:
        if not each["current"]:
            person.delete(f"/auth/sessions/{each['id']}/", status=204)


@pytest.mark.essential
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
        "The receipt is genuine and matches the answers on this device."
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
    page.reload()
    says(page, "One answer saved on this device only.")
    page.get_by_role("button", name="Bring the connection back").click()
    says(page, "All 2 answers saved at")
    page.get_by_role("button", name="Pretend this device is lost").click()
    says(page, "All 2 answers saved at")
    assert shown(page) == "BC"
    # A candidate who submits without a connection can bring it back there too.
    page.get_by_role("button", name="Pretend the connection is lost").click()
    page.get_by_role("link", name="All questions").click()
    page.get_by_role("button", name="Submit now").click()
    page.get_by_role("dialog").get_by_role("button", name="Submit 2 answers").click()
    page.get_by_role("button", name="Bring the connection back").click()
    text = "The league has received your answers to 2 of 10 questions."
    page.get_by_role("main").get_by_text(text).wait_for()
    again = page.get_by_role("button", name="Practise again")
    again.wait_for()
    page.get_by_text("After a real exam, your receipt appears here.").wait_for()
    assert page.locator(".button.first:visible").count() == 1
    again.click()
    page.get_by_role("button", name="Start").click()
    page.get_by_role("radio", name="B, 56").wait_for()


def kept(page):
    """The keys under which the browser has stored exams, for this tab or permanently."""
    names = "[...Object.keys(localStorage), ...Object.keys(sessionStorage)]"
    return page.evaluate(f"{names}.filter(each => each.startsWith('exam.'))")


def test_signing_out_asks_before_it_deletes_answers_of_another_tab(site, sit, exam_id):
    site.tolerate(SIGNING_OUT)
    # On a shared computer, each tab has its own storage.
    page = sit(site.service.candidate(), has_touch=False)
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    site.line.rejected.add(DRAFT)
    choose(page, 2, "C")
    says(page, "Saving failed.")
    other = page.context.new_page()
    other.set_viewport_size({"width": 1280, "height": 900})
    other.goto("/home")
    other.get_by_role("button", name="Sign out").click()
    dialog = other.get_by_role("dialog", name="Sign out now?")
    dialog.get_by_text("One of your answers in an exam is saved on this device only.").wait_for()
    dialog.get_by_role("button", name="Cancel").click()
    site.line.rejected.clear()
    choose(page, 3, "D")
    says(page, "All 3 answers saved at")
    assert stored(site, Draft, exam_id) == ["BCD"]
    other.get_by_role("button", name="Sign out").click()
    other.get_by_role("link", name="Sign in").first.wait_for()
    page.get_by_role("heading", level=1, name=site.service.runtime.service.name).wait_for()
    assert kept(other) == kept(page) == []


LONG_NEWS = "Question 3 has a misprint: read 17 instead of 71. " * 6
# The places of the bar, the foot and the options on the screen.
BOXES = """[...document.querySelectorAll(".bar, .bottom, .option")].map(each => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [x, y, width, height];
})"""
# Pages have these sizes on a phone and on a small laptop if the user enlarges them to 200 %.
PHONE_ZOOMED = {"width": PHONE["width"] // 2, "height": PHONE["height"] // 2}
LAPTOP_ZOOMED = {"width": 640, "height": 400}


# What a finger at the middle of each place would press.
PRESSED = """places => places.map(([x, y, width, height]) => {
  const place = document.elementFromPoint(x + width / 2, y + height / 2);
  return place?.closest("a, button, input, label, summary")?.textContent;
}).filter(each => each)"""


def test_news_stay_new_until_the_candidate_opens_them(site, sit, exam_id):
    page = sit(site.service.candidate())
    bar = page.locator(".bar")
    bar.get_by_role("button", name="No messages").click()
    page.get_by_role("dialog", name="Messages").get_by_text("appear here").wait_for()
    page.get_by_role("button", name="Close").click()
    staff = site.service.staff("moderator")
    for text in (LONG_NEWS.strip(), "Question 4 is right."):
        staff.post(f"/exams/{exam_id}/announcements/", {"text": text}, status=201)
    site.service.run_jobs()
    bar.get_by_role("button", name="2 new").wait_for()
    # Screen readers read each message aloud when it arrives.
    page.get_by_role("status").get_by_text("Question 4 is right.").wait_for()
    every_view(page, "portal-exam-news", lambda it: it.locator(".strip a").first.wait_for())
    bar.get_by_role("button", name="2 new").click()
    dialog = page.get_by_role("dialog", name="Messages")
    dialog.get_by_text(LONG_NEWS.strip()).wait_for()
    assert dialog.get_by_text("New", exact=True).count() == 2
    assert faults(page) == []
    dialog.get_by_role("button", name="Close").click()
    bar.get_by_role("button", name="Messages (2)").wait_for()
    page.reload()
    bar.get_by_role("button", name="Messages (2)").wait_for()
    staff.post(f"/exams/{exam_id}/announcements/", {"text": "Lunch is at noon."}, status=201)
    site.service.run_jobs()
    bar.get_by_role("button", name="1 new").get_by_text("Lunch is at noon.").wait_for()
    page.reload()
    bar.get_by_role("button", name="1 new").click()
    assert dialog.get_by_text("New", exact=True).count() == 1


def test_a_question_reaches_staff_and_the_answer_and_an_announcement_reach_the_candidate(
    site, sit, exam_id
):
    page = sit(site.service.candidate())
    page.get_by_role("button", name="Ask").click()
    dialog = page.get_by_role("dialog", name="Ask about question 1")
    dialog.get_by_label("What is unclear?").fill("Is the dot a product?")
    dialog.get_by_role("button", name="Send to the staff").click()
    dialog.get_by_text("Your question has been sent.").wait_for()
    dialog.get_by_role("button", name="Close").click()
    staff = site.service.staff("moderator")
    [asked] = staff.get(f"/exams/{exam_id}/clarifications/").json["results"]
    answer = {"answer": "Yes, each dot is a product.", "public": False}
    staff.post(f"/clarifications/{asked['id']}/answer/", answer, status=200)
    site.service.run_jobs()
    says(page, "about question 1: Yes, each dot is a product.")
    staff.post(f"/exams/{exam_id}/announcements/", {"text": "Ten minutes are left."}, status=201)
    site.service.run_jobs()
    says(page, "Ten minutes are left.")
    assert faults(page) == []


@pytest.mark.essential
def test_the_page_of_an_exam_is_small_and_loads_nothing_after_the_start(site, exam_id):
    page = site.signed_in(site.service.candidate(), "/pages/config.json", user_agent="phone")
    loaded = []
    page.on("requestfinished", lambda request: loaded.append((request.url, request.sizes())))
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.goto(f"/exams/{exam_id}")
    page.get_by_role("button", name="Start").wait_for()
    before = set(sent)
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Ask").click()
    page.get_by_role("dialog", name="Ask").get_by_role("button", name="Close").click()
    submit(page)
    ends(page, "The receipt is genuine")
    sizes = {
        url.removeprefix(site.address): each["responseBodySize"]
        for url, each in loaded
        if not any(part in url for part in ("/v1/", ".woff2", ".svg", "/sw.js"))
    }
    worker = site.service.http.get("/sw.js").text.splitlines()[0]
    offline = json.loads(worker.removeprefix("const RELEASE = ").removesuffix(";"))["files"]
    assert {each for each in sizes if each.startswith("/static/")} <= set(offline)
    # The limit is for the compressed files, without the paper, the font and the icon.
    assert sum(sizes.values()) <= 60 * 1024, sorted(sizes.items(), key=lambda each: -each[1])
    # The service worker requests files too, but it gets them from the browser's cache.
    after = {url for url in sent if "/static/" in url} - before
    assert {url for url in after if not url.endswith((".woff2", ".svg"))} == set()


def test_forty_candidates_sit_an_exam_at_once(site, exam_id):
    pages = []
    for _ in range(40):
        page = site.signed_in(site.service.candidate(), f"/exams/{exam_id}", viewport=PHONE)
        page.add_init_script(IN_NO_TIME)
        pages.append(page)
    for page in pages:
        page.reload()
    for page in pages:
        page.get_by_role("button", name="Start").click()
    for page in pages:
        page.get_by_role("navigation", name="Questions").wait_for()
    for number, page in enumerate(pages):
        choose(page, 1, "ABCD"[number % 4])
        choose(page, 2, "ABCD"[number // 4 % 4])
    for page in pages:
        says(page, "All 2 answers saved at")
    assert sorted(stored(site, Draft, exam_id)) == sorted(map(shown, pages))
    for page in pages:
        submit(page)
    for page in pages:
        ends(page, "The league has received your answers to 2 of 12 questions.")
    assert len(stored(site, Submission, exam_id)) == len(pages)


def test_every_view_of_the_exam(site, sit, exam_id):
    page = sit(site.service.candidate())
    choose(page, 2, "B")
    every_view(page, "portal-exam-running", lambda it: it.locator(".strip a").first.wait_for())
    page.goto(f"/exams/{exam_id}#all")
    every_view(page, "portal-exam-overview", lambda it: it.locator(".answers a").first.wait_for())
    page.locator(".bottom button").click()
    page.get_by_role("dialog").locator("button").first.click()
    every_view(page, "portal-exam-ended", lambda it: it.locator("code").first.wait_for())


def test_every_view_before_the_exam(site, exam_id):
    service = site.service
    opens = service.clock.now + timedelta(days=1)
    later = make_exam(
        service,
        service.staff("admin"),
        scheduled_date=opens.isoformat(),
        round=2,
        description="No calculator.",
    )
    page = site.signed_in(service.candidate(), f"/exams/{later}")
    every_view(page, "portal-exam-before", lambda it: it.locator("section .plain").wait_for())
    page.goto(f"/exams/{exam_id}")
    every_view(page, "portal-exam-ready", lambda it: it.locator("button.first").wait_for())


def test_every_view_of_the_practice_exam(site):
    page = site.visit("/practice")

    def ready(page):
        page.locator("button.first").click()
        page.locator(".strip a").first.wait_for()

    every_view(page, "portal-practice", ready)
