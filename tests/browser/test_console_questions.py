"""The console's bank of questions and its editor, in a browser."""

import io
from datetime import timedelta

import pytest
from PIL import Image
from playwright.sync_api import expect

from competition.testing.exam_day import make_exam, make_questions, publish, season
from competition.testing.waiting import wait_until
from tests.support.browser import PHONE, every_view, faults
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


def triangle(path):
    stream = io.BytesIO()
    Image.new("RGB", (240, 160), "navy").save(stream, "PNG")
    path.write_bytes(stream.getvalue())
    return path


def fill(page, **texts):
    for label, text in texts.items():
        page.get_by_label(label.replace("_", " "), exact=False).first.fill(text)


@pytest.mark.essential
def test_a_question_is_written_with_a_preview_of_its_formulas(site):
    # While a formula is only half typed, the API rejects the preview.
    site.tolerate("400")
    page = site.signed_in(site.service.staff("moderator"), "/console/questions/new")
    fill(page, Text_of_the_question=r"What is \(x^2\) if \(x = 3\)?", Option_A="3", Option_B="9")
    preview = page.get_by_role("complementary", name="As candidates see it")
    preview.locator("math").first.wait_for()
    fill(page, Option_C="27", Option_D=r"\(\frac{1}{9}")
    preview.get_by_text("Option D: ").wait_for()
    # Only what is wrong is shown as it was typed.
    expect(preview.locator("merror")).to_have_text(r"\(")
    expect(preview.locator("msup")).to_have_count(1)
    fill(page, Option_D=r"\(\frac{1}{9}\)")
    preview.locator("mfrac").wait_for()
    page.get_by_role("group", name="Correct answer").get_by_label("Option B").check()
    page.get_by_role("button", name="Add to the bank").click()
    page.get_by_text("The question is in the bank.").wait_for()
    page.get_by_text("No exam asks this question yet.").wait_for()
    page.get_by_role("link", name="Write another question").click()
    page.get_by_role("heading", name="New question", level=1).wait_for()
    expect(page.get_by_label("Text of the question")).to_have_value("")
    assert faults(page) == []


def test_the_result_of_an_action_low_on_a_page_is_in_sight_and_moves_nothing(site):
    author = site.service.staff("moderator")
    question = author.post("/questions/", FORMULA, status=201).json["id"]
    window = {"width": 900, "height": 500}
    page = site.signed_in(author, f"/console/questions/{question}", viewport=window)
    page.get_by_text("No exam asks this question yet.").wait_for()
    fill(page, Option_D="All of these")
    preview = page.get_by_role("complementary", name="As candidates see it")
    preview.get_by_text("All of these").wait_for()
    save = page.get_by_role("button", name="Save the question")
    save.scroll_into_view_if_needed()
    assert page.evaluate("scrollY") > 0
    before = save.bounding_box()["y"]
    save.click()
    expect(page.get_by_role("status").get_by_text("The question is saved.")).to_be_in_viewport(
        ratio=1
    )
    # Browsers scroll by whole pixels.
    assert abs(save.bounding_box()["y"] - before) < 2


def test_an_image_is_uploaded_and_inserted_at_the_cursor(site, tmp_path):
    page = site.signed_in(site.service.staff("moderator"), "/console/questions/new")
    fill(page, Text_of_the_question="Look at this: how long is it?")
    text = page.get_by_label("Text of the question")
    text.focus()
    for _ in range(" how long is it?".__len__()):
        page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Insert an image").click()
    page.get_by_text("Images that you upload appear here").wait_for()
    page.get_by_label("Image", exact=True).set_input_files(triangle(tmp_path / "triangle.png"))
    page.get_by_label("Description of the image").fill("A rectangle that is 6 cm wide")
    page.get_by_role("button", name="Upload and insert").click()
    page.get_by_role("dialog").wait_for(state="detached")
    shown = page.get_by_role("complementary").get_by_role("img")
    shown.wait_for()
    assert shown.get_attribute("alt") == "A rectangle that is 6 cm wide"
    assert ":[image:" in text.input_value() and text.input_value().endswith("] how long is it?")
    page.get_by_role("button", name="Insert an image").click()
    page.get_by_role("button", name="Insert: A rectangle that is 6 cm wide").wait_for()
    assert faults(page) == []


def test_two_people_who_edit_a_question_see_each_others_change(site):
    moderator = site.service.staff("moderator")
    [question] = make_questions(site.service, "A")
    site.tolerate("412")
    page = site.signed_in(moderator, f"/console/questions/{question}")
    text = page.get_by_label("Text of the question")
    text.fill("Mine")
    moderator.patch(f"/questions/{question}/", {"text": "Theirs"}, status=200)
    save = page.get_by_role("button", name="Save the question")
    save.click()
    page.get_by_text("Theirs: Theirs").wait_for()
    page.get_by_role("button", name="Save your version").click()
    page.get_by_text("The question is saved.").wait_for()
    text.fill("Mine again")
    save.click()
    wait_until(lambda: moderator.get(f"/questions/{question}/").json["text"] == "Mine again")


def test_questions_are_found_added_to_an_exam_and_archived(site):
    admin = site.service.staff("admin")
    make_questions(site.service, "ABC")
    admin.post("/questions/", FORMULA, status=201)
    exam = admin.post("/exams/", {"title": "Finals", "stage": "final"}, status=201).json["id"]
    page = site.signed_in(admin, "/console/questions")
    page.get_by_label("Search the text").fill("of ABC")
    page.get_by_text("3 questions", exact=True).wait_for()
    assert "search=of+ABC" in page.url
    page.get_by_role("checkbox").nth(0).check()
    page.get_by_role("checkbox").nth(1).check()
    page.get_by_role("button", name="Add 2 questions to exams").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Finals (0 questions)").check()
    dialog.get_by_role("button", name="Add 2 questions to exams").click()
    page.get_by_text("2 questions were added to exams.").wait_for()
    assert admin.get(f"/exams/{exam}/").json["question_count"] == 2
    page.get_by_role("checkbox").nth(2).check()
    page.get_by_role("button", name="Archive one question").click()
    page.get_by_role("dialog").get_by_role("button", name="Archive one question").click()
    page.get_by_text("One question is archived.").wait_for()
    page.get_by_text("2 questions", exact=True).wait_for()
    page.get_by_role("link", name="Archived").click()
    page.get_by_text("One question", exact=True).wait_for()


def test_the_bank_shows_where_questions_are_used_and_is_filtered_by_it(site, tmp_path):
    admin = site.service.staff("admin")
    exam, _ = season(site.service, admin, ["ABCD", "ABCA", "BBCD"], key="ABCD", title="Screening")
    [first, *_] = admin.get(f"/exams/{exam}/questions/").json
    site.service.clock.advance(minutes=6)
    publish(site.service, admin)
    make_exam(site.service, admin, "", title="Finals", questions=[first["id"]], scheduled_date=None)
    file = ("triangle.png", triangle(tmp_path / "triangle.png").read_bytes())
    image = admin.upload("POST", "/questions/images/", {"alt": "A triangle", "file": file}).json
    shown = admin.post("/questions/", {**FORMULA, "text": f"Look: [image:{image['id']}]"}).json
    page = site.signed_in(admin, "/console/questions")

    def row(question):
        return page.get_by_role("row").filter(
            has=page.get_by_role("link", name=f"Question {question}", exact=True)
        )

    row(first["id"]).get_by_role("link", name="Finals").wait_for()
    row(first["id"]).get_by_text("and one more").wait_for()
    row(first["id"]).get_by_text("67%").wait_for()
    row(first["id"]).get_by_text("of 3 candidates").wait_for()
    row(shown["id"]).get_by_text("No answers yet").wait_for()
    page.get_by_label("Exams").select_option("In no exam")
    page.get_by_text("One question", exact=True).wait_for()
    row(shown["id"]).wait_for()
    page.get_by_label("Images").select_option("Without an image")
    page.get_by_text("Exams: In no exam, Images: Without an image").wait_for()
    assert "used=false&with_image=false" in page.url
    page.get_by_label("Exams").select_option("In an exam")
    page.get_by_text("4 questions", exact=True).wait_for()
    assert faults(page) == []
    page = site.signed_in(site.service.staff("moderator"), "/console/questions?used=true")
    page.get_by_text("4 questions", exact=True).wait_for()
    # Moderators can't open the plan of an exam.
    row(first["id"]).get_by_text("Finals").wait_for()
    assert row(first["id"]).get_by_role("link", name="Finals").count() == 0


def test_the_exams_of_a_question_and_its_answers_are_shown_to_those_who_may_archive_it(site):
    admin = site.service.staff("admin")
    exam, _ = season(site.service, admin, ["ABCD", "ABCA", "BBCD"], key="ABCD")
    [first, *_] = admin.get(f"/exams/{exam}/questions/").json
    site.service.clock.advance(minutes=6)
    publish(site.service, admin)
    page = site.signed_in(admin, f"/console/questions/{first['id']}")
    row = page.get_by_role("row", name="Screening")
    row.get_by_text("67% correct").wait_for()
    row.get_by_role("link", name="Screening").wait_for()
    page.get_by_role("button", name="Archive").click()
    page.get_by_role("dialog").get_by_role("button", name="Archive one question").click()
    page.get_by_role("heading", name="Questions", level=1).wait_for()
    page.get_by_text("One question is archived.").wait_for()


def test_all_exams_of_a_question_can_be_reached(site):
    admin = site.service.staff("admin")
    exam = make_exam(site.service, admin, "A", title="The first round")
    question = admin.get(f"/exams/{exam}/questions/").json[0]["id"]
    for number in range(20):
        opens = (site.service.clock.now + timedelta(days=number + 1)).isoformat()
        fields = {"questions": [question], "scheduled_date": opens, "round": number + 2}
        make_exam(site.service, admin, **fields)
    page = site.signed_in(admin, f"/console/questions/{question}")
    page.get_by_text("1 to 20 of 21").wait_for()
    page.get_by_role("link", name="Next page").click()
    page.get_by_role("link", name="The first round").wait_for()


def test_every_view_of_the_bank_and_the_editor_is_accessible(site):
    admin = site.service.staff("admin")
    exam, _ = season(site.service, admin, ["ABCD", "ABCA", "BBCD"], key="ABCD")
    [first, *_] = admin.get(f"/exams/{exam}/questions/").json
    site.service.clock.advance(minutes=6)
    publish(site.service, admin)
    question = admin.post("/questions/", FORMULA, status=201).json["id"]
    make_exam(site.service, admin, "", title="Finals", questions=[question])
    page = site.signed_in(admin, "/console/questions", viewport=PHONE, reduced_motion="reduce")
    every_view(
        page, "console-questions-bank", lambda page: page.get_by_role("row").nth(3).wait_for()
    )
    page.goto(f"/console/questions/{question}")
    every_view(
        page,
        "console-questions-editor",
        lambda page: page.locator("aside mfrac").nth(1).wait_for(),
    )
    page.goto(f"/console/questions/{first['id']}")
    every_view(page, "console-questions-used", lambda page: page.get_by_text("67").first.wait_for())
    page.goto("/console/questions/new")
    every_view(
        page, "console-questions-new", lambda page: page.locator("textarea").nth(4).wait_for()
    )


def test_an_image_gets_another_description_and_an_unused_one_is_deleted(site, tmp_path):
    moderator = site.service.staff("moderator")
    file = ("triangle.png", triangle(tmp_path / "triangle.png").read_bytes())
    used, _ = (
        moderator.upload("POST", "/questions/images/", {"alt": alt, "file": file}, status=201).json
        for alt in ("A rectagnle", "A circle")
    )
    shown = {**FORMULA, "text": f"Look: [image:{used['id']}]"}
    question = moderator.post("/questions/", shown, status=201).json["id"]
    page = site.signed_in(moderator, f"/console/questions/{question}", viewport=PHONE)
    page.get_by_role("button", name="Insert an image").click()
    page.get_by_role("button", name="Describe: A circle").click()
    expect(page.get_by_label("Description of the image").last).to_be_focused()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Describe: A circle")).to_be_focused()
    page.get_by_role("button", name="Describe: A rectagnle").click()
    page.get_by_text("One question of the bank gets it too.").wait_for()
    page.get_by_label("Description of the image").last.fill("A rectangle")
    page.get_by_role("button", name="Save the description").click()
    page.get_by_text("The description is saved.").wait_for()
    expect(page.get_by_role("button", name="Describe: A rectangle")).to_be_focused()
    site.tolerate("status of 400")
    page.get_by_role("button", name="Delete: A rectangle").click()
    dialog = page.get_by_role("dialog", name="Delete this image?")
    dialog.get_by_role("button", name="Delete one image").click()
    dialog.get_by_text("This image can't be deleted").wait_for()
    dialog.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Delete: A circle").click()
    dialog.get_by_role("button", name="Delete one image").click()
    page.get_by_text("The image is deleted: A circle").wait_for()
    page.get_by_role("button", name="Insert: A circle").wait_for(state="detached")
    expect(page.get_by_role("searchbox").last).to_be_focused()
    assert faults(page) == []
    page.get_by_role("button", name="Close").click()
    page.get_by_role("complementary").get_by_role("img", name="A rectangle").wait_for()
    # The new description of the image has changed the question. The page does not show this as a
    # conflict.
    page.get_by_role("textbox", name="Option D").fill("Nothing")
    page.get_by_role("button", name="Save the question").click()
    page.get_by_text("The question is saved.").wait_for()
