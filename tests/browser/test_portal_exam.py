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


def test_the_practice_exam_shows_all_options_and_saves_nothing_while_the_device_is_offline(site):
    site.tolerate("ERR_INTERNET_DISCONNECTED")
    page = site.visit("/practice", viewport=PHONE)
    page.get_by_role("button", name="Start").click()
    page.get_by_role("radio", name="B, 56").click()
    says(page, "Your answer is saved at")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    # Without scrolling, or a pupil takes A to C for all options.
    [last] = page.locator(".option").all()[3:]
    foot = page.locator(".bottom").bounding_box()
    box = last.bounding_box()
    assert box["y"] + box["height"] <= foot["y"]
    page.context.set_offline(True)
    # Nothing has been sent since. The question before submitting knows that there is no connection.
    page.get_by_role("link", name="All questions").click()
    page.get_by_role("button", name="Submit now").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("You have no connection.").wait_for()
    dialog.get_by_role("button", name="Keep working").click()
    page.get_by_role("link", name="Back to the questions").click()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("radio", name="C, 5/6").click()
    says(page, "One answer saved on this device only.")
    page.reload()
    page.locator(".option").first.wait_for()
    # The page does not promise to send the answer soon.
    assert "No connection" in page.locator(".bar .state").inner_text()
    page.context.set_offline(False)
    says(page, "All 2 answers saved at")


def has_what_it_calls_saved(site, page, exam_id):
    """Whether the service has the answers that the page shows as saved."""
    says(page, ALL_SAVED)
    return stored(site, Draft, exam_id) == [shown(page)]


def test_a_save_without_a_reply_is_not_called_saved(site, sit, exam_id):
    page = sit(site.service.candidate())
    site.line.lost.add(DRAFT)
    choose(page, 1, "B")
    says(page, "One answer saved on this device only.")
    assert stored(site, Draft, exam_id) == ["B"]
    site.line.lost.clear()
    assert has_what_it_calls_saved(site, page, exam_id)


def test_a_start_without_a_reply_goes_on_when_the_connection_is_back(site, exam_id):
    site.line.lost.add(TAKE)
    page = site.signed_in(site.service.candidate(), f"/exams/{exam_id}", viewport=PHONE)
    page.get_by_role("button", name="Start").click()
    ends(page, "This page keeps trying.")
    assert faults(page) == []
    site.line.lost.clear()
    page.get_by_role("navigation", name="Questions").wait_for()


def test_a_submission_without_a_reply_counts_once_also_after_a_reload(site, sit, exam_id):
    page = sit(site.service.candidate())
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    site.line.lost.update((SUBMIT, RECEIPT))
    submit(page)
    ends(page, "No connection. This page will submit your answers")
    page.reload()
    ends(page, "No connection. This page will submit your answers")
    site.line.lost.clear()
    ends(page, "The league has received your answer to one of 12 questions.")
    ends(page, "The receipt is genuine and matches the answers on this device.")
    assert stored(site, Submission, exam_id) == ["B"]


def test_a_candidate_who_is_offline_at_the_end_sees_which_answers_were_submitted_and_which_late(
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
    ends(page, "Your answer to question 2 was saved on this device only and did not reach")
    ends(page, "It does not cover all answers on this device.")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    assert '"selected_option": "C"' in download.value.path().read_text()
    assert stored(site, Submission, exam_id) == ["B"]


def test_at_the_end_the_page_submits_the_chosen_answers(site, sit, exam_id):
    page = sit(site.service.candidate())
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    choose(page, 2, "C")
    site.service.clock.advance(minutes=61)
    ends(page, "The league has received your answers to 2 of 12 questions.")
    assert stored(site, Submission, exam_id) == ["BC"]


def test_given_time_moves_the_clock_and_is_announced(site, sit, exam_id):
    page = sit(site.service.candidate())
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    body = {"everyone": True, "extra_minutes": 10, "reason": "The projector failed."}
    site.service.staff("admin").post(f"/exams/{exam_id}/allowances/", body, status=201)
    site.service.run_jobs()
    says(page, "You have 10 more minutes, until")
    page.get_by_role("timer").get_by_text(re.compile("^1:09:")).wait_for()
    page.get_by_role("button", name="1 new").click()
    page.get_by_role("dialog", name="Messages").get_by_text("You have 10 more minutes").wait_for()


def test_an_exam_that_is_concluded_early_says_what_counts(site, sit, exam_id):
    page = sit(site.service.candidate())
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    site.service.staff("admin").post(f"/exams/{exam_id}/conclude/", status=200)
    site.service.clock.advance(minutes=6)
    site.service.run_task("drafts.hand_in")
    ends(page, "The league closed the exam at")
    ends(page, "Your answer saved by then counts.")


def test_a_candidate_who_is_signed_out_goes_on_and_signs_in_on_the_page(site, sit, exam_id):
    ada = site.service.candidate()
    page = sit(ada)
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    end_other_sessions(ada)
    choose(page, 2, "C")
    says(page, "You have been signed out. New answers are saved on this device only.")
    assert stored(site, Draft, exam_id) == ["B"]
    page.locator(".bar").get_by_role("button", name="Sign in").click()
    sign_in(page, ada.email)
    says(page, "All 2 answers saved at")
    assert has_what_it_calls_saved(site, page, exam_id)


def test_nothing_is_sent_for_another_candidate_who_signs_in(site, sit, exam_id):
    ada, ben = site.service.candidate(), site.service.candidate()
    page = sit(ada)
    ben.get(f"/exams/{exam_id}/take-exam/", status=200)
    end_other_sessions(ada)
    choose(page, 1, "B")
    says(page, "You have been signed out.")
    # The other candidate signs in in another tab of the browser.
    site.signed_in(ben, "/home", context=page.context).get_by_text("Hello,").wait_for()
    choose(page, 2, "C")
    # The other candidate signs in on the page of the exam.
    page.locator(".bar").get_by_role("button", name="Sign in").click()
    sign_in(page, ben.email)
    page.get_by_role("dialog").get_by_text("This is another candidate").wait_for()
    assert "".join(stored(site, Draft, exam_id)) == ""
    sign_in(page, ada.email)
    says(page, "All 2 answers saved at")
    assert sorted(stored(site, Draft, exam_id))[-1] == "BC"


@pytest.mark.parametrize("is_shared", [False, True], ids=["own device", "shared computer"])
def test_answers_stay_when_another_candidate_signs_out(site, sit, exam_id, is_shared):
    site.tolerate(SIGNING_OUT)
    ada, ben = site.service.candidate(), site.service.candidate()
    page = sit(ada, has_touch=not is_shared)
    end_other_sessions(ada)
    choose(page, 1, "B")
    says(page, "You have been signed out.")
    other = site.signed_in(ben, "/home", context=page.context)
    other.set_viewport_size({"width": 1280, "height": 900})
    other.get_by_role("button", name="Sign out").click()
    other.get_by_role("link", name="Sign in").first.wait_for()
    choose(page, 2, "C")
    page.locator(".bar").get_by_role("button", name="Sign in").click()
    sign_in(page, ada.email)
    says(page, "All 2 answers saved at")
    assert sorted(stored(site, Draft, exam_id))[-1] == "BC"


def test_a_candidate_who_is_signed_out_while_submitting_signs_in_and_has_submitted(
    site, sit, exam_id
):
    ada = site.service.candidate()
    page = sit(ada)
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    end_other_sessions(ada)
    submit(page)
    alert = page.get_by_role("alert").filter(has_text="Sign in to go on.")
    assert faults(page) == []
    alert.get_by_role("button", name="Sign in").click()
    sign_in(page, ada.email)
    ends(page, "The league has received your answer to one of 12 questions.")
    assert stored(site, Submission, exam_id) == ["B"]


def test_the_introduction_is_read_before_the_start_and_during_the_exam(site):
    service = site.service
    intro = {"description": "No calculator.\nPaper is allowed.", "countdown_minutes": 40}
    exam_id = make_exam(service, service.staff("admin"), KEY, title="Round two", **intro)
    page = site.signed_in(service.candidate(), f"/exams/{exam_id}", viewport=PHONE)
    main = page.get_by_role("main")
    main.get_by_text("Your 40 minutes begin when you press Start.").wait_for()
    main.get_by_text("Round two").wait_for()
    main.get_by_text("No calculator.").wait_for()
    assert faults(page) == []
    page.get_by_role("button", name="Start").click()
    page.get_by_role("link", name="All questions").click()
    page.get_by_text("About this exam").click()
    main.get_by_text("Paper is allowed.").wait_for()


def test_a_device_without_the_answers_does_not_compare_them_with_the_receipt(site, sit, exam_id):
    ada = site.service.candidate()
    page = sit(ada)
    choose(page, 1, "B")
    submit(page)
    ends(page, "matches the answers on this device")
    other = site.signed_in(ada, f"/exams/{exam_id}", viewport=PHONE)
    ends(other, "The league has received your answer to one of 12 questions.")
    other.get_by_text("The receipt is genuine.", exact=True).wait_for()


def test_without_storage_each_answer_is_sent_at_once(site, exam_id):
    device = site.device(viewport=PHONE, has_touch=True)
    full = "new DOMException('full', 'QuotaExceededError')"
    forbid = f"Storage.prototype.setItem = () => {{ throw {full}; }}"
    page = site.signed_in(site.service.candidate(), f"/exams/{exam_id}", context=device)
    device.add_init_script(forbid)
    page.reload()
    page.get_by_role("button", name="Start").click()
    # The reply to the save is held back until the page has said what happens to the answer.
    said = Event()
    site.line.after.append(lambda called: re.fullmatch(DRAFT, called) and said.wait(PATIENCE))
    choose(page, 1, "B")
    says(page, re.compile("this browser can.t keep answers"))
    says(page, "Each answer is sent to the league straight away.")
    said.set()
    assert has_what_it_calls_saved(site, page, exam_id)


def test_forgetting_an_exam_signs_out_if_the_browser_forbids_storage(site, sit, exam_id):
    page = sit(site.service.candidate())
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    forbidden = "throw new DOMException('forbidden', 'SecurityError')"
    page.add_init_script(
        f"Object.defineProperty(window, 'localStorage', {{ get() {{ {forbidden}; }} }})"
    )
    page.reload()
    says(page, re.compile("this browser can.t keep answers"))
    page.get_by_role("link", name="All questions").click()
    page.get_by_role("button", name="Submit now").click()
    page.get_by_role("dialog").get_by_role("button", name="Submit one answer").click()
    page.get_by_role("main").get_by_text("The league has received your answer").wait_for()
    page.get_by_role("button", name="Forget on this device").click()
    page.wait_for_url(f"{site.address}/")
    page.get_by_role("heading", level=1).wait_for()
    assert stored(site, Submission, exam_id) == ["B"]


def kept(page):
    """The keys under which the browser has stored exams, for this tab or permanently."""
    names = "[...Object.keys(localStorage), ...Object.keys(sessionStorage)]"
    return page.evaluate(f"{names}.filter(each => each.startsWith('exam.'))")


def test_signing_out_deletes_the_exam_on_this_device_in_all_tabs(site, sit, exam_id):
    site.tolerate(SIGNING_OUT)
    page = sit(site.service.candidate())
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    other = page.context.new_page()
    other.set_viewport_size({"width": 1280, "height": 900})
    other.goto("/home")
    other.get_by_text("Hello,").wait_for()
    assert kept(other)
    other.get_by_role("button", name="Sign out").click()
    other.get_by_role("link", name="Sign in").first.wait_for()
    page.get_by_role("heading", level=1, name=site.service.runtime.service.name).wait_for()
    assert kept(other) == kept(page) == []
    assert stored(site, Draft, exam_id) == ["B"]


def test_signing_out_asks_before_it_deletes_answers_that_the_league_does_not_have(
    site, sit, exam_id
):
    site.tolerate(SIGNING_OUT)
    candidate = site.service.candidate()
    page = sit(candidate)
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    site.line.rejected.add(DRAFT)
    choose(page, 2, "C")
    says(page, "Saving failed.")
    # A stored exam that can't be read does not prevent signing out.
    broken = f"exam.999.{candidate.id}.paper"
    page.evaluate("name => localStorage.setItem(name, '{')", broken)
    page.goto("/home")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Sign out").click()
    dialog = page.get_by_role("dialog", name="Sign out now?")
    dialog.get_by_text("One of your answers in an exam is saved on this device only.").wait_for()
    dialog.get_by_role("button", name="Cancel").click()
    assert kept(page)
    site.line.rejected.clear()
    page.goto(f"/exams/{exam_id}")
    says(page, "All 2 answers saved at")
    page.goto("/home")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in").first.wait_for()
    assert kept(page) == []
    assert stored(site, Draft, exam_id) == ["BC"]


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


def test_signing_out_asks_if_another_tab_does_not_respond(site):
    page = site.signed_in(
        site.service.candidate(), "/home", viewport={"width": 1280, "height": 900}
    )
    page.get_by_text("Hello,").wait_for()
    # A tab has this lock as long as it is open. This one handles no messages.
    silent = page.context.new_page()
    silent.goto("/pages/config.json")
    silent.evaluate(
        "new Promise(resolve => { navigator.locks.request('portal.tab', {mode: 'shared'},"
        " () => { resolve(); return new Promise(() => {}); }); })"
    )
    page.get_by_role("button", name="Sign out").click()
    dialog = page.get_by_role("dialog", name="Sign out now?")
    dialog.get_by_text("Another tab of this site does not respond.").wait_for()
    assert faults(page) == []
    dialog.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Sign out").wait_for()


def test_the_next_user_of_a_device_finds_nothing_of_a_submitted_exam(site, sit, exam_id):
    ada, ben = site.service.candidate(), site.service.candidate()
    page = sit(ada)
    choose(page, 1, "B")
    submit(page)
    ends(page, "The receipt is genuine")
    end_other_sessions(ada)
    page.close()
    page = page.context.new_page()
    page.goto("/sign-in")
    page.get_by_label("Email").fill(ben.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    assert kept(page)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("Hello,").wait_for()
    wait_for(page, lambda: kept(page) == [])


def test_the_service_worker_keeps_no_reply_of_the_api(site, sit, exam_id):
    page = sit(site.service.candidate())
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    submit(page)
    ends(page, "The receipt is genuine")
    cached = page.evaluate("""
        caches.keys().then(names => Promise.all(names.map(async name => {
          const keys = await (await caches.open(name)).keys();
          return keys.map(each => new URL(each.url).pathname);
        }))).then(all => all.flat())
    """)
    assert "/" in cached and any(each.endswith("exam/sitting.js") for each in cached)
    assert [each for each in cached if each != "/" and not each.startswith("/static/")] == []


def test_a_candidate_with_extra_time_reads_their_own_time_also_in_the_zone_of_the_league(
    site, exam_id
):
    service, admin = site.service, site.service.staff("admin")
    ada = service.candidate()
    admin.put(f"/candidates/{ada.id}/allowance/", {"percent": 25, "reason": "A letter."})
    options = {"viewport": PHONE, "timezone_id": "Africa/Lagos"}
    page = site.signed_in(ada, f"/exams/{exam_id}", **options)
    main = page.get_by_role("main")
    main.get_by_text("Your 75 minutes begin when you press Start.").wait_for()
    both = r"open until .*\d\d:\d\d \(.*in UTC, the league.s time zone\)"
    main.get_by_text(re.compile(both)).wait_for()
    opens = (service.clock.now + timedelta(hours=1)).isoformat()
    later = make_exam(service, admin, scheduled_date=opens, round=2)
    page.goto(f"/exams/{later}")
    both = r"The exam starts in .*, at .*\d\d:\d\d \(.*in UTC, the league.s time zone\)"
    main.get_by_text(re.compile(both)).wait_for()
    page.goto("/exams")
    page.get_by_text("75 minutes", exact=True).first.wait_for()
    page.goto("/home")
    page.get_by_text("Your 75 minutes begin").wait_for()
    page.get_by_text("75 minutes", exact=True).first.wait_for()
    # Another candidate does not see Ada's extra time.
    page = site.signed_in(service.candidate(), f"/exams/{exam_id}", viewport=PHONE)
    main = page.get_by_role("main")
    main.get_by_text("Your 60 minutes begin when you press Start.").wait_for()
    main.get_by_text(re.compile(r"open until .*\d\d:\d\d\.")).first.wait_for()


LONG_NEWS = "Question 3 has a misprint: read 17 instead of 71. " * 6
# The places of the bar, the foot and the options on the screen.
BOXES = """[...document.querySelectorAll(".bar, .bottom, .option")].map(each => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [x, y, width, height];
})"""
# Pages have these sizes on a phone and on a small laptop if the user enlarges them to 200 %.
PHONE_ZOOMED = {"width": PHONE["width"] // 2, "height": PHONE["height"] // 2}
LAPTOP_ZOOMED = {"width": 640, "height": 400}


@pytest.mark.parametrize(
    ("viewport", "language"), [(PHONE, "fr"), (PHONE_ZOOMED, "fr"), (LAPTOP_ZOOMED, "en")]
)
def test_news_neither_cover_nor_move_a_question(site, sit, exam_id, viewport, language):
    ada, staff = site.service.candidate(), site.service.staff("moderator")
    page = sit(ada, viewport=viewport)
    question = {"question": None, "text": "May I use a ruler?"}
    asked = ada.post(f"/exams/{exam_id}/clarifications/", question, status=201).json

    def look(scroll):
        page.evaluate("language => localStorage.setItem('language', language)", language)
        page.evaluate("localStorage.setItem('device.layout', 'all')")
        page.reload()
        page.get_by_role("radio").first.wait_for()
        page.evaluate("top => scrollTo(0, top)", scroll)
        return page.evaluate(BOXES)

    def announce():
        text = {"text": LONG_NEWS.strip()}
        staff.post(f"/exams/{exam_id}/announcements/", text, status=201)
        return "Question 3 has a misprint"

    def give_time():
        body = {"everyone": True, "extra_minutes": 10, "reason": "The projector failed."}
        site.service.staff("admin").post(f"/exams/{exam_id}/allowances/", body, status=201)
        return re.compile("^(You have|Vous avez) 10 ")

    def answer():
        body = {"answer": "Yes, you may.", "public": False}
        staff.post(f"/clarifications/{asked['id']}/answer/", body, status=200)
        return "Yes, you may."

    def lose_connection():
        site.line.cut.add("phone")
        return re.compile("^(No connection|Pas de connexion)")

    shown = page.locator(".bar")
    for scroll, happens in ((0, announce), (300, give_time), (300, answer), (0, lose_connection)):
        before = look(scroll)
        text = happens()
        site.service.run_jobs()
        if happens is lose_connection:
            page.get_by_role("radio").nth(1).evaluate("it => it.click()")
        # A narrow page has no room for the beginning of a message beside the number of new ones.
        shown.get_by_text(text).wait_for(state="attached")
        shown.get_by_role("button", name=re.compile("new|nouveau")).wait_for()
        assert page.evaluate(BOXES) == before, happens
    assert faults(page) == []
    page.screenshot(path=PICTURES / f"portal-exam-news-{viewport['width']}-{language}.png")


# What a finger at the middle of each place would press.
PRESSED = """places => places.map(([x, y, width, height]) => {
  const place = document.elementFromPoint(x + width / 2, y + height / 2);
  return place?.closest("a, button, input, label, summary")?.textContent;
}).filter(each => each)"""


@pytest.mark.parametrize("viewport", [PHONE, LAPTOP_ZOOMED])
def test_an_early_conclusion_moves_nothing_under_the_finger_and_covers_nothing(
    site, sit, exam_id, viewport
):
    page = sit(site.service.candidate(), viewport=viewport)
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    page.evaluate("localStorage.setItem('device.layout', 'all')")
    page.reload()
    page.get_by_role("radio").first.wait_for()
    page.evaluate("scrollTo(0, 300)")
    before = page.evaluate(BOXES)
    assert len(page.evaluate(PRESSED, before)) > 1
    site.service.staff("admin").post(f"/exams/{exam_id}/conclude/", status=200)
    site.service.run_jobs()
    ends(page, "The league has closed the exam.")
    # The page scrolls to its heading when it has drawn it.
    page.locator("h1:focus").wait_for()
    # Nobody who was about to choose an option presses something else.
    assert page.evaluate(PRESSED, before) == []
    for part in (page.get_by_role("heading", level=1), page.locator(".note").first):
        box = part.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= viewport["height"]
        x, y = box["x"] + 1, box["y"] + box["height"] / 2
        assert part.evaluate("(it, [x, y]) => it.contains(document.elementFromPoint(x, y))", [x, y])
    assert faults(page) == []


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


def test_the_bar_covers_neither_a_focused_option_nor_more_than_half_of_a_phone(site, sit):
    page = sit(site.service.candidate())
    bar = page.locator(".bar").bounding_box()
    foot = page.locator(".bottom").bounding_box()
    assert foot["y"] - (bar["y"] + bar["height"]) >= PHONE["height"] / 2
    for letter in "DA":
        option = page.get_by_role("radio", name=re.compile(f"^{letter}, "))
        option.focus()
        box = option.bounding_box()
        bar = page.locator(".bar").bounding_box()
        assert bar["y"] + bar["height"] <= box["y"] and box["y"] + box["height"] <= foot["y"]


def test_signing_out_deletes_the_images_of_the_paper(site):
    site.tolerate(SIGNING_OUT)
    page = site.signed_in(
        site.service.candidate(), "/home", viewport={"width": 1280, "height": 900}
    )
    page.evaluate("caches.open('exam-images').then(cache => cache.put('/x', new Response('x')))")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in").first.wait_for()
    wait_for(page, lambda: not page.evaluate("caches.has('exam-images')"))


def test_time_warnings_can_be_silenced_until_the_page_is_loaded_again(site, sit, exam_id):
    page = sit(site.service.candidate())
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    site.service.clock.advance(minutes=50)
    choose(page, 2, "B")
    says(page, "10 minutes left.")
    page.get_by_role("button", name="1 new").click()
    page.get_by_role("button", name="Stop time warnings").click()
    site.service.clock.advance(minutes=5)
    choose(page, 3, "B")
    page.get_by_role("timer").get_by_text(re.compile("^04:")).wait_for()
    assert page.get_by_text("5 minutes left.").count() == 0
    page.reload()
    page.get_by_role("timer").get_by_text(re.compile("^04:")).wait_for()
    site.service.clock.advance(minutes=4)
    choose(page, 4, "B")
    says(page, "One minute left.")


def test_time_that_the_device_slept_is_not_shown_as_left(site, sit, exam_id):
    page = sit(site.service.candidate())
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    site.line.cut.add("phone")
    says_so = page.get_by_role("timer").get_by_text("about 39 min")
    # While a device sleeps, the page's timer stops, but `Date` goes on.
    page.evaluate("(now => { Date.now = () => now() + 20 * 60_000; })(Date.now)")
    says_so.wait_for()
    page.get_by_role("radio", name="C, 3").click()
    site.line.cut.clear()
    assert has_what_it_calls_saved(site, page, exam_id)
    page.get_by_role("timer").get_by_text(re.compile("^59:|^58:")).wait_for()


def test_two_tabs_show_the_same_answers(site, sit, exam_id):
    page = sit(site.service.candidate())
    tab = page.context.new_page()
    tab.goto(page.url)
    says(tab, "This exam is also open in another tab.")
    choose(page, 1, "B")
    tab.get_by_role("link", name="Question 1: B").wait_for()
    choose(tab, 2, "C")
    page.get_by_role("link", name=re.compile("^Question 2: C")).wait_for()
    assert has_what_it_calls_saved(site, page, exam_id)
    submit(page)
    ends(tab, "The league has received your answers to 2 of 12 questions.")


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


def test_a_candidate_whose_identity_is_not_approved_is_sent_to_the_documents(site, exam_id):
    candidate = site.service.candidate(verification="not_submitted")
    page = site.signed_in(candidate, f"/exams/{exam_id}", viewport=PHONE)
    page.get_by_text("The league has not approved your identity yet.").wait_for()
    page.get_by_role("link", name="Documents").click()
    page.get_by_role("heading", name="Documents").wait_for()


def test_a_visitor_without_a_session_is_asked_to_sign_in(site, exam_id):
    page = site.visit(f"/exams/{exam_id}", viewport=PHONE)
    page.wait_for_url(re.compile(rf"/sign-in\?next=%2Fexams%2F{exam_id}$"))


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
