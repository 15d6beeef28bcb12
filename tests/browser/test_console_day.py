"""The exam day of the console: watching and concluding, answering and announcing, giving time.

`tests/pages/console/day` has what the pages show for which reply.
"""

import re

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from competition.core.work import begin
from competition.plugins.allowances.models import Allowance
from competition.plugins.clarifications.models import Clarification
from competition.testing.exam_day import answers, make_exam, submit, take
from tests.support.browser import NO_POLLS, PHONE, arrived, every_view, wait_for
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

SCHOOL = "Wolfeschlegelsteinhausenbergerdorff Lycée Sophie Germain"
# How many times a test looks for a pushed count before another candidate starts.
LOOKS = 100
QUESTION = "Is zero a natural number here?"
TITLE = "Exam day: Screening"


@pytest.fixture
def admin(site):
    return site.service.staff("admin", first_name="Maria", last_name="Okafor")


@pytest.fixture
def exam_id(site, admin):
    return make_exam(site.service, admin, "ABCD")


def sitting(site, exam_id, first_name, **fields):
    person = site.service.candidate(first_name=first_name, last_name="Obi", **fields)
    take(person, exam_id, status=200)
    return person


def silent_school(site, exam_id):
    """Three candidates of a school, who have all been silent for three minutes, and a candidate of
    another school who has not.
    """
    people = [sitting(site, exam_id, name, school=SCHOOL) for name in ("Ada", "Ben", "Chloé")]
    other = sitting(site, exam_id, "Dora", school="Hillside School")
    site.service.clock.advance(minutes=3)
    other.get(f"/exams/{exam_id}/time/", status=200)
    return people, other


def ask(person, exam_id, text=QUESTION):
    body = {"question": None, "text": text}
    return person.post(f"/exams/{exam_id}/clarifications/", body, status=201).json


def count_of(page, name):
    return page.get_by_role("link", name=re.compile(rf"^\d+\s*{name}$"))


def counted(page):
    page.locator(".day-counts").wait_for()
    page.locator("main h2").first.wait_for()


def table(page):
    page.get_by_role("table").first.wait_for()


def test_an_exam_is_followed_by_the_socket_alone_and_concluded(site, exam_id, admin):
    site.prepare.append(lambda device: device.add_init_script(NO_POLLS))
    pushed = []

    def note(opened):
        opened.on("framereceived", lambda frame: pushed.append("exam_activity" in str(frame)))

    page = site.signed_in(admin, "/console/day")
    page.on("websocket", note)
    page.reload()
    every_view(page, "console-day-days", table)
    page.get_by_role("link", name="Screening").click()
    people = [sitting(site, exam_id, "Ada", school=SCHOOL)]
    # Nothing tells when the service has accepted the page's request to follow the exam. From the
    # first count that it pushes, it has.
    looks = 0

    def is_followed():
        nonlocal looks
        looks += 1
        if looks % LOOKS == 0:
            people.append(sitting(site, exam_id, "Ben"))
        return any(pushed)

    wait_for(page, is_followed)
    people.append(sitting(site, exam_id, "Chloé"))
    ask(people[0], exam_id)
    expect(count_of(page, "Open questions")).to_have_text(re.compile("^1"))
    submit(people[0], exam_id, answers(site.service, exam_id, "ABCD"), status=201)
    expect(count_of(page, "Submitted")).to_have_text(re.compile("^1"))
    page.get_by_role("link", name=re.compile("^Candidates")).last.click()
    every_view(page, "console-day-candidates", table)
    page.get_by_role("button", name="Conclude").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem")).to_have_count(len(people) - 1)
    dialog.get_by_role("button", name=re.compile("^Conclude, and end the time")).click()
    page.get_by_role("link", name="See the results").wait_for()
    assert admin.get(f"/exams/{exam_id}/").json["concluded_at"] is not None


def test_a_school_whose_candidates_are_all_silent_gets_the_lost_time_back(site, exam_id, admin):
    people, other = silent_school(site, exam_id)
    page = site.signed_in(admin, f"/console/exams/{exam_id}/day", viewport=PHONE)
    arrived(page, TITLE)
    page.get_by_text("All 3 who are sitting at this school are silent.").wait_for()
    every_view(page, "console-day-silent", counted)
    page.get_by_role("link", name="Give back lost time").click()
    expect(page.get_by_role("combobox", name="School")).to_have_value(SCHOOL)
    page.locator(f"option[value='{SCHOOL}']").wait_for(state="attached")
    every_view(page, "console-day-give", lambda page: page.locator("textarea").wait_for())
    page.get_by_role("button", name="Preview").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem")).to_have_count(3)
    dialog.get_by_role("button", name="Give time to 3 candidates").click()
    page.get_by_text(re.compile("3 candidates were given time")).wait_for()
    every_view(page, "console-day-time", table)
    with begin(site.service.runtime) as work:
        given = work.db.scalars(select(Allowance)).one()
    assert (given.school, given.affected, given.extra_minutes) == (SCHOOL, 3, None)
    extra = [each.get(f"/exams/{exam_id}/time/").json["extra_minutes"] for each in (*people, other)]
    assert all(each >= 3 for each in extra[:3])
    assert extra[3] == 0


def test_questions_are_answered_during_the_exam_and_afterwards(site, exam_id, admin):
    person = sitting(site, exam_id, "Ada", school=SCHOOL)
    page = site.signed_in(site.service.staff("moderator"), f"/console/exams/{exam_id}/day")
    arrived(page, TITLE)
    ask(person, exam_id)
    expect(count_of(page, "Open questions")).to_have_text(re.compile("^1"))
    count_of(page, "Open questions").click()
    every_view(page, "console-day-questions", table)
    page.get_by_role("button", name="Answer Ada Obi").click()
    page.get_by_role("textbox", name="Answer").fill("Zero is a natural number.")
    page.get_by_role("radio", name="All candidates of the exam").check()
    page.get_by_role("button", name="Send the answer").click()
    page.get_by_role("button", name="Answer to one candidate").click()
    page.get_by_role("cell", name="Zero is a natural number.").wait_for()
    found = person.get(f"/exams/{exam_id}/clarifications/").json["results"][0]
    assert (found["answer"], found["public"]) == ("Zero is a natural number.", True)
    page.get_by_role("link", name="Announce", exact=True).click()
    page.get_by_role("textbox", name="Announcement").fill("Question 3 is about integers.")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Announce to one candidate").click()
    page.get_by_text("The announcement was sent.").wait_for()
    every_view(page, "console-day-announcements", table)
    found = person.get(f"/exams/{exam_id}/announcements/").json["results"]
    assert "Question 3 is about integers." in [each["text"] for each in found]
    ask(person, exam_id)
    submit(person, exam_id, answers(site.service, exam_id, "ABCD"), status=201)
    admin.post(f"/exams/{exam_id}/conclude/", status=200)
    # It would read the questions again with a token that has expired.
    page.context.close()
    # The console no longer lists the exam among the current ones.
    site.service.clock.advance(days=2)
    page = site.signed_in(site.service.staff("moderator"), "/console/")
    page.get_by_role("link", name="Answer one question from a candidate").click()
    arrived(page, "Open questions of candidates")
    every_view(page, "console-day-asked", table)
    page.get_by_role("link", name=QUESTION).click()
    page.get_by_role("button", name="Answer Ada Obi").click()
    page.get_by_role("textbox", name="Answer").fill("Yes, it is.")
    page.get_by_role("radio", name="Only Ada Obi").check()
    page.get_by_role("button", name="Send the answer").click()
    page.get_by_text("The answer was sent.").wait_for()
    with begin(site.service.runtime) as work:
        found = work.db.scalars(select(Clarification).order_by(Clarification.id.desc())).first()
    assert (found.status, found.answer) == ("answered", "Yes, it is.")
