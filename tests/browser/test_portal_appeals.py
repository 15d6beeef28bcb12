"""Appeals in the portal."""

from competition.testing.exam_day import publish, season
from tests.support.browser import PHONE, arrived, every_view
from tests.support.programs import CHROMIUM, needs_program
from tests.support.reflow import LONG

pytestmark = needs_program(CHROMIUM)
REASONS = f"Option C is right as well: zero is an even number of {LONG}."


def test_a_candidate_appeals_from_a_wrong_answer_and_reads_the_reply(site):
    admin = site.service.staff("admin")
    exam_id, [person] = season(
        site.service, admin, ["AB"], key="AC", title=f"Number theory of {LONG}"
    )
    publish(site.service, admin)
    page = site.signed_in(person, f"/results/{exam_id}", viewport=PHONE)
    page.get_by_role("link", name="Appeal against question 2").click()
    arrived(page, "New appeal")
    every_view(page, "portal-appeals-new", lambda each: each.locator("textarea").wait_for())
    assert page.get_by_role("radio", name="B, 2").is_checked()
    page.get_by_label("Your reasons").fill(REASONS)
    page.get_by_role("button", name="Send the appeal").click()
    arrived(page, "Appeals")
    page.get_by_text("The league has received your appeal.").wait_for()
    page.get_by_text("Waiting for a reply").wait_for()

    [made] = person.get(f"/exams/{exam_id}/appeals/").json["results"]
    assert (made["text"], made["question_number"]) == (REASONS, 2)
    reply = {"answer": f"You are right, {LONG}.", "status": "accepted"}
    admin.post(f"/appeals/{made['id']}/answer/", reply)
    page.reload()
    page.get_by_text(reply["answer"]).wait_for()
    every_view(page, "portal-appeals-list", lambda each: each.locator(".note").wait_for())
