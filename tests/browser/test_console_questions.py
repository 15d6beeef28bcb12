"""The console's bank of questions and its editor, in a browser."""

import io

import pytest
from PIL import Image
from playwright.sync_api import expect

from competition.testing.exam_day import make_exam, publish, season
from tests.support.browser import PHONE, arrived, every_view, faults, wait_for
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

FORMULA = {
    "text": r"Which number is \(\sqrt{x^2}\) if \(x = -\frac{3}{2}\)?",
    "option_a": r"\(-\frac{3}{2}\)",
    "option_b": r"\(\frac{3}{2}\)",
    "option_c": r"\(\frac{9}{4}\)",
    "option_d": "None of these",
    "correct_answer": "B",
    "difficulty": "hard",
}
LONG_TITLE = "Screening of the northern regions, second sitting for late registrations"


def triangle(path):
    stream = io.BytesIO()
    Image.new("RGB", (240, 160), "navy").save(stream, "PNG")
    path.write_bytes(stream.getvalue())
    return path


def fill(page, **texts):
    for label, text in texts.items():
        page.get_by_label(label.replace("_", " "), exact=False).first.fill(text)


@pytest.fixture
def used(site):
    """The id of a question that an exam has asked. The exam is over."""
    admin = site.service.staff("admin")
    exam, _ = season(site.service, admin, ["ABCD", "ABCA", "BBCD"], key="ABCD", title=LONG_TITLE)
    [first, *_] = admin.get(f"/exams/{exam}/questions/").json
    site.service.clock.advance(minutes=6)
    publish(site.service, admin)
    return first["id"]


def test_questions_are_found_added_to_an_exam_and_archived(site, used):
    admin = site.service.staff("admin")
    question = admin.post("/questions/", FORMULA, status=201).json["id"]
    exam = make_exam(site.service, admin, "", title="Finals", stage="final", scheduled_date=None)
    page = site.signed_in(admin, "/console/questions", viewport=PHONE)
    arrived(page, "Questions")
    every_view(
        page, "console-questions-bank", lambda page: page.get_by_role("row").nth(3).wait_for()
    )
    page.get_by_label("Search the text").fill("of ABCD")
    page.get_by_text("4 questions", exact=True).wait_for()
    page.get_by_role("checkbox").nth(0).check()
    page.get_by_role("checkbox").nth(1).check()
    page.get_by_role("button", name="Add 2 questions to exams").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Finals (0 questions)").check()
    dialog.get_by_role("button", name="Add 2 questions to exams").click()
    page.get_by_text("2 questions were added to exams.").wait_for()
    assert admin.get(f"/exams/{exam}/").json["question_count"] == 2
    page.get_by_label("Search the text").fill("")
    page.get_by_label("Exams").select_option("In no exam")
    page.get_by_text("One question", exact=True).wait_for()
    page.get_by_role("checkbox").first.check()
    page.get_by_role("button", name="Archive one question").click()
    dialog.get_by_role("button", name="Archive one question").click()
    page.get_by_text("One question is archived.").wait_for()
    assert admin.get(f"/questions/{question}/").json["is_archived"]


def test_a_question_is_written_with_formulas_and_an_image_and_changed(site, used, tmp_path):
    admin = site.service.staff("admin")
    page = site.signed_in(admin, "/console/questions/new")
    arrived(page, "New question")
    every_view(
        page, "console-questions-new", lambda page: page.locator("textarea").nth(4).wait_for()
    )
    fill(page, Text_of_the_question=r"What is \(x^2\) if \(x = 3\)?", Option_A="3", Option_B="9")
    preview = page.get_by_role("complementary", name="As candidates see it")
    preview.locator("msup").wait_for()
    fill(page, Option_C="27", Option_D=r"\(\frac{1}{9}")
    preview.get_by_text("Option D: ").wait_for()
    # Only what is wrong is shown as it was typed.
    expect(preview.locator("merror")).to_have_text(r"\(")
    expect(preview.locator("msup")).to_have_count(1)
    fill(page, Option_D=r"\(\frac{1}{9}\)")
    preview.locator("mfrac").wait_for()
    page.get_by_label("Text of the question").press("Control+End")
    page.get_by_role("button", name="Insert an image").click()
    page.get_by_text("Images that you upload appear here").wait_for()
    page.get_by_label("Image", exact=True).set_input_files(triangle(tmp_path / "triangle.png"))
    page.get_by_label("Description of the image").fill("A rectangle that is 6 cm wide")
    page.get_by_role("button", name="Upload and insert").click()
    preview.get_by_role("img", name="A rectangle that is 6 cm wide").wait_for()
    page.get_by_role("button", name="Insert an image").click()
    page.get_by_role("button", name="Insert: A rectangle that is 6 cm wide").wait_for()
    assert faults(page) == []
    page.get_by_role("button", name="Close").click()
    page.get_by_role("group", name="Correct answer").get_by_label("Option B").check()
    page.get_by_role("button", name="Add to the bank").click()
    page.get_by_text("The question is in the bank.").wait_for()
    every_view(
        page, "console-questions-editor", lambda page: page.locator("aside mfrac").wait_for()
    )
    page.set_viewport_size({"width": 900, "height": 500})
    fill(page, Option_C="81")
    preview.get_by_text("81").wait_for()
    save = page.get_by_role("button", name="Save the question")
    save.scroll_into_view_if_needed()
    assert page.evaluate("scrollY") > 0
    before = save.bounding_box()["y"]
    save.click()
    # The result of an action low on a page is in sight, and moves nothing.
    said = page.get_by_role("status").get_by_text("The question is saved.")
    expect(said).to_be_in_viewport(ratio=1)
    # Browsers scroll by whole pixels.
    assert abs(save.bounding_box()["y"] - before) < 2
    question = int(page.url.rpartition("/")[2])
    wait_for(page, lambda: admin.get(f"/questions/{question}/").json["option_c"] == "81")
    page.goto(f"/console/questions/{used}")
    page.get_by_role("link", name=LONG_TITLE).wait_for()
    every_view(page, "console-questions-used", lambda page: page.get_by_text("67").first.wait_for())
