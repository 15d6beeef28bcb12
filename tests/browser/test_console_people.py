"""Candidates in the console: the list, and the page of one candidate."""

import re

import pytest

from competition.testing import exam_day
from tests.support.browser import every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

PHONE_AGENT = "Mozilla/5.0 (Linux; Android 14) Chrome/130.0.0.0 Mobile Safari/537.36"


def named(site, first_name, last_name, **fields):
    return site.service.candidate(first_name=first_name, last_name=last_name, **fields)


def heading(page, name):
    page.get_by_role("heading", name=name, level=1).wait_for()


def say(page, text):
    page.get_by_role("status").filter(has_text=text).wait_for()


@pytest.mark.essential
def test_the_list_is_searched_while_typing_and_filtered_by_the_address(site):
    named(site, "Amara", "Obi")
    named(site, "Chloé", "Martin", school="Lycée Colbert", verification="pending")
    page = site.signed_in(site.service.staff("moderator"), "/console/candidates")
    page.get_by_role("row", name="Amara Obi").wait_for()
    # Only admins may open the page of a candidate.
    assert page.get_by_role("link", name="Amara Obi").count() == 0
    page.get_by_label("Name, email or school").press_sequentially("colb")
    page.get_by_role("row", name="Amara Obi").wait_for(state="detached")
    page.get_by_role("row", name="Chloé Martin").get_by_text("Documents waiting").wait_for()
    page.get_by_label("State").select_option("Active")
    page.get_by_text("Nothing matches these filters").wait_for()
    assert re.search(r"\?search=colb&status=active$", page.url)
    page.reload()
    page.get_by_text("Nothing matches these filters").wait_for()


def test_an_admin_assigns_a_stage_and_gives_time(site):
    admin = site.service.staff("admin")
    amara = named(site, "Amara", "Obi")
    exam_id = exam_day.make_exam(site.service, admin, title="Screening 2")
    exam_day.take(amara, exam_id)
    page = site.signed_in(admin, "/console/candidates")
    page.get_by_role("link", name="Amara Obi").click()
    heading(page, "Amara Obi")
    page.get_by_text("Taking the exam").wait_for()
    # The history and the documents are for managers.
    assert page.get_by_role("heading", name="History").count() == 0
    assert page.get_by_role("button", name="Deactivate").count() == 0

    page.get_by_role("button", name="Give time").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Extra minutes").fill("10")
    dialog.get_by_role("button", name="Give time").click()
    dialog.get_by_role("alert").get_by_text("Reason: Please fill in this field.").wait_for()
    dialog.get_by_label("Reason").fill("The room was flooded.")
    dialog.get_by_role("button", name="Give time").click()
    say(page, "Amara Obi has 10 more minutes.")
    page.get_by_role("cell", name="The room was flooded.").wait_for()

    page.get_by_role("button", name="Change").click()
    dialog.get_by_label("Extra time, in percent").fill("25")
    dialog.get_by_label("Reason").fill("Letter of 3 November")
    dialog.get_by_role("button", name="Save").click()
    page.get_by_text("25% more time in every exam. The reason: Letter of 3 November").wait_for()

    page.get_by_role("button", name="Assign stage").click()
    dialog.get_by_label("Stage").select_option("League")
    dialog.get_by_role("button", name="Assign stage").click()
    say(page, "Amara Obi is now in this stage: League.")
    assert site.service.user(amara).role == "league"


def test_a_manager_edits_deactivates_and_reads_the_history(site):
    manager = site.service.staff("manager", first_name="Maria", last_name="Okafor")
    amara = named(site, "Amara", "Oby", id_card="documents/card.png")
    page = site.signed_in(manager, f"/console/candidates/{amara.id}")
    page.get_by_role("button", name="Edit details").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Last name").fill("Obi")
    # The page has asked for no document, so the audit trail does not say that it was read.
    seen = manager.get(f"/audit/?target_id={amara.id}&action=document.link", status=200).json
    assert seen["pagination"]["count"] == 0
    dialog.get_by_role("button", name="Save").click()
    heading(page, "Amara Obi")
    page.get_by_role("row", name="Details changed").get_by_text("Last name: Oby → Obi").wait_for()

    page.get_by_role("button", name="Deactivate").click()
    page.get_by_role("dialog", name="Deactivate Amara Obi?").get_by_role(
        "button", name="Deactivate"
    ).click()
    say(page, "Amara Obi is deactivated.")
    assert not site.service.user(amara).is_active
    page.get_by_role("button", name="Activate again").click()
    page.get_by_role("dialog").get_by_role("button", name="Activate again").click()
    say(page, "Amara Obi is active again.")

    page.get_by_text("A deleted account is erased after 14 days.").wait_for()
    page.get_by_role("button", name="Delete account").click()
    page.get_by_role("dialog").get_by_text("The account is erased after 14 days").wait_for()
    page.get_by_role("dialog").get_by_role("button", name="Delete account").click()
    say(page, "The account of Amara Obi will be erased on")


def test_a_deactivation_names_the_exams_and_sessions_that_it_ends_before_it_is_confirmed(site):
    manager = site.service.staff("manager")
    amara = named(site, "Amara", "Obi")
    site.service.log_in(amara.email, headers={"User-Agent": PHONE_AGENT}, status=200)
    titles = ("Round 1", "Round 2")
    for number, title in enumerate(titles, start=1):
        exam_id = exam_day.make_exam(site.service, manager, title=title, round=number)
        exam_day.take(amara, exam_id, status=200)
    page = site.signed_in(manager, f"/console/candidates/{amara.id}")
    page.get_by_role("button", name="Deactivate").click()
    dialog = page.get_by_role("dialog", name="Deactivate Amara Obi?")
    for title in titles:
        dialog.get_by_text(f"Amara Obi is taking “{title}” now, until").wait_for()
    dialog.get_by_text("2 sessions end:").wait_for()
    sessions = dialog.get_by_role("listitem")
    sessions.filter(has_text="Chrome on Android, last used").wait_for()
    sessions.filter(has_text="Unknown device, last used").wait_for()
    assert site.service.user(amara).is_active
    amara.get("/account-management/", status=200)
    dialog.get_by_role("button", name="Deactivate").click()
    say(page, "Amara Obi is deactivated.")
    amara.get("/account-management/", status=401)


def test_the_history_says_who_could_read_the_answer_to_a_question(site):
    manager = site.service.staff("manager")
    exam_id = exam_day.make_exam(site.service, manager)
    amara = named(site, "Amara", "Obi")
    exam_day.take(amara, exam_id, status=200)
    body = {"question": None, "text": "Is it drawn to scale?"}
    asked = amara.post(f"/exams/{exam_id}/clarifications/", body, status=201).json
    answer = {"answer": "It is not.", "public": True}
    manager.post(f"/clarifications/{asked['id']}/answer/", answer, status=200)
    page = site.signed_in(manager, f"/console/candidates/{amara.id}")
    row = page.get_by_role("row", name="Question of a candidate answered")
    row.get_by_text("For all candidates: no → yes").wait_for()


def test_the_exams_have_scores_and_the_submitted_answers(site):
    admin = site.service.staff("admin")
    exam_id, (amara, _) = exam_day.season(site.service, admin, ["ABCD", "ABCA"], key="ABCD")
    site.service.run_jobs()
    page = site.signed_in(admin, f"/console/candidates/{amara.id}")
    row = page.get_by_role("row", name="Screening")
    row.get_by_role("button", name="Show 4 answers").click()
    page.get_by_role("dialog").get_by_role("radio", name="D, 4").last.wait_for()
    assert page.get_by_role("dialog").get_by_role("radio", name="D, 4").last.is_checked()
    page.keyboard.press("Escape")
    assert (
        row.get_by_role("link", name="Screening")
        .get_attribute("href")
        .endswith(f"/console/exams/{exam_id}/results")
    )


def test_the_page_has_the_questions_that_the_candidate_asked_and_the_advancement(site):
    admin = site.service.staff("admin")
    exam_id, (amara, ben) = exam_day.season(site.service, admin, ["ABCD", "A   "], key="ABCD")
    exam_day.publish(site.service, admin)
    body = {
        "from_stage": "screening",
        "to_stage": "league",
        "exams": [exam_id],
        "rule": {"top": 1},
    }
    plan = admin.post("/advancement/", body, status=201).json["id"]
    admin.post(f"/advancement/{plan}/apply/", status=200)
    league = exam_day.make_exam(site.service, admin, title="League 1", stage="league")
    exam_day.take(amara, league, status=200)
    asked = [
        amara.post(f"/exams/{league}/clarifications/", {"text": text}, status=201).json["id"]
        for text in ("Is it drawn to scale?", "May I use a ruler?")
    ]
    given = {"answer": "It is not.", "public": False}
    admin.post(f"/clarifications/{asked[0]}/answer/", given, status=200)
    page = site.signed_in(admin, f"/console/candidates/{amara.id}")
    questions = page.get_by_role("table", name="Questions asked in exams")
    questions.get_by_role("row", name="Is it drawn to scale?").get_by_text("It is not.").wait_for()
    questions.get_by_role("row", name="May I use a ruler?").get_by_text("Open").wait_for()
    row = page.get_by_role("table", name="Advancement").get_by_role("row").nth(1)
    row.get_by_role("rowheader", name="League", exact=True).wait_for()
    row.get_by_role("link", name="Screening to League").click()
    page.wait_for_url(f"**/console/advancement/{plan}")
    page.goto(f"/console/candidates/{ben.id}")
    page.get_by_text("This candidate has asked no question in an exam.").wait_for()
    page.get_by_text("No plan has moved this candidate to another stage.").wait_for()


def test_candidates_in_every_view(site):
    manager = site.service.staff("manager", first_name="Maria", last_name="Okafor")
    exam_day.season(site.service, manager, ["ABCDABCDAB", "ABCDABCDAA"], title="Screening 1")
    amara = named(site, "Amara", "Obi")
    for first, last, fields in (
        ("Chloé", "Martin", {"school": "Lycée Colbert", "verification": "pending"}),
        ("Ben", "Carter", {"verification": "rejected"}),
        ("Adaeze", "Nwosu", {"role": "league"}),
        ("Tomás", "Rivera", {"is_active": False}),
    ):
        named(site, first, last, **fields)
    exam = exam_day.make_exam(site.service, manager, title="Screening 2")
    exam_day.sit(site.service, amara, exam, "ABCD")
    site.service.run_jobs()
    second = exam_day.make_exam(site.service, manager, title="Screening 3", round=2)
    exam_day.take(amara, second)
    manager.put(f"/candidates/{amara.id}/allowance/", {"percent": 25, "reason": "Letter of 3 Nov"})
    body = {"candidate_id": str(amara.id), "extra_minutes": 10, "reason": "Power cut in room 4"}
    manager.post(f"/exams/{second}/allowances/", body)
    page = site.signed_in(manager, "/console/candidates")
    every_view(
        page, "console-people-list", lambda page: page.get_by_text("Adaeze Nwosu").wait_for()
    )
    page.goto(f"/console/candidates/{amara.id}")

    def ready(page):
        page.get_by_text("Power cut in room 4").first.wait_for()
        page.locator("li time").first.wait_for()
        page.get_by_text("Maria Okafor").or_(page.locator("tbody .when")).first.wait_for()

    every_view(page, "console-people-candidate", ready)
