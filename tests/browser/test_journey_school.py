"""A teacher's way from the invitation to pupils who sit an exam, with as few clicks as promised.

A manager has added the school and its teacher. After that, no other member of staff does anything,
and no pupil gets an email. Each click, tap and press of Enter of the teacher is counted, also those
outside of the page: the link in the email, and the browser's dialog to print. Fields are reached
with the key Tab.
"""

import io
import re

import xlsxwriter
from sqlalchemy import select

from competition.core.mail.models import Mail
from competition.core.work import begin
from competition.testing.exam_day import make_exam, take
from competition.testing.service import text_of
from tests.support.browser import PHONE, arrived
from tests.support.imports import bring
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

EMAIL = "ada@west.example"
MOST_CLICKS = 12
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
COUNT = """
addEventListener("pointerdown", each => each.isTrusted && clicked(), true);
addEventListener("keydown", each => each.isTrusted && each.key === "Enter" && clicked(), true);
globalThis.print = () => {
  printed(document.querySelectorAll(".print .slip").length);
  dispatchEvent(new Event("afterprint"));
};
"""


def pupils(count, group):
    """A list as a school has it: with a title line, and without email addresses."""
    rows = [(f"Pupil{at}", f"Of{group}", group) for at in range(count)]
    return [("West School, pupils",), (), ("First name", "Surname", "Class"), *rows]


def workbook(lines):
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for at, line in enumerate(lines):
            sheet.write_row(at, 0, line)
    return content.getvalue()


def sit(site, login, code, exam_id):
    """Sign in with a slip on a phone, and open the paper."""
    page = site.visit("/sign-in", viewport=PHONE)
    page.get_by_label("Email or login").fill(login.upper())
    page.get_by_label("Password", exact=True).fill(code.replace("-", " "))
    page.get_by_role("button", name="Sign in").click()
    arrived(page, "Is this you?")
    page.get_by_role("button", name="Yes").click()
    page.get_by_role("link", name="Go to the exam").click()
    arrived(page, "The exam is open")
    page.get_by_role("button", name="Start").click()
    page.get_by_text("Question 1 of 10").wait_for()


def sit_over_http(service, slips, exam_id):
    for login, code in slips:
        access = service.log_in(login, code).json["access"]
        take(service.client(access), exam_id, status=200)


def test_thirty_pupils_without_email_sit_an_exam_after_twelve_clicks(site):
    service = site.service
    manager = service.staff("manager")
    exam_id = make_exam(service, manager)
    west = manager.post("/schools/", {"name": "West School"}).json["id"]
    person = {"email": EMAIL, "first_name": "Ada", "last_name": "Lovelace", "phone": "+44201234567"}
    manager.post(f"/schools/{west}/teachers/", person, status=201)
    service.run_jobs()
    [invitation] = service.mails(EMAIL)
    [link] = re.findall(r"https?://\S+/console/sign-in\S*", text_of(invitation))
    [password] = re.findall(r"this password:\s+(\S+)", text_of(invitation))

    clicks, prints = [], []
    context = site.device()
    context.expose_binding("clicked", lambda _: clicks.append(1))
    context.expose_binding("printed", lambda _, count: prints.append(count))
    context.add_init_script(COUNT)
    page = context.new_page()
    clicks.append("the link in the email")
    page.goto(link)
    page.get_by_label("Email address").fill(EMAIL)
    page.get_by_label("Password", exact=True).fill(password)
    page.keyboard.press("Enter")
    arrived(page, "West School")
    page.get_by_role("link", name="Import a list").first.click()
    arrived(page, "Import: Pupils")
    with page.expect_file_chooser() as chooser:
        page.get_by_text("Choose the file, or drop it here").click()
    content = workbook(pupils(30, "7B"))
    chooser.value.set_files({"name": "pupils.xlsx", "mimeType": XLSX, "buffer": content})
    page.get_by_role("button", name="Check the file").click()
    arrived(page, "pupils.xlsx")
    service.run_jobs()
    page.get_by_role("button", name="Import 30 rows").click()
    page.get_by_role("dialog").get_by_role("button", name="Import 30 rows").click()
    page.get_by_text("being imported. You can leave this page.").wait_for()
    service.run_jobs()
    page.get_by_role("link", name="Go on to: Login slips").click()
    arrived(page, "Login slips")
    page.get_by_role("button", name="Make the slips").click()
    page.get_by_text("These 30 codes are shown once. Print them now.").wait_for()
    words = page.locator("td code").all_text_contents()
    page.get_by_role("button", name="Print 30 slips").click()
    clicks.append("Print, in the browser's dialog")
    page.get_by_role("button", name="They are printed").click()
    arrived(page, "West School")
    page.get_by_text("30 slips are ready").wait_for()
    assert prints == [30]
    assert len(clicks) <= MOST_CLICKS, clicks

    first, second, *others = zip(words[::2], words[1::2], strict=True)
    for login, code in (first, second):
        sit(site, login, code, exam_id)
    sit_over_http(service, others, exam_id)

    # A school with a long list does the same.
    teacher = service.client(service.log_in(EMAIL, password).json["access"])
    bring(service, teacher, "pupils", workbook(pupils(200, "8A")), "long.xlsx")
    found = []
    for number in (1, 2):
        query = f"?group=8A&limit=100&page={number}"
        found += teacher.get(f"/school/candidates/{query}").json["results"]
    assert len(found) == 200
    for part in range(0, 200, 50):
        ids = [each["user_id"] for each in found[part : part + 50]]
        slips = teacher.post("/school/slips/", {"candidates": ids}).json["slips"]
        sit_over_http(service, [(each["login"], each["code"]) for each in slips], exam_id)
    [exam] = teacher.get("/school/exams/").json["results"]
    assert exam["counts"] == {"not_started": 0, "sitting": 230, "submitted": 0}
    service.run_jobs()
    with begin(service.runtime) as work:
        assert set(work.db.scalars(select(Mail.recipient))) == {EMAIL}
