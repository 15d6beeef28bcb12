"""The page of an exam: what a candidate does on it on exam day, from the start to the receipt.

After each test, `proof` compares the answers that the page has called saved with those that the
service has.
"""

import json
import re
from datetime import timedelta

import pytest

from competition.plugins.drafts.models import Draft
from competition.plugins.sittings.models import Submission
from competition.testing.exam_day import make_exam
from tests.support.browser import PHONE, SIGNING_OUT, every_view, faults
from tests.support.exam_page import (
    ALL_SAVED,
    DRAFT,
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

# JavaScript: the paths of everything in the browser's caches.
CACHED = """
navigator.serviceWorker.ready.then(() => caches.keys()).then(names => Promise.all(
  names.map(async name => {
    const keys = await (await caches.open(name)).keys();
    return keys.map(each => new URL(each.url).pathname);
  })
)).then(all => all.flat())
"""


def test_a_candidate_answers_submits_and_keeps_the_receipt(site, sit, exam_id):
    page = sit(site.service.candidate())
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    page.get_by_role("button", name="Next").click()
    page.get_by_role("heading", name="Question 2 of 12").wait_for()
    page.keyboard.press("c")
    says(page, "All 2 answers saved at")
    page.reload()
    page.get_by_role("navigation", name="Questions").wait_for()
    assert shown(page) == "BC"
    assert stored(site, Draft, exam_id) == ["BC"]
    page.get_by_role("link", name="All questions").click()
    page.get_by_text("2 of 12 answered.").wait_for()
    page.get_by_role("main").get_by_role("link", name="Question 2: C").click()
    page.get_by_role("heading", name="Question 2 of 12").wait_for()
    page.keyboard.press("f")
    page.get_by_role("button", name="Remove the flag").wait_for()
    every_view(page, "portal-exam-running", lambda it: it.locator(".strip .flag").wait_for())
    page.get_by_role("link", name="All questions").click()
    page.get_by_text("Flagged: 2.").wait_for()
    every_view(page, "portal-exam-overview", lambda it: it.locator(".answers a").first.wait_for())
    page.get_by_role("button", name="Submit now").click()
    dialog = page.get_by_role("dialog", name="Submit now?")
    dialog.get_by_text("You have not answered questions 3, 4").wait_for()
    dialog.get_by_role("button", name="Submit 2 answers").click()
    page.get_by_role("main").get_by_text(
        "The league has received your answers to 2 of 12 questions."
    ).wait_for()
    page.get_by_role("main").get_by_text("matches the answers on this device").wait_for()
    signed = page.locator("details", has=page.locator("code"))
    every_view(page, "portal-exam-ended", lambda _: signed.wait_for())
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

    def ready(page):
        page.locator("button.first").click()
        page.locator(".strip a").first.wait_for()

    ready(page)
    page.get_by_role("radio", name="B, 56").wait_for()
    page.get_by_role("button", name="Pretend this device is lost").click()
    every_view(page, "portal-practice", ready)


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


def test_questions_answers_announcements_and_given_time_arrive_at_once(site, sit, exam_id):
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
    staff.post(f"/exams/{exam_id}/announcements/", {"text": "Lunch is at noon."}, status=201)
    site.service.run_jobs()
    says(page, "Lunch is at noon.")
    every_view(page, "portal-exam-news", lambda it: it.locator(".strip a").first.wait_for())
    body = {"everyone": True, "extra_minutes": 10, "reason": "The projector failed."}
    site.service.staff("admin").post(f"/exams/{exam_id}/allowances/", body, status=201)
    site.service.run_jobs()
    says(page, "You have 10 more minutes, until")
    page.get_by_role("timer").get_by_text(re.compile("^1:0")).wait_for()
    page.get_by_role("button", name="3 new").click()
    messages = page.get_by_role("dialog", name="Messages")
    messages.get_by_text("Lunch is at noon.").wait_for()
    assert messages.get_by_text("New", exact=True).count() == 3
    assert faults(page) == []


def test_the_page_of_an_exam_is_small_and_loads_nothing_after_the_start(site, exam_id):
    page = site.signed_in(site.service.candidate(), "/pages/config.json", user_agent="phone")
    loaded = []
    page.on("requestfinished", lambda request: loaded.append(request.response()))
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
    # The service worker keeps the files of the pages, but no reply of the API.
    cached = page.evaluate(CACHED)
    assert [each for each in cached if each != "/" and not each.startswith("/static/")] == []
    sizes = {
        each.url.removeprefix(site.address): int(each.headers["content-length"])
        for each in loaded
        if not any(part in each.url for part in ("/v1/", ".woff2", ".svg", "/sw.js"))
    }
    worker = site.service.http.get("/sw.js").text.splitlines()[0]
    offline = json.loads(worker.removeprefix("const RELEASE = ").removesuffix(";"))["files"]
    assert {each for each in sizes if each.startswith("/static/")} <= set(offline)
    # The limit is for the compressed files, without the paper, the font and the icon.
    assert sum(sizes.values()) <= 60 * 1024, sorted(sizes.items(), key=lambda each: -each[1])
    # The service worker requests files too, but it gets them from the browser's cache.
    after = {url for url in sent if "/static/" in url} - before
    assert {url for url in after if not url.endswith((".woff2", ".svg"))} == set()


def test_several_candidates_sit_an_exam_at_once(site, exam_id):
    pages = []
    for _ in range(4):
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
