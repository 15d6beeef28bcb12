"""An organiser who has a spreadsheet, and no API, brings pupils and answers from paper into the
service.

`tests/pages/console/imports` has what the pages show for which reply.
"""

import csv
import io

import xlsxwriter
from playwright.sync_api import expect

from competition.testing.exam_day import make_exam, score_of
from tests.support.browser import PHONE, arrived, every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
# A list as a school has it: with a title, a column in another language, and a line of a total.
LIST = (
    ("Hillside School, pupils 2026",),
    (),
    ("No", "First name", "Nachname", "School", "E-mail", "Class"),
    ("1", "Amara", "Obi", "Hillside School", "amara@school.example", "9B"),
    ("2", "Ben", "Carter", "Hillside School", "", "9B"),
    ("", "", "", "Total", "", "2"),
)


def workbook(lines):
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for at, line in enumerate(lines):
            sheet.write_row(at, 0, line)
    return content.getvalue()


def send(page, name, media_type, content):
    """Choose a file, and send it. Waits for the page of its import."""
    file = {"name": name, "mimeType": media_type, "buffer": content}
    page.get_by_label("Choose the file, or drop it here").set_input_files(file)
    page.get_by_role("button", name="Check the file").click()
    arrived(page, name)


def apply(site, page, button):
    """Import the rows, after the question that names them."""
    page.get_by_role("button", name=button).click()
    page.get_by_role("dialog").get_by_role("button", name=button).click()
    page.get_by_text("being imported. You can leave this page.").wait_for()
    site.service.run_jobs()


def test_a_school_s_list_is_checked_mapped_and_imported(site):
    manager = site.service.staff("manager")
    page = site.signed_in(manager, "/console/imports", viewport=PHONE)
    arrived(page, "Imports")
    page.get_by_role("link", name="Candidates A school").click()
    arrived(page, "Import: Candidates")
    every_view(page, "console-imports-new", lambda it: it.get_by_role("table").wait_for())
    with page.expect_download() as saved:
        page.get_by_role("button", name="Template for Excel").click()
    assert saved.value.suggested_filename == "candidates.xlsx"
    send(page, "hillside.xlsx", XLSX, workbook(LIST))
    site.service.run_jobs()
    page.get_by_text("No line has all columns that are needed. Line 3 came closest").wait_for()
    page.get_by_role("combobox", name="Nachname").select_option("last_name")
    failed = page.url
    page.get_by_role("button", name="Check again").click()
    expect(page).not_to_have_url(failed)
    site.service.run_jobs()
    # The user leaves the page, and loses nothing.
    page.get_by_role("link", name="Imports", exact=True).first.click()
    row = page.get_by_role("row").filter(has_text="2 new, 1 with errors")
    row.wait_for()
    every_view(page, "console-imports-list", lambda it: it.get_by_role("table").wait_for())
    row.get_by_role("link", name="hillside.xlsx").click()
    page.get_by_text(
        "This line has no email address and no name. If it is a total, delete the line."
    ).wait_for()
    every_view(page, "console-imports-one", lambda it: it.get_by_text("Carter").wait_for())
    page.get_by_role("combobox", name="State").select_option("invalid")
    expect(page.get_by_text("Carter")).to_have_count(0)
    assert manager.get("/candidates/").json["results"] == []
    apply(site, page, "Import 2 rows")
    page.get_by_text("2 rows were imported.").wait_for()
    page.get_by_role("link", name="Go on to: Candidates").click()
    page.get_by_role("row").filter(has_text="Ben Carter").wait_for()
    people = manager.get("/candidates/?ordering=last_name").json["results"]
    assert [(each["user"]["last_name"], each["group"]) for each in people] == [
        ("Carter", "9B"),
        ("Obi", "9B"),
    ]
    assert [each["To"] for each in site.service.mails()] == ["amara@school.example"]


def test_answers_from_paper_are_entered_in_the_sheet_of_the_exam(site):
    admin = site.service.staff("admin")
    exam = make_exam(site.service, admin, "ABCD", open_duration_hours=2)
    ada, bob = site.service.candidate(), site.service.candidate()
    site.service.clock.advance(hours=4)
    page = site.signed_in(admin, f"/console/exams/{exam}")
    page.get_by_role("link", name="Enter answers from paper").click()
    arrived(page, "Import: Answers from paper")
    expect(page.get_by_label("Exam", exact=True)).to_have_value(str(exam))
    with page.expect_download() as saved:
        page.get_by_role("button", name="Sheet with the candidates as CSV").click()
    text = saved.value.path().read_bytes().decode("utf-8-sig")
    header, *lines = csv.reader(io.StringIO(text))
    assert header[-4:] == ["1", "2", "3", "4"]
    content = io.StringIO()
    writer = csv.writer(content)
    writer.writerow(header)
    for line in lines:
        # The other candidate was absent.
        given = ["A", "b", "", "D"] if str(ada.id) in line else [""] * 4
        writer.writerow([*line[:-4], *given])
    assert str(bob.id) in text
    send(page, "answers.csv", "text/csv", content.getvalue().encode())
    site.service.run_jobs()
    page.get_by_text("1 new, 1 unchanged").first.wait_for()
    apply(site, page, "Import one row")
    page.get_by_text("One row was imported.").wait_for()
    assert score_of(site.service, ada, exam) == 75
    assert score_of(site.service, bob, exam) is None
