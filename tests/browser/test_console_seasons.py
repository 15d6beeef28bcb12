"""A superadmin changes the year: finishes what is open, opens the next season, reads the old one,
and undoes the opening.

`tests/pages/console/seasons` has what the pages show for which reply.
"""

from competition.testing.exam_day import answers, make_exam, publish, submit, take
from tests.support.browser import arrived, every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)


def test_a_superadmin_changes_the_year(site):
    service = site.service
    superadmin, person = service.staff("superadmin"), service.candidate("league")
    exam_id = make_exam(service, superadmin, "AB", title="Rings", stage="league")
    take(person, exam_id, status=200)
    submit(person, exam_id, answers(service, exam_id, "AB"), status=201)
    page = site.signed_in(superadmin, "/console/seasons")
    arrived(page, "Seasons")
    # An open exam that a candidate has started is one thing to finish.
    page.get_by_text("One thing has to be finished first.").wait_for()
    every_view(
        page,
        "console-seasons-blocked",
        lambda it: it.get_by_role("link", name="Rings").first.wait_for(),
    )
    link = page.get_by_role("link", name="Rings")
    assert link.get_attribute("href") == f"/console/exams/{exam_id}/day"
    superadmin.post(f"/exams/{exam_id}/conclude/", status=200)
    service.clock.advance(minutes=10)
    publish(service, superadmin)
    page.reload()
    arrived(page, "Seasons")
    page.get_by_text("Open the next season").click()
    page.get_by_label("Name of the season").fill("The next year")
    page.get_by_role("button", name="See what will happen").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("One candidate goes back to Screening.").wait_for()
    dialog.get_by_role("button", name="Open The next year").click()
    page.get_by_text("The season The next year is open.").wait_for()
    assert person.get("/candidates/me/").json["role"] == "screening"
    every_view(
        page,
        "console-seasons-list",
        lambda it: it.get_by_role("link", name="The next year").wait_for(),
    )
    [_, old] = superadmin.get("/seasons/").json["results"]
    page.get_by_role("link", name=old["name"], exact=True).click()
    arrived(page, old["name"])
    page.get_by_text("This season is closed.").wait_for()
    every_view(
        page,
        "console-seasons-one",
        lambda it: it.get_by_role("link", name="Rings").first.wait_for(),
    )
    page.get_by_role("link", name="Seasons", exact=True).first.click()
    page.get_by_role("button", name="Undo the opening").click()
    page.get_by_role("dialog").get_by_role("button", name="Undo The next year").click()
    page.get_by_text(f"{old['name']} is the current season again.").wait_for()
    assert person.get("/candidates/me/").json["role"] == "league"
