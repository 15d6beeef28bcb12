"""Live messages: all tabs of a browser share one socket, which is opened again after it closes."""

import json

import pytest

from tests.support.browser import wait_for
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

BASE = "/static/x/pages/static/ground"
START = f"""async () => {{
  const m = await import("{BASE}/socket.js");
  (await import("{BASE}/api.js")).configure({{ api: "/v1", api_key: "k" }});
  window.seen = [];
  m.on("news", message => window.seen.push(message));
  m.on("open", () => window.seen.push("open"));
  m.start("ws://127.0.0.1:1/v1/ws/notifications/", "t");
}}"""
FOLLOW = f"""async exam => {{
  const m = await import("{BASE}/socket.js");
  window.unfollow = m.follow("follow_exam", {{ exam }}, "unfollow_exam");
}}"""
STATE = f"""async () => (await import("{BASE}/socket.js")).state()"""
# The pauses before a socket is opened again are random. This makes them 0.
AT_ONCE = "Math.random = () => 0"


@pytest.fixture
def sockets(ground, pretended):
    """``(tab, opened)``: a function that opens a tab, and the list of the opened sockets. Each item
    has a socket and the messages that the service received on it.
    """
    pretended.replies["POST /ws/tickets/"] = lambda _: (201, {}, {"ticket": "t"})
    ground.tolerate("Failed to load resource")
    context = ground.device()
    context.add_init_script(AT_ONCE)
    opened = []

    def connect(route):
        received = []
        route.on_message(lambda text: received.append(json.loads(text)))
        opened.append((route, received))

    context.route_web_socket("ws://127.0.0.1:1/**", connect)

    def tab():
        page = context.new_page()
        page.goto("/blank")
        page.evaluate(START)
        wait_for(page, lambda: page.evaluate("window.seen") == ["open"])
        return page

    return tab, opened


def test_tabs_share_a_socket_and_another_one_opens_it_when_its_tab_is_closed(sockets):
    tab, opened = sockets
    first, second = tab(), tab()
    assert len(opened) == 1
    opened[0][0].send(json.dumps({"type": "news", "message": 1}))
    for page in (first, second):
        wait_for(page, lambda page=page: page.evaluate("window.seen") == ["open", 1])
        assert page.evaluate(STATE) == "live"
    second.evaluate(FOLLOW, 7)
    follows = {"action": "follow_exam", "data": {"exam": 7}}
    wait_for(first, lambda: opened[0][1] == [follows])
    first.close()
    # The tab that now has the socket sends its actions again.
    wait_for(second, lambda: [received for _, received in opened[1:]] == [[follows]])
    second.evaluate("window.unfollow()")
    unfollows = {"action": "unfollow_exam", "data": {"exam": 7}}
    wait_for(second, lambda: opened[1][1] == [follows, unfollows])


def test_when_the_service_restarts_the_page_connects_at_the_time_it_is_given(sockets):
    tab, opened = sockets
    page = tab()
    opened[0][0].close(code=1012, reason="Restarting. Reconnect in 3600.0 seconds.")
    page.wait_for_timeout(800)
    # The page waits for the time in the close reason. Otherwise it would connect immediately,
    # because its random pauses are 0 here.
    assert len(opened) == 1


def test_a_closed_socket_is_opened_again_and_missed_messages_can_be_read(sockets):
    tab, opened = sockets
    page = tab()
    opened[0][0].close(code=1011, reason="")
    wait_for(page, lambda: page.evaluate("window.seen") == ["open", "open"])
    assert len(opened) == 2


def test_a_socket_that_is_rejected_is_not_opened_again(sockets):
    tab, opened = sockets
    page = tab()
    opened[0][0].close(code=4403, reason="permission_denied")
    wait_for(page, lambda: page.evaluate(STATE) == "asking")
    page.wait_for_timeout(800)
    assert len(opened) == 1


def test_a_session_that_has_ended_opens_no_socket(sockets):
    tab, opened = sockets
    page = tab()
    opened[0][0].close(code=4001, reason="")
    page.wait_for_timeout(800)
    assert len(opened) == 1
