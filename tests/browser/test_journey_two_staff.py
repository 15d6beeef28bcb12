"""Two members of staff who work on the same objects at once. Each sees the changes of the other, or
is warned before a change is lost.
"""

import re

import pytest
from playwright.sync_api import expect

from competition.testing.exam_day import make_exam, take
from competition.testing.identity_papers import PNG, documents, submit
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)


@pytest.fixture
def maria(site):
    return site.service.staff("manager", first_name="Maria", last_name="Okafor")


@pytest.fixture
def tunde(site):
    return site.service.staff("manager", first_name="Tunde", last_name="Bello")


@pytest.fixture
def desks(site, maria, tunde):
    """``desks(path)``: the page of Maria and that of Tunde, each on a device of their own."""

    def open_pages(path):
        contexts = [site.device(), site.device()]
        for each in contexts:
            each.set_default_timeout(PATIENCE * 1000)
        people = zip((maria, tunde), contexts, strict=True)
        return [site.signed_in(person, path, context=context) for person, context in people]

    return open_pages


def waiting(site, first_name, last_name):
    person = site.service.candidate(
        first_name=first_name, last_name=last_name, verification="not_submitted"
    )
    site.service.clock.advance(seconds=1)
    pictures = {"id_card": ("card.png", PNG)}
    submit(person, documents(**pictures))
    return person


def heading(page, name):
    page.get_by_role("heading", name=name, level=1, exact=True).wait_for()


def test_changes_of_an_exam_by_two_people_are_both_kept(site, desks, maria):
    site.tolerate("412")
    opens = site.service.clock.now.replace(year=site.service.clock.now.year + 1).isoformat()
    exam_id = make_exam(site.service, maria, "AB", title="Round one", scheduled_date=opens)
    first, second = desks(f"/console/exams/{exam_id}?step=basics")
    first.get_by_label("Title").fill("Round one, autumn")
    second.get_by_label("Time for each candidate, in minutes").fill("90")
    second.get_by_role("button", name="Save changes").click()
    second.get_by_text("Your changes are saved.").wait_for()
    first.get_by_role("button", name="Save changes").click()
    alert = first.get_by_role("alert").filter(has_text="Another person has changed this")
    alert.get_by_text("90, as the other person has set it.").wait_for()
    assert maria.get(f"/exams/{exam_id}/").json["title"] == "Round one"
    alert.get_by_role("button", name="Save both").click()
    first.get_by_text("Your changes are saved.").wait_for()
    exam = maria.get(f"/exams/{exam_id}/").json
    assert (exam["title"], exam["countdown_minutes"]) == ("Round one, autumn", 90)
    # The second editor is warned as well, and chooses between two titles.
    second.get_by_label("Title").fill("The first round")
    second.get_by_role("button", name="Save changes").click()
    alert = second.get_by_role("alert").filter(has_text="Another person has changed this")
    alert.get_by_text("Theirs: Round one, autumn").wait_for()
    alert.get_by_text("Yours: The first round").wait_for()
    alert.get_by_role("button", name="Take their version").click()
    expect(second.get_by_label("Title")).to_have_value("Round one, autumn")


def test_two_reviewers_of_documents_see_what_the_other_has_decided(site, desks):
    # The service rejects a second decision.
    site.tolerate("400 .*/user/verification/action/|Failed to load resource")
    amara = waiting(site, "Amara", "Obi")
    ben = waiting(site, "Ben", "Carter")
    first, second = desks("/console/documents")
    for page in (first, second):
        page.get_by_role("button", name="Start reviewing").click()
        heading(page, "Amara Obi")
        page.get_by_role("img", name="Identity card").wait_for()
    first.get_by_role("button", name="Approve").click()
    heading(first, "Ben Carter")
    first.get_by_text("Approving Amara Obi.").wait_for()
    first.get_by_text("Approving Amara Obi.").wait_for(state="detached")
    second.get_by_role("button", name="Reject").click()
    second.get_by_role("alert").get_by_text("Choose a reason before you reject.").wait_for()
    second.get_by_role("radio", name="The card can't be read.").check()
    second.get_by_role("button", name="Reject").click()
    heading(second, "Ben Carter")
    second.get_by_text("Maria Okafor has approved Amara Obi before you.").wait_for()
    assert site.service.user(amara).verification == "approved"
    second.get_by_role("button", name="Approve").click()
    heading(second, "Documents")
    wait_until(lambda: site.service.user(ben).verification == "approved")
    first.get_by_role("button", name="Approve").click()
    heading(first, "Documents")
    first.get_by_text("Tunde Bello has approved Ben Carter before you.").wait_for()
    for page in (first, second):
        page.get_by_role("main").get_by_role("link", name=re.compile("^Approved")).click()
        for name in ("Amara Obi", "Ben Carter"):
            page.get_by_role("row").filter(has_text=name).wait_for()


def test_two_people_who_answer_the_same_question_do_not_send_two_answers(site, desks, maria):
    site.tolerate("412")
    exam_id = make_exam(site.service, maria, "AB")
    ada = site.service.candidate(first_name="Ada", last_name="Obi")
    take(ada, exam_id, status=200)
    body = {"question": None, "text": "Is zero a natural number here?"}
    ada.post(f"/exams/{exam_id}/clarifications/", body, status=201)
    first, second = desks(f"/console/exams/{exam_id}/day?tab=questions")
    for page, text in ((first, "Yes."), (second, "No.")):
        page.get_by_role("button", name="Answer Ada Obi").click()
        page.get_by_role("textbox", name="Answer").fill(text)
        page.get_by_role("radio", name="Only Ada Obi").check()
    # The page of the second editor shows the question as open until they send their answer.
    path = f"/exams/{exam_id}/clarifications/"
    stale = [maria.get(f"{path}?status=open&ordering=asked_at&limit=100").json]

    def answer_late(route):
        if route.request.method == "POST":
            stale.clear()
        if stale:
            route.fulfill(json=stale[0])
        else:
            route.continue_()

    second.route("**/clarifications/**", answer_late)
    first.get_by_role("button", name="Send the answer").click()
    first.get_by_text("The answer was sent.").wait_for()
    second.get_by_role("button", name="Send the answer").click()
    second.get_by_text("Another member of staff has answered or dismissed this question").wait_for()
    expect(second.get_by_role("textbox", name="Answer")).to_have_value("No.")
    second.get_by_role("cell", name="Yes.").wait_for()
    [shown] = ada.get(f"/exams/{exam_id}/clarifications/").json["results"]
    assert shown["answer"] == "Yes."
