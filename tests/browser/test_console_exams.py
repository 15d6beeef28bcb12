"""The console's exams, their plan, paper and preview, in a browser."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from competition.testing.exam_day import (
    make_exam,
    make_questions,
    publish,
    score_of,
    season,
    sit,
    take,
)
from competition.testing.identity_papers import submit
from tests.browser.test_console_questions import FORMULA, triangle
from tests.support.browser import PHONE, PICTURES, every_view, faults, wait_for
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)


def plan(site, admin, key="ABCD", **fields):
    """An exam that opens in ten days."""
    opens = (site.service.clock.now + timedelta(days=10)).replace(minute=0, second=0, microsecond=0)
    return make_exam(site.service, admin, key, **{"scheduled_date": opens.isoformat(), **fields})


def order(admin, exam):
    return [each["id"] for each in admin.get(f"/exams/{exam}/questions/").json]


@pytest.mark.essential
def test_an_exam_is_planned_from_its_basics_to_a_frozen_paper(site):
    admin = site.service.staff("admin")
    make_questions(site.service, "AB")
    site.service.candidate()
    site.service.candidate(verification="not_submitted")
    submit(site.service.candidate(verification="not_submitted"))
    page = site.signed_in(admin, "/console/exams")
    page.get_by_text("No exam is open or planned.").wait_for()
    page.get_by_role("link", name="Plan an exam").first.click()
    page.get_by_role("heading", name="Plan an exam").wait_for()
    page.get_by_label("Title").fill("Screening, autumn")
    page.get_by_role("button", name="Create the exam").click()
    page.get_by_text("The exam is created.").wait_for()
    steps = page.get_by_role("navigation", name="Steps of the plan")
    steps.get_by_text("The exam has no date yet.").wait_for()
    steps.get_by_role("link", name="Basics").click()
    page.get_by_label("Date", exact=True).fill("2031-12-06")
    page.get_by_label("Time", exact=True).fill("10:00")
    page.get_by_role("button", name="Save changes").click()
    steps.get_by_text("Opens Sat 6 Dec 2031, 10:00 in UTC for 12 h").wait_for()
    steps.get_by_role("link", name="Paper").click()
    page.get_by_role("link", name="Choose questions").click()
    page.get_by_role("button", name="Add: Question 0 of AB").click()
    # The buttons disappear, so others get the focus.
    expect(page.get_by_role("button", name="Add: Question 1 of AB")).to_be_focused()
    page.get_by_role("button", name="Add: Question 1 of AB").click()
    expect(page.get_by_role("heading", name="2 questions in the paper")).to_be_focused()
    page.get_by_role("button", name="Save the paper with 2 questions").click()
    page.get_by_text("The paper is saved. It has 2 questions.").wait_for()
    expect(page.get_by_role("heading", name="2 questions in the paper")).to_be_focused()
    page.get_by_role("link", name="Next step: People").click()
    steps.get_by_text("2 questions.").wait_for()
    steps.get_by_text("Approved: 1, not yet: 2").wait_for()
    steps.get_by_role("link", name="Checks").click()
    page.get_by_role("listitem").filter(has_text="Background jobs").get_by_text(
        "Ask the operator"
    ).wait_for()
    page.get_by_role("button", name="Freeze the paper with 2 questions").click()
    page.get_by_text("The paper is frozen.").wait_for()
    assert faults(page) == []


def test_an_exam_that_is_over_when_it_is_created_is_reported(site):
    page = site.signed_in(site.service.staff("admin"), "/console/exams/new")
    page.get_by_role("textbox", name="Title").fill("Screening, autumn")
    page.get_by_label("Date", exact=True).fill("2025-12-05")
    page.get_by_label("Time", exact=True).fill("10:00")
    page.get_by_role("button", name="Create the exam").click()
    page.get_by_text("The exam is created, but it is over already").wait_for()
    # The form with the date is on this page.
    assert page.get_by_label("Date", exact=True).input_value() == "2025-12-05"


def test_the_plan_of_an_exam_that_is_over_counts_no_candidates_of_today(site):
    admin = site.service.staff("admin")
    exam_id, _ = season(site.service, admin, ["AB"], key="AB")
    site.service.clock.advance(minutes=6)
    publish(site.service, admin)
    page = site.signed_in(admin, f"/console/exams/{exam_id}?step=people")
    over = page.get_by_text("The exam is over. The results show who has taken it.")
    expect(over).to_have_count(2)
    expect(page.get_by_text("can take the exam")).to_have_count(0)


def test_a_date_that_somebody_else_has_changed_is_shown_as_the_form_shows_it(site):
    site.tolerate("status of 412")
    admin = site.service.staff("admin")
    date = {"scheduled_date": "2031-12-05T10:00:00Z"}
    exam = make_exam(site.service, admin, "AB", **date)
    page = site.signed_in(admin, f"/console/exams/{exam}?step=basics")
    page.get_by_label("Date", exact=True).fill("2031-12-06")
    admin.patch(f"/exams/{exam}/", {"scheduled_date": "2031-12-07T09:30:00Z"}, status=200)
    page.get_by_role("button", name="Save changes").click()
    page.get_by_text("Theirs: Sun 7 Dec 2031, 09:30").wait_for()
    page.get_by_text("Yours: Sat 6 Dec 2031, 10:00").wait_for()


def test_questions_are_moved_by_buttons_by_keys_by_number_and_by_dragging(site):
    admin = site.service.staff("admin")
    exam = plan(site, admin)
    a, b, c, d = order(admin, exam)
    # On this screen, the whole list is visible. The mouse could not drag a question on a page that
    # scrolls.
    page = site.signed_in(
        admin, f"/console/exams/{exam}/paper", viewport={"width": 1280, "height": 1200}
    )
    page.get_by_role("button", name="Down: Question 0").click()
    page.get_by_text("is now at position 2 of 4").wait_for()
    assert page.locator(":focus").get_attribute("aria-label").startswith("Down: Question 0")
    page.keyboard.press("Alt+ArrowDown")
    page.get_by_text("is now at position 3 of 4").wait_for()
    position = page.get_by_label("Position of: Question 3")
    position.fill("1")
    position.press("Enter")
    page.get_by_text("is now at position 1 of 4").wait_for()
    items = page.locator("ol.exam-paper > li")
    # Before this, the order is d, b, c, a.
    items.nth(1).drag_to(items.nth(3))
    page.get_by_text("is now at position 4 of 4").wait_for()
    assert page.get_by_role("button", name="Print the paper").count() == 0
    page.get_by_role("button", name="Save the paper").click()
    page.get_by_text("The paper is saved.").wait_for()
    assert order(admin, exam) == [d, c, a, b]


def test_a_paper_changed_by_another_person_is_not_overwritten_without_asking(site):
    admin = site.service.staff("admin")
    exam = plan(site, admin)
    a, b, c, d = order(admin, exam)
    site.tolerate("412")
    page = site.signed_in(admin, f"/console/exams/{exam}/paper")
    page.get_by_role("button", name="Remove: Question 0").click()
    admin.patch(f"/exams/{exam}/", {"questions": [b, a]}, status=200)
    page.get_by_role("button", name="Save the paper with 3 questions").click()
    page.get_by_text("The other person's paper has 2 questions.").wait_for()
    assert order(admin, exam) == [b, a]
    page.get_by_role("button", name="Save my paper").click()
    page.get_by_text("The paper is saved.").wait_for()
    assert order(admin, exam) == [b, c, d]


def test_a_frozen_paper_can_be_printed_but_not_changed(site):
    admin = site.service.staff("admin")
    exam = plan(site, admin)
    admin.post(f"/exams/{exam}/prepare/", status=200)
    page = site.signed_in(admin, f"/console/exams/{exam}/paper")
    page.get_by_text("The paper is frozen: you can print it, but not change it.").wait_for()
    expect(page.get_by_role("listitem").filter(has_text="Question 0")).to_be_visible()
    expect(page.get_by_role("button", name="Print the paper")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^(Up|Down|Remove|Add)"))).to_have_count(0)


def test_a_paper_that_is_frozen_meanwhile_says_why_it_is_not_saved(site):
    admin = site.service.staff("admin")
    exam = plan(site, admin)
    before = order(admin, exam)
    page = site.signed_in(admin, f"/console/exams/{exam}/paper")
    page.get_by_role("button", name="Down: Question 0").click()
    admin.post(f"/exams/{exam}/prepare/", status=200)
    page.get_by_role("button", name="Save the paper").click()
    page.get_by_text("Nothing is saved: the paper is frozen").wait_for()
    page.get_by_role("link", name="Go to the checks").click()
    page.get_by_role("button", name="Leave without saving").click()
    page.get_by_role("button", name="Unfreeze the paper").click()
    page.get_by_text("Its questions can be changed.").wait_for()
    assert order(admin, exam) == before


def test_a_paper_is_frozen_and_unfrozen_without_a_reload(site):
    admin = site.service.staff("admin")
    exam = plan(site, admin)
    page = site.signed_in(admin, f"/console/exams/{exam}?step=checks")
    freeze = page.get_by_role("button", name="Freeze the paper with 4 questions")
    unfreeze = page.get_by_role("button", name="Unfreeze the paper")
    freeze.click()
    unfreeze.wait_for()
    expect(page.get_by_text("The paper was frozen on")).to_be_visible()
    expect(freeze).to_have_count(0)
    unfreeze.click()
    freeze.wait_for()
    expect(unfreeze).to_have_count(0)
    assert admin.get(f"/exams/{exam}/").json["frozen_at"] is None


def test_the_paper_and_its_key_are_printed_on_sheets_of_their_own(site):
    admin = site.service.staff("admin")
    exam = plan(site, admin)
    page = site.signed_in(admin, f"/console/exams/{exam}/paper")
    # Do not open the print dialog of the browser, which would wait for a person.
    page.evaluate("window.print = () => {}")
    page.get_by_role("button", name="Print the paper").click()
    page.locator(".print-sheet").wait_for(state="attached")
    page.emulate_media(media="print")
    sheet = page.locator(".print-sheet")
    sheet.get_by_text("Question 3 of ABCD").wait_for()
    assert "Name:" in sheet.inner_text() and "Answer key" not in sheet.inner_text()
    assert not page.get_by_role("button", name="Print the paper").is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    page.get_by_role("button", name="Print the answer key").click()
    page.emulate_media(media="print")
    sheet.get_by_text("Keep this sheet away from candidates").wait_for()
    assert sheet.get_by_role("listitem").all_inner_texts() == ["A", "B", "C", "D"]


def test_the_printed_paper_has_formulas_and_images_and_the_key_has_a_sheet_of_its_own(
    site, tmp_path
):
    admin = site.service.staff("admin")
    form = {"file": ("a.png", triangle(tmp_path / "a.png").read_bytes()), "alt": "A rectangle"}
    image = admin.upload("POST", "/questions/images/", form, status=201).json["id"]
    question = {**FORMULA, "text": f"{FORMULA['text']} [image:{image}]"}
    ids = [admin.post("/questions/", question, status=201).json["id"]]
    exam = plan(site, admin, questions=ids)
    page = site.signed_in(admin, f"/console/exams/{exam}/paper")
    # Do not open the print dialog of the browser, which would wait for a person.
    page.evaluate("window.print = () => { window.isPrinted = true }")
    page.get_by_role("button", name="Print the paper").click()
    # The page prints when the images are loaded.
    wait_for(page, lambda: page.evaluate("window.isPrinted"))
    page.emulate_media(media="print")
    sheet = page.locator(".print-sheet")
    expect(sheet).to_have_count(1)
    # Candidates write on these lines.
    for line in ("Name:", "School:", "Seat:"):
        expect(sheet.get_by_text(line, exact=True)).to_be_visible()
    # A root and a fraction in the question, and a fraction in three options.
    expect(sheet.locator("msqrt")).to_have_count(1)
    expect(sheet.locator("mfrac")).to_have_count(4)
    root, fraction = (sheet.locator(each).first.bounding_box() for each in ("msqrt", "mfrac"))
    assert root["width"] > 10 and fraction["height"] > root["height"]
    picture = sheet.get_by_role("img", name="A rectangle")
    expect(picture).to_be_visible()
    assert picture.evaluate("each => [each.naturalWidth, each.naturalHeight]") == [240, 160]
    assert "Answer key" not in sheet.inner_text() and "\\(" not in sheet.inner_text()
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / "console-exams-printed.png", full_page=True)
    assert pages_of(page) == 1
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    page.get_by_role("button", name="Print the answer key").click()
    page.emulate_media(media="print")
    sheet.get_by_text("Keep this sheet away from candidates").wait_for()
    expect(sheet).to_have_count(1)
    assert sheet.get_by_role("listitem").all_inner_texts() == ["B"]
    # The sheet with the answer key shows no question.
    expect(page.locator("math:visible, img:visible")).to_have_count(0)
    assert pages_of(page) == 1


def pages_of(page):
    """How many sheets the browser prints."""
    return page.pdf().count(b"/Type /Page\n")


def test_the_preview_shows_the_paper_as_candidates_see_it(site):
    admin = site.service.staff("admin")
    exam = plan(site, admin, description="No calculators.")
    page = site.signed_in(admin, f"/console/exams/{exam}/preview")
    page.get_by_text("No calculators.").wait_for()
    page.get_by_label("B, 2").check()
    page.get_by_role("link", name="Question 1, answered").wait_for()
    page.get_by_role("link", name="Next question").click()
    page.get_by_role("heading", name="Question 2 of 4").wait_for()
    page.reload()
    page.get_by_role("heading", name="Question 2 of 4").wait_for()
    assert faults(page) == []


def test_switching_off_a_running_exam_says_how_many_are_working_on_it(site):
    admin, candidate = site.service.staff("admin"), site.service.candidate()
    exam = make_exam(site.service, admin, "ABCD")
    candidate.get(f"/exams/{exam}/take-exam/", status=200)
    page = site.signed_in(admin, f"/console/exams/{exam}?step=basics")
    page.get_by_role("button", name="Switch the exam off").click()
    page.get_by_role("button", name="Switch off for one candidate").click()
    page.get_by_text("The exam is switched off.").wait_for()
    page.get_by_role("button", name="Switch the exam on").wait_for()
    assert admin.get(f"/exams/{exam}/").json["status"] == "cancelled"


def test_the_overview_says_that_there_are_more_exams_than_it_shows(site):
    admin = site.service.staff("admin")
    for number in range(51):
        plan(site, admin, "", title=f"Round {number + 1}", round=number + 1)
    page = site.signed_in(admin, "/console/exams")
    page.get_by_text("Only 50 of 51 exams that are open or planned are shown.").wait_for()
    page.get_by_role("main").get_by_role("paragraph").get_by_role("link", name="All exams").click()
    page.get_by_text("1 to 20 of 51").wait_for()


def test_an_open_exam_is_closed_earlier_only_after_a_question(site):
    admin = site.service.staff("admin")
    candidate = site.service.candidate(first_name="Ada", last_name="Obi")
    exam = make_exam(site.service, admin, "ABCD", open_duration_hours=4)
    take(candidate, exam, status=200)
    page = site.signed_in(admin, f"/console/exams/{exam}?step=basics")
    save, dialog = page.get_by_role("button", name="Save changes"), page.get_by_role("dialog")
    hours = page.get_by_label("Open for, in hours")
    # A later end needs no question.
    hours.fill("5")
    save.click()
    page.get_by_text("Your changes are saved.").wait_for()
    hours.fill("2")
    save.click()
    dialog.get_by_text(re.compile("closes on .+ instead of .+ One candidate is work")).wait_for()
    expect(dialog.get_by_role("listitem")).to_have_text("Ada Obi")
    dialog.get_by_role("button", name="Cancel").click()
    assert admin.get(f"/exams/{exam}/").json["open_duration_hours"] == 5
    save.click()
    dialog.get_by_role("button", name="Close earlier for one candidate").click()
    page.get_by_text("for 2 h, with").wait_for()
    # The exam has been open for an hour.
    hours.fill("1")
    save.click()
    dialog.get_by_text("so the exam closes at once").wait_for()
    dialog.get_by_role("button", name="Close earlier for one candidate").click()
    page.get_by_role("link", name="Results", exact=True).wait_for()
    assert admin.get(f"/exams/{exam}/").json["status"] == "concluded"


def test_deleting_an_exam_says_how_many_are_working_on_it_and_how_many_results_it_has(site):
    admin, done = site.service.staff("admin"), site.service.candidate()
    candidate = site.service.candidate(first_name="Ada", last_name="Obi")
    exam = make_exam(site.service, admin, "ABCD")
    sit(site.service, done, exam, "ABCD")
    score_of(site.service, done, exam)
    take(candidate, exam, status=200)
    page = site.signed_in(admin, f"/console/exams/{exam}?step=basics")
    page.get_by_role("button", name="Delete the exam").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("One candidate is working on the exam").wait_for()
    expect(dialog.get_by_text("The exam has one result")).to_be_visible()
    expect(dialog.get_by_role("listitem")).to_have_text("Ada Obi")
    dialog.get_by_role("button", name="Delete the exam for one candidate").click()
    page.get_by_text("“Screening” is deleted.").wait_for()
    admin.get(f"/exams/{exam}/", status=404)


def test_moderators_see_the_exams_of_the_day_only(site):
    admin = site.service.staff("admin")
    make_exam(site.service, admin, "ABCD", title="Today")
    plan(site, admin, title="Next week")
    page = site.signed_in(site.service.staff("moderator"), "/console/exams")
    page.get_by_role("link", name="Today").wait_for()
    assert page.get_by_role("link", name="Next week").count() == 0
    assert page.get_by_role("link", name="Plan an exam").count() == 0
    assert faults(page) == []


def test_every_view_of_the_exams_is_accessible(site):
    admin = site.service.staff("admin")
    for _ in range(3):
        site.service.candidate()
    make_exam(site.service, admin, "ABCD", title="Screening 1")
    make_exam(
        site.service, admin, "", title="Final of the spring", stage="final", scheduled_date=None
    )
    question = admin.post("/questions/", FORMULA, status=201).json["id"]
    ids = [question, *make_questions(site.service, "ABCDA")]
    exam = plan(
        site, admin, "", title="Screening 2", round=2, questions=ids, description="No aids."
    )
    admin.delete(f"/questions/{ids[-1]}/", status=204)
    page = site.signed_in(admin, "/console/exams", viewport=PHONE, reduced_motion="reduce")
    every_view(page, "console-exams-list", lambda page: page.get_by_role("row").nth(3).wait_for())
    ready = {
        "basics": "fieldset input",
        "people": ".exam-people",
        "checks": ".exam-checks > li",
        "results": "fieldset input",
    }
    for step, place in ready.items():
        page.goto(f"/console/exams/{exam}?step={step}")

        def shown(page, place=place):
            page.locator(place).first.wait_for()
            page.locator(".exam-steps .tag.bad").wait_for()

        every_view(page, f"console-exams-{step}", shown)
    page.goto(f"/console/exams/{exam}/paper")
    every_view(page, "console-exams-paper", lambda page: page.get_by_role("row").nth(3).wait_for())
    page.goto(f"/console/exams/{exam}/preview")
    every_view(page, "console-exams-preview", lambda page: page.locator(".option").first.wait_for())
    page.goto("/console/exams/new")
    every_view(page, "console-exams-new", lambda page: page.locator("textarea").wait_for())
