"""Schools in the console, and a teacher's pages."""

from competition.testing.exam_day import make_exam, publish, sit
from tests.support.browser import arrived, every_view, faults
from tests.support.programs import CHROMIUM, needs_program
from tests.support.reflow import LONG

pytestmark = needs_program(CHROMIUM)


def test_a_manager_merges_schools(site):
    # No leaderboard is published yet.
    site.tolerate(r"Failed to load resource: .*404 .*/leaderboard/")
    service = site.service
    manager = service.staff("manager")
    west = manager.post("/schools/", {"name": f"West {LONG}"}).json
    linked = {"email": service.staff("volunteer").email, "first_name": "A", "last_name": "B"}
    manager.post(f"/schools/{west['id']}/teachers/", linked, status=201)
    child = service.candidate(school=f"Westend {LONG}")
    page = site.signed_in(manager, "/console/schools")
    arrived(page, "Schools")
    every_view(page, "console-schools-list", lambda it: it.get_by_role("row").nth(2).wait_for())
    page.get_by_role("link", name=west["name"], exact=True).click()
    arrived(page, west["name"])
    page.get_by_role("button", name="Merge").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Other schools").fill(f"westend {LONG}")
    dialog.get_by_label("Reason").fill("The same school.")
    dialog.get_by_role("button", name="See whom it concerns").click()
    dialog.get_by_text("One candidate gets this school.").wait_for()
    dialog.get_by_role("button", name="Merge").click()
    page.get_by_text(f"Westend {LONG}").first.wait_for()
    every_view(page, "console-schools-school", lambda it: it.locator("main li").first.wait_for())
    assert child.get("/candidates/me/").json["school"] == west["name"]


def test_a_manager_prints_slips_and_reads_the_board_of_schools(site):
    service = site.service
    manager = service.staff("manager")
    login, name = "bcd234", f"West {LONG}"
    fields = {"email": f"{login}@slip.invalid", "password_hash": "", "last_name": LONG}
    pupil = service.candidate(school=name, **fields)
    exam_id = make_exam(service, manager, title=LONG)
    sit(service, pupil, exam_id, "A")
    manager.post(f"/exams/{exam_id}/conclude/")
    publish(service, manager)
    page = site.signed_in(manager, "/console/schools")
    arrived(page, "Schools")
    page.get_by_role("list").get_by_role("link", name=LONG).click()
    arrived(page, "Leaderboard of schools")
    page.get_by_text("the sum of its 5 best scores").wait_for()
    every_view(page, "console-schools-board", lambda it: it.get_by_role("row").nth(1).wait_for())
    page.goto(f"{site.address}/console/schools")
    page.get_by_role("link", name=name, exact=True).click()
    arrived(page, name)
    page.get_by_role("link", name="Login slips").click()
    arrived(page, "Login slips")
    every_view(page, "console-slips-choose", lambda it: it.get_by_role("row").nth(1).wait_for())
    page.get_by_role("button", name="Select this page").click()
    page.get_by_role("button", name="Make the slip of one candidate").click()
    page.get_by_role("button", name="Make the slips").click()
    codes = page.locator("td code")
    codes.last.wait_for()
    every_view(page, "console-slips-issued", lambda it: it.locator("td code").last.wait_for())
    assert codes.first.text_content() == login
    service.log_in(login, codes.last.text_content())
    page.get_by_role("button", name="They are printed").click()


def test_a_teacher_enters_a_pupil_who_signs_in_with_a_slip(site):
    service = site.service
    manager, teacher = service.staff("manager"), service.staff("volunteer")
    school = manager.post("/schools/", {"name": f"West {LONG}"}).json
    linked = {"email": teacher.email, "first_name": "Ada", "last_name": "Lovelace"}
    manager.post(f"/schools/{school['id']}/teachers/", linked, status=201)
    service.candidate(school=school["name"], first_name="Ben", last_name=LONG)
    exam_id = make_exam(service, service.staff("admin"), title=LONG)
    page = site.signed_in(teacher, "/console/")
    arrived(page, school["name"])
    every_view(page, "console-school-school", lambda it: it.get_by_text("Ben").first.wait_for())
    page.get_by_role("link", name="Enter a pupil").click()
    arrived(page, "Enter a pupil")
    page.get_by_label("First name").fill("Emmy")
    page.get_by_label("Last name").fill(LONG)
    page.get_by_role("button", name="Enter this pupil").click()
    page.get_by_role("heading", name="Just entered").wait_for()
    every_view(page, "console-school-enter", lambda it: it.locator("form").wait_for())
    page.goto(f"{site.address}/console/school/slips")
    arrived(page, "Login slips")
    every_view(page, "console-school-slips", lambda it: it.locator("form").wait_for())
    page.get_by_role("button", name="Make the slips").click()
    codes = page.locator("td code")
    codes.last.wait_for()
    login, code = codes.all_text_contents()
    assert faults(page) == []
    every_view(page, "console-school-issued", lambda it: it.locator("td code").last.wait_for())
    page.get_by_role("button", name="They are printed").click()
    arrived(page, school["name"])
    page.goto(f"{site.address}/console/school/exams")
    arrived(page, "Exams")
    every_view(page, "console-school-exams", lambda it: it.get_by_role("row").last.wait_for())
    page.goto(f"{site.address}/console/school/exams/{exam_id}")
    every_view(page, "console-school-exam", lambda it: it.get_by_role("row").last.wait_for())
    # The pupil types the login in another way.
    pupil = site.visit("/sign-in")
    pupil.get_by_label("Email or login").fill(f" {login[:3].upper()}-{login[3:]} ")
    pupil.get_by_label("Password", exact=True).fill(code.replace("-", " "))
    pupil.get_by_role("button", name="Sign in").click()
    arrived(pupil, "Is this you?")
    pupil.get_by_role("button", name="Yes").click()
    pupil.wait_for_url("**/home")
