"""Two tabs of a browser share a session and a socket. `tests/pages/pages/ground` has the rules for
lost replies, closed tabs and closed sockets.
"""

import json
from threading import Event

import pytest

from competition.testing.waiting import PATIENCE
from tests.browser.conftest import PERSON
from tests.support.browser import arrived, wait_for
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

GROUND = "/static/x/pages/static/ground"
RENEW = f"""() => {{
  window.renewed = import("{GROUND}/session.js").then(({{ renew }}) => renew());
}}"""
LISTEN = f"""async () => {{
  const {{ on }} = await import("{GROUND}/socket.js");
  window.seen = [];
  on("news", message => window.seen.push(message));
}}"""
FOLLOW = (
    f"""async () => (await import("{GROUND}/socket.js")).follow("follow_exam", {{ exam: 7 }})"""
)
STATE = f"""async () => (await import("{GROUND}/socket.js")).state()"""
REFRESH = "/auth/token/refresh/"
HELLO = f"Hello, {PERSON['user']['first_name']}."


@pytest.fixture
def context(ground):
    ground.tolerate("Failed to load resource")
    return ground.device()


def sign_in(context):
    """The first tab, in which the user signs in."""
    page = context.new_page()
    page.goto("/sign-in")
    arrived(page, "Sign in")
    page.get_by_label("Email").fill("m@x.example")
    page.get_by_label("Password").fill("right")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text(HELLO).wait_for()
    return page


def another(page):
    """Another tab of the same browser."""
    tab = page.context.new_page()
    tab.goto("/")
    tab.get_by_text(HELLO).wait_for()
    return tab


def test_two_tabs_share_a_session_and_use_a_refresh_token_once(context, pretended):
    page = sign_in(context)
    # The new tab gets the session from the first one.
    tabs = [page, another(page)]
    assert pretended.count("POST", REFRESH) == 0
    # Both tabs begin to renew before either of them has finished.
    begun, usual = Event(), pretended.usual

    def slow(asked):
        begun.wait(PATIENCE)
        return usual(asked)

    pretended.replies[f"POST {REFRESH}"] = slow
    for each in tabs:
        each.evaluate(RENEW)
    begun.set()
    assert [each.evaluate("window.renewed") for each in tabs] == [True, True]
    assert pretended.count("POST", REFRESH) == 1
    # A reload continues the session.
    page.reload()
    page.get_by_text(HELLO).wait_for()
    assert not pretended.ended
    # Signing out ends the session in all tabs.
    page.get_by_role("button", name="Sign out").click()
    for each in tabs:
        arrived(each, "Sign in")
        assert each.evaluate("sessionStorage.length") == 0


def test_tabs_share_a_socket_and_another_one_opens_it_when_its_tab_is_closed(context, pretended):
    pretended.replies["POST /ws/tickets/"] = lambda _: (201, {}, {"ticket": "t"})
    opened = []

    def connect(route):
        received = []
        route.on_message(lambda text: received.append(json.loads(text)))
        opened.append((route, received))

    context.route_web_socket("ws://127.0.0.1:1/**", connect)
    page = sign_in(context)
    tabs = [page, another(page)]
    for each in tabs:
        each.evaluate(LISTEN)
        wait_for(each, lambda each=each: each.evaluate(STATE) == "live")
    assert len(opened) == 1
    opened[0][0].send(json.dumps({"type": "news", "message": 1}))
    for each in tabs:
        wait_for(each, lambda each=each: each.evaluate("window.seen") == [1])
    tabs[1].evaluate(FOLLOW)
    follows = {"action": "follow_exam", "data": {"exam": 7}}
    wait_for(page, lambda: follows in opened[0][1])
    page.close()
    # The tab that now has the socket sends its actions again.
    wait_for(tabs[1], lambda: [received for _, received in opened[1:]] == [[follows]])
