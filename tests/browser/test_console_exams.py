"""The console's exams, their plan, paper and preview, in a browser."""

from datetime import timedelta

from playwright.sync_api import expect

from competition.testing.exam_day import make_exam, make_questions
from competition.testing.identity_papers import submit
from tests.browser.test_console_questions import FORMULA, LONG_TITLE, triangle
from tests.support.browser import PHONE, arrived, every_view, wait_for
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)


def plan(site, admin, key="ABCD", **fields):
    """An exam that opens in ten days."""
    opens = (site.service.clock.now + timedelta(days=10)).replace(minute=0, second=0, microsecond=0)
    return make_exam(site.service, admin, key, **{"scheduled_date": opens.isoformat(), **fields})


def test_an_exam_is_planned_from_its_basics_to_a_frozen_paper(site):
    admin = site.service.staff("admin")
    make_questions(site.service, "AB")
    site.service.candidate()
    submit(site.service.candidate(verification="not_submitted"))
    make_exam(site.service, admin, "ABCD", title="Screening 1")
    make_exam(site.service, admin, "", title=LONG_TITLE, stage="final", scheduled_date=None)
    page = site.signed_in(admin, "/console/exams", viewport=PHONE)
    arrived(page, "Exams")
    every_view(page, "console-exams-list", lambda page: page.get_by_role("row").nth(2).wait_for())
    page.get_by_role("link", name="Plan an exam").first.click()
    arrived(page, "Plan an exam")
    every_view(page, "console-exams-new", lambda page: page.locator("textarea").wait_for())
    page.get_by_label("Title").fill(LONG_TITLE)
    page.get_by_label("Round").fill("2")
    page.get_by_role("button", name="Create the exam").click()
    arrived(page, LONG_TITLE)
    page.get_by_text("The exam is created.").wait_for()
    steps = page.get_by_role("navigation", name="Steps of the plan")
    steps.get_by_role("link", name="Basics").click()
    page.get_by_label("Date", exact=True).fill("2031-12-06")
    page.get_by_label("Time", exact=True).fill("10:00")
    page.get_by_role("button", name="Save changes").click()
    steps.get_by_text("Opens Sat 6 Dec 2031, 10:00 in UTC for 12 h").wait_for()
    ready = {
        "basics": "fieldset input",
        "people": ".exam-people",
        "checks": ".exam-checks > li",
        "results": "fieldset input",
    }
    address = page.url.partition("?")[0]
    for step, place in ready.items():
        page.goto(f"{address}?step={step}")

        def shown(page, place=place):
            page.locator(place).first.wait_for()
            page.locator(".exam-steps .tag.bad").wait_for()

        every_view(page, f"console-exams-{step}", shown)
    steps.get_by_role("link", name="Paper").click()
    page.get_by_role("link", name="Choose questions").click()
    arrived(page, "Paper")
    page.get_by_role("button", name="Add: Question 0 of AB", exact=True).click()
    page.get_by_role("button", name="Add: Question 1 of AB", exact=True).click()
    page.set_viewport_size({"width": 1280, "height": 1200})
    items = page.locator("ol.exam-paper > li")
    items.nth(0).drag_to(items.nth(1))
    page.get_by_text("is now at position 2 of 2").wait_for()
    every_view(
        page,
        "console-exams-paper",
        lambda page: page.locator("ol.exam-paper > li").nth(1).wait_for(),
    )
    page.get_by_role("button", name="Save the paper with 2 questions").click()
    page.get_by_text("The paper is saved. It has 2 questions.").wait_for()
    page.get_by_role("link", name="Preview").click()
    arrived(page, "Preview")
    every_view(page, "console-exams-preview", lambda page: page.locator(".option").first.wait_for())
    page.get_by_label("B, 2").check()
    page.get_by_role("link", name="Question 1, answered").wait_for()
    page.goto(f"{address}?step=checks")
    arrived(page, LONG_TITLE)
    page.get_by_role("button", name="Freeze the paper with 2 questions").click()
    page.get_by_text("The paper is frozen.").wait_for()
    exam = int(address.rpartition("/")[2])
    texts = [each["text"] for each in admin.get(f"/exams/{exam}/questions/").json]
    assert texts == ["Question 1 of AB", "Question 0 of AB"]
    assert admin.get(f"/exams/{exam}/").json["frozen_at"]


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
    arrived(page, "Paper")
    # Do not open the print dialog of the browser, which would wait for a person.
    page.evaluate("window.print = () => { window.isPrinted = true }")
    page.get_by_role("button", name="Print the paper").click()
    # The page prints when the images are loaded.
    wait_for(page, lambda: page.evaluate("window.isPrinted"))
    page.emulate_media(media="print")
    sheet = page.locator(".print-sheet")
    expect(sheet).to_have_count(1)
    # Only the sheet is printed. Candidates write on its lines.
    expect(page.get_by_role("button", name="Print the paper")).to_be_hidden()
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
    assert "\\(" not in sheet.inner_text()
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
