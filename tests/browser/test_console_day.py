"""The exam day of the console: watching, giving time, answering, announcing and concluding."""

import re
from datetime import datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from competition.core.work import begin
from competition.plugins.allowances.models import Allowance
from competition.plugins.clarifications.models import Clarification
from competition.plugins.exams.models import Exam
from competition.testing.exam_day import answers, make_exam, submit, take
from competition.testing.waiting import wait_until
from tests.support.browser import NO_POLLS, PHONE, every_view, wait_for
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

SCHOOL = "Lycée Sophie Germain"
# How many times a test looks for a pushed count before another candidate starts.
LOOKS = 100
QUESTION = "Is zero a natural number here?"


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


def open_day(site, person, exam_id, query="", **options):
    page = site.signed_in(person, f"/console/exams/{exam_id}/day{query}", **options)
    page.get_by_role("heading", name="Exam day: Screening", level=1).wait_for()
    return page


def count_of(page, name):
    return page.get_by_role("link", name=re.compile(rf"^\d+\s*{name}$"))


@pytest.mark.essential
def test_the_counts_follow_the_exam(site, exam_id, admin):
    person = sitting(site, exam_id, "Ada")
    page = site.signed_in(admin, "/console/day")
    page.get_by_role("link", name="Screening").click()
    expect(count_of(page, "Sitting")).to_have_text(re.compile("^1"))
    submit(person, exam_id, answers(site.service, exam_id, "ABCD"), status=201)
    expect(count_of(page, "Submitted")).to_have_text(re.compile("^1"))
    expect(count_of(page, "Sitting")).to_have_text(re.compile("^0"))


def test_the_counts_follow_the_exam_by_the_socket_alone(site, exam_id, admin):
    site.prepare.append(lambda device: device.add_init_script(NO_POLLS))
    pushed = []

    def note(opened):
        opened.on("framereceived", lambda frame: pushed.append("exam_activity" in str(frame)))

    page = site.signed_in(admin, "/console/day")
    page.on("websocket", note)
    page.reload()
    page.get_by_role("link", name="Screening").click()
    people = [sitting(site, exam_id, "Ada")]
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
    ask(people[0], exam_id)
    expect(count_of(page, "Open questions")).to_have_text(re.compile("^1"))
    submit(people[0], exam_id, answers(site.service, exam_id, "ABCD"), status=201)
    expect(count_of(page, "Submitted")).to_have_text(re.compile("^1"))


def test_a_school_whose_candidates_are_all_silent_gets_the_lost_time_back(site, exam_id, admin):
    people, other = silent_school(site, exam_id)
    page = open_day(site, admin, exam_id)
    page.get_by_text("All 3 who are sitting at this school are silent.").wait_for()
    page.get_by_role("link", name="Give back lost time").click()
    expect(page.get_by_role("combobox", name="School")).to_have_value(SCHOOL)
    page.locator(f"option[value='{SCHOOL}']").wait_for(state="attached")
    page.get_by_role("button", name="Preview").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem")).to_have_count(3)
    dialog.get_by_role("button", name="Give time to 3 candidates").click()
    page.get_by_text(re.compile("3 candidates were given time")).wait_for()
    with begin(site.service.runtime) as work:
        given = work.db.scalars(select(Allowance)).one()
    assert (given.school, given.affected, given.extra_minutes) == (SCHOOL, 3, None)
    extra = [each.get(f"/exams/{exam_id}/time/").json["extra_minutes"] for each in (*people, other)]
    assert all(each >= 3 for each in extra[:3])
    assert extra[3] == 0


def test_an_outage_that_is_given_back_ends_at_the_latest_poll(site, exam_id, admin):
    silent_school(site, exam_id)
    page = open_day(site, admin, exam_id)
    link = page.get_by_role("link", name="Give back lost time")
    link.wait_for()

    def ends():
        return parse_qs(urlsplit(link.get_attribute("href")).query)["until"][0]

    first = ends()

    def polled_again():
        # A poll that finds no change has no time of the service.
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        return ends() > first

    wait_until(polled_again, pause=0.5)


def test_nothing_that_can_be_pressed_moves_when_a_number_arrives(site, exam_id, admin):
    people, _ = silent_school(site, exam_id)
    body = {"everyone": True, "extra_minutes": 10, "reason": "The start was slow."}
    admin.post(f"/exams/{exam_id}/allowances/", body, status=201)
    page = site.signed_in(admin, "/console/day")
    page.get_by_role("link", name="Screening").wait_for()
    late = {"allowances": "Last:", "state=sitting": "All 3 who are sitting at this school"}
    held = []
    for part in late:
        page.route(re.compile(f"/exams/.*{part}"), lambda route: held.append(route))
    page.set_viewport_size(PHONE)
    page.get_by_role("link", name="Screening").click()
    page.get_by_text("The page is checking whether others there are not.").wait_for()
    expect(count_of(page, "Open questions")).to_have_text(re.compile("^0"))
    wait_until(lambda: page.evaluate("1") and len(held) >= len(late))
    before = places(page)
    for each in held:
        each.continue_()
    for text in late.values():
        page.get_by_text(text).wait_for()
    assert places(page) == before
    # A question that candidates ask in the meantime moves nothing either.
    ask(people[0], exam_id)
    expect(count_of(page, "Open questions")).to_have_text(re.compile("^1"))
    assert places(page) == before


def places(page):
    """Where the links and the buttons of the page are, from the top."""
    return page.locator("main").evaluate(
        "main => [...main.querySelectorAll('a, button, summary')].map(each =>"
        " [each.textContent.replace(/[0-9\\s]+/g, ''), each.getBoundingClientRect().top + scrollY])"
    )


def test_one_candidate_gets_minutes_from_the_list(site, exam_id, admin):
    person = sitting(site, exam_id, "Ada")
    page = open_day(site, admin, exam_id, "?tab=candidates")
    page.get_by_role("link", name="Give time Ada Obi").click()
    expect(page.get_by_role("radio", name="Ada Obi, Hillside School")).to_be_checked()
    page.get_by_role("radio", name="Extra minutes").check()
    page.get_by_role("spinbutton", name="Minutes").fill("10")
    page.get_by_role("textbox", name="Reason").fill("Fire alarm")
    page.get_by_role("button", name="Preview").click()
    page.get_by_text("One candidate is sitting now, and gets 10 min more.").wait_for()
    page.get_by_role("button", name="Cancel").click()
    # The text typed before is still in the field.
    expect(page.get_by_role("textbox", name="Reason")).to_have_value("Fire alarm")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Give time to one candidate").click()
    given = page.get_by_role("row").filter(has=page.get_by_role("cell", name="10 min"))
    given.get_by_role("link", name="Ada Obi").wait_for()
    assert person.get(f"/exams/{exam_id}/time/").json["extra_minutes"] == 10


def test_everybody_gets_minutes_also_who_starts_later(site, exam_id, admin):
    people = [sitting(site, exam_id, name) for name in ("Ada", "Ben")]
    page = site.signed_in(admin, f"/console/exams/{exam_id}/day/time")
    page.get_by_role("radio", name="All candidates of the exam").check()
    page.get_by_role("radio", name="Extra minutes").check()
    page.get_by_role("spinbutton", name="Minutes").fill("10")
    page.get_by_role("textbox", name="Reason").fill("The start was slow.")
    page.get_by_role("button", name="Preview").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("2 candidates are sitting now, and get 10 min more each.").wait_for()
    assert people[0].get(f"/exams/{exam_id}/time/").json["extra_minutes"] == 0
    dialog.get_by_role("button", name="Give time to 2 candidates").click()
    text = "2 candidates were given time. All candidates of the exam: 10 min."
    page.get_by_text(text).wait_for()
    people.append(sitting(site, exam_id, "Chloé"))
    extra = [each.get(f"/exams/{exam_id}/time/").json["extra_minutes"] for each in people]
    assert extra == [10, 10, 10]


def test_a_candidate_is_chosen_in_the_form_and_nothing_that_was_typed_is_lost(site, exam_id, admin):
    person = sitting(site, exam_id, "Ada")
    sitting(site, exam_id, "Ben")
    page = site.signed_in(admin, f"/console/exams/{exam_id}/day/time")
    page.get_by_role("radio", name="Extra minutes").check()
    page.get_by_role("spinbutton", name="Minutes").fill("10")
    page.get_by_role("textbox", name="Reason").fill("Fire alarm")
    page.get_by_role("radio", name="One candidate").check()
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("alert").get_by_text("Choose the candidate.").wait_for()
    search = page.get_by_role("searchbox", name="Candidate")
    search.fill("obi")
    page.get_by_text("2 candidates found.").wait_for()
    search.fill("ada")
    search.press("Enter")
    expect(page.get_by_role("radio", name="Ada Obi, Hillside School")).to_be_checked()
    expect(page.get_by_role("radio", name="Extra minutes")).to_be_focused()
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Give time to one candidate").click()
    page.get_by_role("row").filter(has=page.get_by_role("cell", name="10 min")).wait_for()
    assert person.get(f"/exams/{exam_id}/time/").json["extra_minutes"] == 10


def test_the_form_for_extra_time_opens_from_a_candidates_page_with_the_candidate(
    site, exam_id, admin
):
    person = site.service.candidate(first_name="Ada", last_name="Obi")
    page = site.signed_in(admin, f"/console/candidates/{person.id}")
    page.get_by_role("link", name="Give time in this exam").click()
    expect(page.get_by_role("radio", name="Ada Obi, Hillside School")).to_be_checked()
    # The list of the exam day has the same link, also for candidates who have not started.
    page.goto(page.url.split("/time")[0] + "?tab=candidates")
    page.get_by_role("link", name="Give time Ada Obi").click()
    expect(page.get_by_role("radio", name="Ada Obi, Hillside School")).to_be_checked()


def test_a_question_appears_at_once_and_is_answered_to_all(site, exam_id):
    person = sitting(site, exam_id, "Ada")
    page = open_day(site, site.service.staff("moderator"), exam_id)
    expect(count_of(page, "Sitting")).to_have_text(re.compile("^1"))
    # Moderators can't give time or conclude.
    expect(page.get_by_role("link", name="Give time")).to_have_count(0)
    expect(page.get_by_role("button", name="Conclude")).to_have_count(0)
    ask(person, exam_id)
    expect(count_of(page, "Open questions")).to_have_text(re.compile("^1"))
    count_of(page, "Open questions").click()
    page.get_by_text(QUESTION).first.wait_for()
    page.get_by_role("button", name="Answer Ada Obi").click()
    page.get_by_role("textbox", name="Answer").fill("Zero is a natural number.")
    page.get_by_role("radio", name="All candidates of the exam").check()
    page.get_by_role("button", name="Send the answer").click()
    page.get_by_role("button", name="Answer to one candidate").click()
    page.get_by_text("The answer was sent.").wait_for()
    page.get_by_role("cell", name="Zero is a natural number.").wait_for()
    found = person.get(f"/exams/{exam_id}/clarifications/").json["results"][0]
    assert (found["answer"], found["public"]) == ("Zero is a natural number.", True)


def test_a_day_with_very_many_open_questions_says_that_it_shows_the_oldest(site, exam_id, admin):
    person = sitting(site, exam_id, "Ada")
    with begin(site.service.runtime) as work:
        row = {"exam_id": exam_id, "candidate_id": person.id, "text": QUESTION}
        work.db.add_all(Clarification(**row, asked_at=work.now) for _ in range(101))
    page = open_day(site, admin, exam_id, "?tab=questions")
    page.get_by_text("Only the 100 oldest of 101 open questions are shown.").wait_for()
    asked = page.get_by_role("button", name="Answer Ada Obi")
    expect(asked).to_have_count(100)


def test_an_unsent_answer_stays_if_another_moderator_answers_first(site, exam_id, admin):
    asked = ask(sitting(site, exam_id, "Ada"), exam_id)
    page = open_day(site, admin, exam_id, "?tab=questions")
    page.get_by_role("button", name="Answer Ada Obi").click()
    page.get_by_role("textbox", name="Answer").fill("Yes.")
    body = {"answer": "No.", "public": False}
    site.service.staff("moderator").post(f"/clarifications/{asked['id']}/answer/", body, status=200)
    page.get_by_text("Another member of staff has answered").wait_for()
    expect(page.get_by_role("textbox", name="Answer")).to_have_value("Yes.")


def test_an_announcement_first_shows_the_number_of_its_recipients(site, exam_id, admin):
    person = sitting(site, exam_id, "Ada")
    sitting(site, exam_id, "Ben")
    page = open_day(site, admin, exam_id)
    page.get_by_role("link", name="Announce", exact=True).click()
    page.get_by_role("textbox", name="Announcement").fill("Question 3 is about integers.")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Announce to 2 candidates").click()
    page.get_by_text("The announcement was sent.").wait_for()
    expect(page.get_by_role("textbox", name="Announcement")).to_have_value("")
    found = person.get(f"/exams/{exam_id}/announcements/").json["results"]
    assert [each["text"] for each in found] == ["Question 3 is about integers."]


def test_concluding_first_shows_who_is_still_taking_the_exam(site, exam_id, admin):
    sitting(site, exam_id, "Ada")
    sitting(site, exam_id, "Ben")
    page = open_day(site, admin, exam_id)
    page.get_by_role("button", name="Conclude").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text(re.compile("2 candidates are still sitting: their time ends now")).wait_for()
    expect(dialog.get_by_role("listitem")).to_have_count(2)
    dialog.get_by_role("button", name="Conclude, and end the time of 2 candidates").click()
    page.get_by_role("link", name="See the results").wait_for()
    page.get_by_text("The exam closed at").wait_for()
    with begin(site.service.runtime) as work:
        assert work.db.get_one(Exam, exam_id).concluded_at is not None


def test_a_question_left_open_after_the_exam_is_answered_from_the_to_dos(site, exam_id, admin):
    person, moderator = sitting(site, exam_id, "Ada"), site.service.staff("moderator")
    ask(person, exam_id)
    submit(person, exam_id, answers(site.service, exam_id, "ABCD"), status=201)
    admin.post(f"/exams/{exam_id}/conclude/", status=200)
    # The console no longer lists the exam among the current ones.
    site.service.clock.advance(days=2)
    page = site.signed_in(moderator, "/console/")
    page.get_by_role("link", name="Answer one question from a candidate").click()
    page.get_by_role("heading", name="Open questions of candidates", level=1).wait_for()
    page.get_by_role("row").filter(has_text="Ada Obi").get_by_text("Screening").wait_for()
    page.get_by_role("link", name=QUESTION).click()
    page.get_by_role("button", name="Answer Ada Obi").click()
    page.get_by_role("textbox", name="Answer").fill("Yes, it is.")
    page.get_by_role("radio", name="Only Ada Obi").check()
    page.get_by_role("button", name="Send the answer").click()
    page.get_by_text("The answer was sent.").wait_for()
    with begin(site.service.runtime) as work:
        found = work.db.scalars(select(Clarification)).one()
    assert (found.status, found.answer) == ("answered", "Yes, it is.")
    page.goto("/console/day/questions")
    page.get_by_text("No questions are open.").wait_for()


WATCH = "console/static/day/watch.js"


def test_the_hour_keeps_the_latest_counts_of_each_minute(site, exam_id, admin):
    page = site.visit("/console/")
    source = page.evaluate(
        "() => [...document.querySelectorAll('link[rel=modulepreload]')].map(each => each.href)"
    )[0]
    base = source[: source.index("/static/") + len("/static/")]
    release = source[len(base) :].split("/")[0]
    watch = f"import('{base}{release}/{WATCH}')"
    minute = 60_000
    found = page.evaluate(
        f"""async () => {{
          const watch = await {watch};
          let hour = [];
          for (const [at, sitting] of [[0, 1], [10, 2], [3 * {minute}, 5], [70 * {minute}, 4]])
            hour = watch.remembered(hour, {{ at, counts: {{ sitting }} }});
          const early = watch.lines([{{ at: 10, counts: {{ sitting: 2 }} }},
            {{ at: 3 * {minute}, counts: {{ sitting: 5 }} }}], 4 * {minute},
            [each => each.sitting]);
          return [hour.map(each => each.counts.sitting), early.lines[0], early.minutes.length];
        }}"""
    )
    assert found == [[4], [*[None] * 56, 2, 2, 2, 5, 5], 61]
    seats = [
        {"candidate": {"school": school}, "last_seen_at": f"2026-03-14T10:{seen:02}:00Z"}
        for school, seen in (("Hill", 5), ("x", 1), (" hill ", 31), ("HILL", 33), ("", 2))
    ]
    groups = page.evaluate(
        f"""async seats => {{
          const watch = await {watch};
          const groups = watch.grouped(seats);
          return [groups.map(each => [each.school, each.seats.length, each.from]),
            watch.suspected(groups).map(each => each.school)];
        }}""",
        seats,
    )
    # One candidate of the school fell silent long before the others, so the outage begins later.
    assert groups == [
        [
            ["Hill", 3, "2026-03-14T10:31:00Z"],
            ["", 1, "2026-03-14T10:02:00Z"],
            ["x", 1, "2026-03-14T10:01:00Z"],
        ],
        ["Hill"],
    ]


def test_every_view_of_the_exam_day(site, exam_id, admin):
    _, other = silent_school(site, exam_id)
    ask(other, exam_id)
    done = sitting(site, exam_id, "Eve")
    submit(done, exam_id, answers(site.service, exam_id, "ABCD"), status=201)
    site.service.candidate(first_name="Finn")
    body = {"everyone": True, "extra_minutes": 10, "reason": "The start was slow."}
    admin.post(f"/exams/{exam_id}/allowances/", body, status=201)
    admin.post(f"/exams/{exam_id}/announcements/", {"text": "Good luck."}, status=201)
    page = open_day(site, admin, exam_id, viewport=PHONE)

    def counted(page):
        page.locator(".day-counts").wait_for()
        page.locator("main h2").first.wait_for()

    def table(page):
        page.get_by_role("table").first.wait_for()

    every_view(page, "console-day-silent", counted)
    for tab in ("candidates", "questions", "announcements", "time"):
        page.goto(f"/console/exams/{exam_id}/day?tab={tab}")
        every_view(page, f"console-day-{tab}", table)
    page.goto(f"/console/exams/{exam_id}/day/time?school=Hill&from=2026-11-24T10:00:00Z")
    every_view(page, "console-day-give", lambda page: page.locator("textarea").wait_for())
    page.goto("/console/day")
    every_view(page, "console-day-days", table)
    page.goto("/console/day/questions")
    every_view(page, "console-day-asked", table)


def test_before_an_exam_opens_its_day_says_when_it_opens_and_closes(site, admin):
    opens = (site.service.clock.now + timedelta(hours=3)).isoformat()
    exam = make_exam(site.service, admin, "ABCD", title="Screening", scheduled_date=opens)
    page = open_day(site, admin, exam)
    page.get_by_text(re.compile(r"The exam opens at .+ and closes at .+\.")).wait_for()
    # Time can be given before the exam opens, but only an open exam can be concluded.
    expect(page.get_by_role("link", name="Give time", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Conclude")).to_have_count(0)
    page.goto("/console/day")
    row = page.get_by_role("row").filter(has_text="Screening")
    row.get_by_text("Not open yet").wait_for()
    site.service.clock.advance(hours=4)
    # One word for one state, on every page.
    for path in ("/console/day", "/console/exams", "/console/"):
        page.goto(path)
        row.get_by_text("Open", exact=True).wait_for()


def test_organisers_in_another_zone_read_their_time_and_the_leagues(site, admin, exam_id):
    person = sitting(site, exam_id, "Ada")
    deadline = datetime.fromisoformat(person.get(f"/exams/{exam_id}/time/").json["deadline"])
    there, here = f"{deadline:%H:%M}", f"{deadline + timedelta(hours=1):%H:%M}"
    page = open_day(site, admin, exam_id, "?tab=candidates", timezone_id="Africa/Lagos")
    # The league's time zone is UTC. If the dates differ, the page shows the league's time with its
    # date.
    pattern = rf"{here} \(.*{there} in UTC, the league.s time zone\)"
    expect(page.get_by_role("row").nth(1)).to_contain_text(re.compile(pattern))
    expect(page.locator("h1 + p")).to_contain_text(re.compile(r"\d\d:\d\d \(.* in UTC"))
