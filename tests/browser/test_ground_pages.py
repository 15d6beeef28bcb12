"""The shared pieces of the pages, in a small front-end that uses all of them."""

import re
import time
from itertools import pairwise
from threading import Event

import pytest
from playwright.sync_api import expect

from competition.testing.waiting import PATIENCE
from tests.browser.conftest import PERSON, refusal
from tests.support.browser import PHONE, SCREEN, faults, wait_for
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

NOISE = r"Failed to load resource"
AN_HOUR, TEN_SECONDS = 3_600_000, 10_000
# JavaScript: hide or show the page, as another tab in front of it does.
HIDE = """isHidden => {
  Object.defineProperty(document, "hidden", {configurable: true, get: () => isHidden});
  document.dispatchEvent(new Event("visibilitychange"));
}"""
# JavaScript: the elements that move, or change their colour slowly.
MOVING = """
[...document.querySelectorAll("*")].map(each => [each.localName, getComputedStyle(each)])
  .filter(([, {animationName, transitionDuration, scrollBehavior}]) =>
    animationName !== "none" || transitionDuration !== "0s" || scrollBehavior !== "auto")
  .map(([name]) => name)
"""
PLACES = {
    "/": "Home",
    "/people": "Candidates",
    "/form": "A form",
    "/question": "A question",
    "/charts": "Charts",
    "/states": "States",
    "/nothing": "This page does not exist",
}


def people(asked):
    number = int(asked.query.get("page", ["1"])[0])
    found = (
        []
        if asked.query.get("search") == ["nobody"]
        else range(20 * number - 20, min(38, 20 * number))
    )
    rows = [
        {"id": n, "name": f"Person {n}", "email": f"person.{n}@hillside.example"} for n in found
    ]
    count = 38 if rows else 0
    position = {
        "count": count,
        "page": number,
        "page_size": 20,
        "has_next": number == 1 and count > 20,
        "has_previous": number > 1,
    }
    return 200, {}, {"results": rows, "pagination": position}


@pytest.fixture
def signed_in(ground, pretended):
    """``signed_in(path)``: a page of a user who has signed in."""
    pretended.replies["GET /people/"] = people
    ground.tolerate(NOISE)

    def visit(path, **options):
        page = ground.visit(
            f"/sign-in?next={path.replace('?', '%3F').replace('&', '%26')}", **options
        )
        page.get_by_label("Email").fill("m@x.example")
        page.get_by_label("Password").fill("right")
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("heading", name=PLACES[path.partition("?")[0]], level=1).wait_for()
        return page

    return visit


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE, SCREEN], ids=["360", "1280"])
def test_no_piece_has_a_fault_of_accessibility_or_breaks_the_policy(
    signed_in, pretended, viewport, scheme, tmp_path
):
    pretended.replies["GET /failing/"] = lambda _: refusal(500, "server_error", "It failed.")
    pretended.replies["GET /count/"] = lambda _: (200, {}, {"count": 7})
    page = signed_in("/", viewport=viewport, color_scheme=scheme)
    for path, heading in PLACES.items():
        page.goto(path)
        page.get_by_role("heading", name=heading, level=1).wait_for()
        page.wait_for_timeout(600)
        page.screenshot(path=tmp_path / f"{heading}.png".replace(" ", "-"), full_page=True)
        assert faults(page) == [], path


def test_moving_on_sets_the_title_and_moves_the_focus_and_back_restores_the_position(signed_in):
    page = signed_in("/people")
    assert page.title() == "Candidates - Demo - Mathematics league"
    page.get_by_role("link", name="Person 19").click()
    heading = page.get_by_role("heading", name="Candidate 19")
    heading.wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Candidate 19"
    assert page.title() == "Candidate 19 - Demo - Mathematics league"
    page.go_back()
    page.get_by_role("heading", name="Candidates").wait_for()
    assert page.url.endswith("/people")


def test_back_restores_the_position_once_the_list_is_read_again(signed_in, pretended):
    page = signed_in("/people", viewport=PHONE)
    last = page.get_by_role("link", name="Person 19")
    last.click()
    page.get_by_role("heading", name="Candidate 19").wait_for()
    released = Event()

    def wait(asked):
        released.wait(PATIENCE)
        return people(asked)

    pretended.replies["GET /people/"] = wait
    page.go_back()
    page.get_by_role("heading", name="Candidates").wait_for()
    # The page has scrolled as far as it can without its rows.
    expect(page.get_by_role("heading", name="Candidates")).to_be_focused()
    released.set()
    expect(last).to_be_in_viewport()


def test_a_new_page_begins_at_its_top_also_in_place_of_a_page_that_was_scrolled(signed_in):
    page = signed_in("/", viewport=PHONE)
    people = page.get_by_role("link", name="People named a")
    last = page.get_by_role("link", name="Person 19")
    people.click()
    last.scroll_into_view_if_needed()
    page.go_back()
    page.get_by_role("heading", name="Home").wait_for()
    people.click()
    last.wait_for()
    expect(page.get_by_role("heading", name="Candidates")).to_be_focused()
    assert page.evaluate("scrollY") == 0


def test_the_focus_goes_to_the_next_row_when_its_row_disappears(signed_in, pretended):
    page = signed_in("/people?page=2")
    page.get_by_role("link", name="Person 36").focus()

    def without(*gone):
        def reply(asked):
            status, headers, body = people(asked)
            rows = [each for each in body["results"] if each["name"] not in gone]
            return status, headers, {**body, "results": rows}

        pretended.replies["GET /people/"] = reply
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    without("Person 36")
    expect(page.get_by_role("link", name="Person 37")).to_be_focused()
    # After the last row, it is the row before.
    without("Person 36", "Person 37")
    expect(page.get_by_role("link", name="Person 35")).to_be_focused()
    # A list without the focus does not take it.
    page.get_by_role("link", name="Home").first.focus()
    without("Person 35", "Person 36", "Person 37")
    expect(page.get_by_role("link", name="Person 35")).to_have_count(0)
    expect(page.get_by_role("link", name="Home").first).to_be_focused()


def test_the_focus_goes_on_when_a_dialog_removes_the_row_of_its_button(signed_in):
    page = signed_in("/states")

    def finish(task):
        page.get_by_role("button", name=f"Finish: {task}").press("Enter")
        page.get_by_role("button", name="Finish it").press("Enter")
        expect(page.get_by_role("button", name=f"Finish: {task}")).to_have_count(0)

    finish("floors")
    expect(page.get_by_role("button", name="Finish: windows")).to_be_focused()
    finish("windows")
    expect(page.get_by_role("button", name="Finish: dishes")).to_be_focused()
    # If no row is left, it is the heading of the page.
    finish("dishes")
    expect(page.get_by_role("heading", name="States", level=1)).to_be_focused()


def test_a_list_has_its_filters_order_and_page_in_the_address(signed_in, pretended):
    page = signed_in("/people?search=person")
    assert page.get_by_label("Search").input_value() == "person"
    page.get_by_role("button", name="Name").click()
    page.wait_for_url("**ordering=name")
    page.get_by_role("columnheader", name="Name").and_(
        page.locator("[aria-sort=ascending]")
    ).wait_for()
    page.get_by_role("link", name="Next page").click()
    page.get_by_text("21 to 38 of 38").wait_for()
    latest = pretended.asked[-1]
    assert latest.query == {"search": ["person"], "ordering": ["name"], "page": ["2"]}
    page.get_by_label("Search").fill("nobody")
    page.get_by_text(
        "Nothing matches these filters: Search name, email, school: nobody."
    ).wait_for()
    page.get_by_role("button", name="Clear filters").first.click()
    page.get_by_text("38 candidates").wait_for()
    assert page.get_by_label("Search").input_value() == ""


def test_an_action_names_its_number_survives_paging_and_a_failure_and_is_sent_once(
    signed_in, pretended
):
    tries = iter([refusal(500, "server_error", "It failed."), (200, {}, {"done": True})])
    pretended.replies["POST /assign/"] = lambda _: next(tries)
    page = signed_in("/people")
    page.get_by_role("checkbox", name=re.compile(r"^Select Person 3\D")).check()
    page.get_by_role("link", name="Next page").click()
    page.get_by_role("checkbox", name="Select Person 30").check()
    page.get_by_text("2 selected").wait_for()
    page.get_by_role("button", name="Select all 38").click()
    page.get_by_role("button", name="Assign to 38").click()
    dialog = page.get_by_role("dialog", name="Assign a stage")
    dialog.get_by_text("This assigns the stage to 38 candidates.").wait_for()
    assert faults(page) == []
    dialog.get_by_role("button", name="Assign to 38").click()
    dialog.get_by_text("The service has failed. Nothing was changed.").wait_for()
    dialog.get_by_text("8c1f0a").wait_for()
    dialog.get_by_role("button", name="Assign to 38").dblclick()
    page.get_by_text("Assigned to 38 candidates.").wait_for()
    sent = [each for each in pretended.asked if each.path == "/assign/"]
    assert len(sent) == 2
    assert sent[0].headers["IDEMPOTENCY-KEY"] == sent[1].headers["IDEMPOTENCY-KEY"]
    page.get_by_role("link", name="Home").first.click()
    page.get_by_role("heading", name="Home").wait_for()
    assert page.get_by_text("Assigned to 38").count() == 0


@pytest.mark.essential
def test_a_form_shows_errors_at_their_fields_and_keeps_what_was_typed(signed_in, pretended):
    errors = {"email": ["This address is in use."], "nothing": {"deep": ["Unknown."]}}
    pretended.replies["PATCH /form/"] = lambda _: refusal(400, "invalid", "No.", errors=errors)
    page = signed_in("/form")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("There are problems with 2 fields.").wait_for()
    assert page.title().startswith("Error:")
    assert pretended.count("PATCH", "/form/") == 0
    page.get_by_label("Email").fill("a@x.example")
    page.get_by_label("Password").fill("a secret")
    page.get_by_label("I agree").check()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Email: This address is in use.").click()
    assert page.evaluate("document.activeElement.name") == "email"
    page.get_by_text("nothing.deep Unknown.").wait_for()
    assert faults(page) == []
    # After a reload the draft is there, without the password.
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.get_by_role("heading", name="A form").wait_for()
    assert page.get_by_label("Email").input_value() == "a@x.example"
    assert page.get_by_label("Password").input_value() == ""


def test_leaving_a_changed_form_asks_and_back_asks_too(signed_in):
    page = signed_in("/")
    page.get_by_role("link", name="The form").click()
    page.get_by_label("Email").fill("a@x.example")
    page.go_back()
    dialog = page.get_by_role("dialog", name="Leave this page?")
    dialog.get_by_role("button", name="Stay on this page").click()
    assert page.url.endswith("/form")
    assert page.get_by_label("Email").input_value() == "a@x.example"
    page.go_back()
    dialog.get_by_role("button", name="Leave without saving").click()
    page.get_by_role("heading", name="Home").wait_for()


def test_a_change_of_another_person_is_shown_and_not_overwritten(signed_in, pretended):
    stale = refusal(412, "precondition_failed", "Changed.")
    pretended.replies["PATCH /form/"] = lambda it: (
        stale if it.headers["IF-MATCH"] == '"1"' else (200, {}, {})
    )
    page = signed_in("/form")
    page.get_by_label("Name").fill("Ada L.")
    page.get_by_label("Email").fill("a@x.example")
    page.get_by_label("I agree").check()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Theirs: Grace").wait_for()
    page.get_by_text("Yours: Ada L.").wait_for()
    page.get_by_role("button", name="Save your version").click()
    page.get_by_text("Saved.").wait_for()
    assert pretended.asked[-1].body["name"] == "Ada L."


def test_a_field_that_only_the_other_person_has_changed_keeps_that_change(signed_in, pretended):
    stale = refusal(412, "precondition_failed", "Changed.")
    pretended.replies["PATCH /form/"] = lambda it: (
        stale if it.headers["IF-MATCH"] == '"1"' else (200, {}, {})
    )
    page = signed_in("/form")
    page.get_by_label("Email").fill("a@x.example")
    page.get_by_label("I agree").check()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Grace, as the other person has set it.").wait_for()
    page.get_by_role("button", name="Save both").click()
    page.get_by_text("Saved.").wait_for()
    body = pretended.asked[-1].body
    assert (body["name"], body["email"]) == ("Grace", "a@x.example")


def test_options_have_spoken_names_and_rejected_markup_is_shown_as_text(signed_in):
    page = signed_in("/question")
    page.get_by_role("radio", name="B, one half").check()
    page.get_by_role("radio", name="C, the square root of 2").wait_for()
    page.get_by_text("sqrt 2").wait_for()
    assert page.locator("script:not([src])").count() == 0
    # Punctuation stays on the same line as its formula.
    kept = page.locator(".together").all_text_contents()
    assert kept == ["x+y=10.", "x2?"]
    page.keyboard.press("a")
    assert page.get_by_role("radio", name="A, 48").is_checked()
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").get_by_label("Use these keys").uncheck()
    page.keyboard.press("Escape")
    page.get_by_role("radio", name="B, one half").check()
    page.keyboard.press("a")
    assert page.get_by_role("radio", name="B, one half").is_checked()
    # A formula that is wider than the screen scrolls on its own, so it can take the focus.
    assert page.locator(".question[tabindex='0']").count() == 1


def test_a_module_that_cannot_be_loaded_asks_for_a_reload(signed_in, ground):
    ground.tolerate("Failed to fetch")
    page = signed_in("/")
    page.get_by_role("link", name="Broken").click()
    page.get_by_role("heading", name="This page could not be loaded").wait_for()


def test_the_language_changes_at_once_and_stays(signed_in):
    page = signed_in("/")
    page.get_by_text("One candidate, 1,204 candidates").wait_for()
    page.get_by_role("button", name="Français").click()
    page.get_by_text("1 candidat, 1 204 candidats").wait_for()
    assert page.evaluate("document.documentElement.lang") == "fr"
    page.reload()
    page.get_by_text("Bonjour, Maria.").wait_for()


def test_the_scale_of_a_chart_of_numbers_has_no_fractions(signed_in):
    page = signed_in("/charts")
    chart = page.get_by_role("img", name="Silent in the last hour")
    expect(chart.locator("text.last.numbers")).to_have_text(["0", "1"])
    # The last time ends at the edge: centred below its point, it would be cut off.
    expect(chart.locator("text.last:not(.numbers)")).to_have_text("10:05")


def test_printing_shows_the_sheet_alone(signed_in):
    page = signed_in("/question")
    page.evaluate("window.print = () => {}")
    page.get_by_role("button", name="Print").click()
    page.emulate_media(media="print")
    page.get_by_role("heading", name="Screening 2").wait_for()
    assert not page.get_by_role("heading", name="A question").is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.get_by_role("heading", name="A question").is_visible()


def test_polls_share_a_request_send_the_etag_and_stop_when_nobody_watches(signed_in, pretended):
    pretended.replies["GET /failing/"] = lambda _: refusal(404, "not_found", "Not found.")
    polled_at = []

    def count(asked):
        polled_at.append(time.monotonic())
        is_known = asked.headers.get("IF-NONE-MATCH")
        return (304, {}, None) if is_known else (200, {"ETag": '"7"'}, {"count": 7})

    pretended.replies["GET /count/"] = count
    pretended.replies["GET /paced/"] = lambda _: (200, {}, {"count": 7})
    page = signed_in("/states")
    page.locator("#polled .value").wait_for()
    page.locator("#paced").get_by_text("1800").wait_for()
    wait_for(page, lambda: len(polled_at) >= 3)
    # When the pace of a poll changes, its value stays, and no extra request is sent.
    assert pretended.count("GET", "/paced/") == 1
    assert page.locator("#polled .value").text_content() == "7"
    # A poll begins a second after the reply to the one before it.
    assert all(later - earlier > 0.5 for earlier, later in pairwise(polled_at))
    page.get_by_role("link", name="Home").first.click()
    page.get_by_role("heading", name="Home").wait_for()
    # A poll may still be on its way.
    page.wait_for_timeout(500)
    before = len(polled_at)
    page.wait_for_timeout(1500)
    assert len(polled_at) == before


def test_polls_stop_while_the_page_is_hidden_and_go_on_at_once_when_it_is_shown(
    signed_in, ground, pretended
):
    pretended.replies["GET /paced/"] = lambda _: (200, {}, {"count": 7})
    # The page's timers run by a clock that the test moves.
    ground.prepare.append(lambda device: device.clock.install())
    page = signed_in("/states")
    page.locator("#paced").get_by_text("1800").wait_for()
    page.evaluate(HIDE, True)
    page.clock.fast_forward(AN_HOUR)
    # When this request has arrived, one of a poll would have arrived too.
    page.evaluate("fetch('/v1/later/').then(() => null)")
    assert pretended.count("GET", "/later/") == 1
    assert pretended.count("GET", "/paced/") == 1
    # The next poll would be half an hour later.
    page.evaluate(HIDE, False)
    wait_for(page, lambda: pretended.count("GET", "/paced/") == 2)
    page.clock.fast_forward(AN_HOUR)
    wait_for(page, lambda: pretended.count("GET", "/paced/") == 3)


def test_a_page_says_that_it_takes_longer_than_usual(signed_in, ground, pretended):
    ground.prepare.append(lambda device: device.clock.install())
    page = signed_in("/states")
    page.clock.fast_forward(TEN_SECONDS)
    # The page shows one part that never has data. On a busy machine, others have none yet.
    longer = page.get_by_role("status").get_by_text("This is taking longer than usual.")
    longer.first.wait_for()


def test_a_password_can_be_shown(ground):
    page = ground.visit("/sign-in")
    field = page.get_by_label("Password")
    field.fill("right")
    expect(field).to_have_attribute("type", "password")
    page.get_by_role("button", name="Show").click()
    expect(field).to_have_attribute("type", "text")
    expect(field).to_have_value("right")
    page.get_by_role("button", name="Show", pressed=True).click()
    expect(field).to_have_attribute("type", "password")


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_nothing_moves_for_users_who_want_less_motion(signed_in, motion, moves):
    page = signed_in("/question", reduced_motion=motion)
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").wait_for()
    assert bool(page.evaluate(MOVING)) == moves


def test_the_name_of_the_user_is_known_in_a_new_tab_and_gone_after_signing_out(signed_in):
    page = signed_in("/")
    other = page.context.new_page()
    other.goto("/")
    other.get_by_text(f"Hello, {PERSON['user']['first_name']}.").wait_for()
    page.get_by_role("button", name="Sign out").click()
    for each in (page, other):
        each.get_by_role("heading", name="Sign in").wait_for()
        assert each.evaluate("sessionStorage.length") == 0
