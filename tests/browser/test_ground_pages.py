"""The shared pieces of the pages in a small front-end that uses all of them: what needs a whole
page or real keys. `tests/pages/pages` has the rules of each module.
"""

from threading import Event

import pytest
from playwright.sync_api import expect

from competition.plugins.pages.modules import read
from competition.testing.waiting import PATIENCE
from tests.browser.conftest import refusal
from tests.support import javascript
from tests.support.browser import AXE_CONTRAST, AXE_RUN, PHONE, SCREEN, arrived, faults, opened
from tests.support.programs import CHROMIUM, needs_program
from tests.support.reflow import cut_off
from tests.support.repository import REPOSITORY

pytestmark = needs_program(CHROMIUM)

# JavaScript: the elements that move, or change their colour slowly.
MOVING = """
[...document.querySelectorAll("*")].map(each => [each.localName, getComputedStyle(each)])
  .filter(([, {animationName, transitionDuration, scrollBehavior}]) =>
    animationName !== "none" || transitionDuration !== "0s" || scrollBehavior !== "auto")
  .map(([name]) => name)
"""
# The places of the page of examples: their headings in English and in French.
PLACES = {
    "/": ("Home", "Accueil"),
    "/people": ("Candidates", "Candidats"),
    "/lists?search=lake&stage=league&after=2026-12-12&ordering=-name": ("Lists", "Listes"),
    "/lists/all?ordering=name": ("All rows selected", "Toutes les lignes s\u00e9lectionn\u00e9es"),
    "/form": ("A form", "Un formulaire"),
    "/fields": ("Fields", "Champs"),
    "/forms": ("Forms", "Formulaires"),
    "/question": ("A question", "Une question"),
    "/charts": ("Charts", "Graphiques"),
    "/states": ("States", "\u00c9tats"),
    "/failures": ("Failures", "\u00c9checs"),
    "/dialogs/plain": ("Dialogs", "Dialogues"),
    "/dialogs/danger": ("Dialogs", "Dialogues"),
    "/dialogs/each": ("Dialogs", "Dialogues"),
    "/dialogs/keys": ("Dialogs", "Dialogues"),
    "/dialogs/keys-off": ("Dialogs", "Dialogues"),
    "/dialogs/menu": ("Dialogs", "Dialogues"),
    "/more": ("More", "Suite"),
    "/sign-in": ("Sign in", "Se connecter"),
    "/broken": (
        "This page could not be loaded",
        "Cette page n\u2019a pas pu \u00eatre charg\u00e9e",
    ),
    "/nothing": ("This page does not exist", "Cette page n\u2019existe pas"),
}
# The place with the navigation of a small screen.
ONLY_SMALL = "/dialogs/menu"


def people(asked):
    """One page of 38 people."""
    number = int(asked.query.get("page", ["1"])[0])
    rows = [
        {"id": n, "name": f"Person {n}", "email": f"person.{n}@hillside.example"}
        for n in range(20 * number - 20, min(38, 20 * number))
    ]
    size = {"count": 38, "page": number, "page_size": 20}
    position = {**size, "has_next": number == 1, "has_previous": number > 1}
    return 200, {}, {"results": rows, "pagination": position}


@pytest.fixture
def signed_in(ground, pretended):
    """``signed_in(path)``: a page of a user who has signed in."""
    pretended.replies["GET /people/"] = people
    ground.tolerate("Failed to load resource")

    def visit(path, **options):
        page = ground.visit(f"/sign-in?next={path}", **options)
        arrived(page, "Sign in")
        page.get_by_label("Email").fill("m@x.example")
        page.get_by_label("Password").fill("right")
        page.get_by_role("button", name="Sign in").click()
        # One of the pages has examples of parts that load forever.
        opened(page, PLACES[path][0])
        return page

    return visit


# Pieces that others show: `list` has its filters and pages, `confirm` a dialog, and `start` the
# notices. One is an error.
SHOWN_BY_OTHERS = {"Filters", "Pages", "Dialog", "Notices", "NotAPicture"}


def test_the_examples_show_every_shared_piece():
    folder = REPOSITORY / "competition/plugins/pages/static/pieces"
    exported = {name for file in folder.glob("*.js") for name in read(file.read_bytes()).exports}
    components = {each for each in exported if each[0].isupper() and not each.isupper()}
    examples = (REPOSITORY / "tests/browser/ground").glob("*.js")
    shown = set().union(*(javascript.names(file.read_text()) for file in examples))
    assert components - shown == SHOWN_BY_OTHERS


def looks(page, name, run=AXE_RUN):
    """The faults of a page in light and in dark colours."""
    found = []
    # Only colours depend on the scheme.
    for scheme, rules in (("light", run), ("dark", AXE_CONTRAST)):
        page.emulate_media(color_scheme=scheme)
        found += [f"{name} and {scheme}: {each}" for each in faults(page, rules)]
    return found


def test_no_piece_has_a_fault_of_accessibility_or_breaks_the_policy(ground, signed_in, pretended):
    pretended.replies["GET /failing/"] = lambda _: refusal(500, "server_error", "It failed.")
    pretended.replies["GET /count/"] = lambda _: (200, {}, {"count": 7})
    pretended.replies["POST /ws/tickets/"] = lambda _: (201, {}, {"ticket": "t"})
    # In English messages arrive live, and in French they don't.
    ground.prepare.append(lambda each: each.route_web_socket("ws://127.0.0.1:1/**", lambda _: None))
    ground.tolerate("An example of a mistake|Failed to fetch|ERR_INTERNET_DISCONNECTED")
    page = signed_in("/", viewport=SCREEN, permissions=["clipboard-read", "clipboard-write"])
    found = []
    for path, (heading, _) in PLACES.items():
        page.set_viewport_size(PHONE)
        page.goto(path)
        opened(page, heading)
        if path == "/states":
            page.get_by_text("This is taking longer than usual.").wait_for()
            page.get_by_text("Copied.").wait_for()
        found += looks(page, f"{path}, small")
        if path != ONLY_SMALL:
            page.set_viewport_size(SCREEN)
            found += looks(page, f"{path}, large")
        found += [f"{path}, {each}" for each in cut_off(page)]
    # French is longer. A small screen shows first where it does not fit.
    del pretended.replies["POST /ws/tickets/"]
    page.evaluate("() => localStorage.setItem('language', 'fr')")
    for path, (_, heading) in PLACES.items():
        page.set_viewport_size(PHONE)
        page.goto(path)
        opened(page, heading)
        found += looks(page, f"{path}, in French", AXE_CONTRAST)
        found += [f"{path}, in French, {each}" for each in cut_off(page)]
    # A reader in the league's time zone sees each time once.
    there = signed_in("/", viewport=PHONE, timezone_id="Africa/Lagos")
    found += looks(there, "/, in the league's zone", AXE_CONTRAST)
    assert "Lagos" not in there.locator("main").inner_text()
    # Without a connection, the other language can't be loaded.
    page.set_viewport_size(SCREEN)
    page.context.set_offline(True)
    page.route("**/*.js", lambda route: route.abort())
    page.get_by_text("Pas de connexion").wait_for()
    page.get_by_role("button", name="English").click()
    page.get_by_text("La connexion avec la ligue est interrompue.").wait_for()
    found += looks(page, "without a connection", AXE_CONTRAST)
    assert found == [], "\n".join(found)


def test_a_new_page_begins_at_its_heading_and_back_restores_the_position(signed_in, pretended):
    page = signed_in("/people", viewport=PHONE)
    last = page.get_by_role("link", name="Person 19")
    last.click()
    page.get_by_role("heading", name="Candidate 19").wait_for()
    expect(page.get_by_role("heading", name="Candidate 19")).to_be_focused()
    released = Event()

    def wait(asked):
        released.wait(PATIENCE)
        return people(asked)

    pretended.replies["GET /people/"] = wait
    page.go_back()
    # The page scrolls as far as it can without its rows, and again when it has them.
    expect(page.get_by_role("heading", name="Candidates")).to_be_focused()
    released.set()
    expect(last).to_be_in_viewport()
    # A new page begins at its top, also in place of a page that was scrolled.
    page.get_by_role("link", name="Mathematics league").click()
    page.get_by_role("link", name="People named a").click()
    last.scroll_into_view_if_needed()
    page.go_back()
    arrived(page, "Home")
    page.get_by_role("link", name="People named a").click()
    last.wait_for()
    expect(page.get_by_role("heading", name="Candidates")).to_be_focused()
    assert page.evaluate("scrollY") == 0


def test_a_dialog_is_used_with_the_keyboard_and_gives_the_focus_back(signed_in):
    page = signed_in("/states")
    button = page.get_by_role("button", name="Finish: floors")
    dialog = page.get_by_role("dialog", name="Finish")
    button.press("Enter")
    expect(dialog.get_by_role("heading", name="Finish")).to_be_focused()
    for name in ("Finish it", "Cancel"):
        page.keyboard.press("Tab")
        expect(dialog.get_by_role("button", name=name)).to_be_focused()
    # The page below can't be reached.
    page.keyboard.press("Tab")
    expect(button).not_to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Finish it").press("Enter")
    # Its row is gone.
    expect(page.get_by_role("button", name="Finish: windows")).to_be_focused()
    # A shortcut opens the list of keys, and moves nothing for users who want less motion.
    page.get_by_role("link", name="Question").click()
    arrived(page, "A question")
    for motion, moves in (("no-preference", True), ("reduce", False)):
        page.emulate_media(reduced_motion=motion)
        page.keyboard.press("?")
        page.get_by_role("dialog", name="Keys").wait_for()
        assert bool(page.evaluate(MOVING)) == moves
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


def test_leaving_a_changed_form_asks_also_by_back_and_by_a_reload(signed_in):
    page = signed_in("/")
    page.get_by_role("link", name="The form").click()
    arrived(page, "A form")
    page.get_by_label("Email").fill("a@x.example")
    page.get_by_label("Password").fill("a secret")
    page.go_back()
    dialog = page.get_by_role("dialog", name="Leave this page?")
    dialog.get_by_role("button", name="Stay on this page").click()
    assert page.url.endswith("/form")
    expect(page.get_by_label("Email")).to_have_value("a@x.example")
    # The browser asks before a reload. Afterwards the draft is there, without the password.
    asked = []
    page.on("dialog", lambda each: (asked.append(each.type), each.accept()))
    page.reload()
    arrived(page, "A form")
    assert asked == ["beforeunload"]
    expect(page.get_by_label("Email")).to_have_value("a@x.example")
    expect(page.get_by_label("Password")).to_have_value("")
    page.go_back()
    dialog.get_by_role("button", name="Leave without saving").click()
    arrived(page, "Home")


def test_printing_shows_the_sheet_alone(signed_in):
    page = signed_in("/question")
    page.evaluate("window.print = () => {}")
    page.get_by_role("button", name="Print").click()
    page.emulate_media(media="print")
    page.get_by_role("heading", name="Screening 2").wait_for()
    assert not page.get_by_role("heading", name="A question").is_visible()
    # Paper is white, also for users of dark colours.
    page.emulate_media(media="print", color_scheme="dark")
    assert faults(page, AXE_CONTRAST) == ["the page has 2 h1"]
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.get_by_role("heading", name="A question").is_visible()
