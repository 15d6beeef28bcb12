"""The session of the pages: several tabs share it, and never use a refresh token twice."""

from datetime import UTC, datetime, timedelta
from threading import Event

import pytest

from competition.testing.waiting import PATIENCE
from tests.browser.conftest import refusal
from tests.support.browser import wait_for
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

SESSION = "/static/x/pages/static/ground/session.js"
API = "/static/x/pages/static/ground/api.js"
BEGIN = f"""async () => {{
  const m = await import("{SESSION}");
  const {{ api, configure, newKey }} = await import("{API}");
  configure({{ api: "/v1", api_key: "k" }});
  window.changes = [];
  m.onSession(change => window.changes.push(change));
  const exchange = (refresh, key) =>
    api.post("/auth/token/refresh/", {{}}, {{ refresh }}, {{ anonymous: true, key }});
  await m.begin({{ name: "t", newKey, exchange }});
  return m.user()?.user.first_name ?? null;
}}"""
LOG_IN = f"""async () => {{
  const m = await import("{SESSION}");
  const {{ api }} = await import("{API}");
  m.open(await api.post("/auth/login/", {{}}, {{ email: "m@x.example", password: "right" }}));
}}"""
TOKEN = f"""async () => (await import("{SESSION}")).token()"""
RENEW = f"""async () => (await import("{SESSION}")).renew()"""
REFRESH = "/auth/token/refresh/"


@pytest.fixture
def tab(ground):
    ground.tolerate("Failed to load resource")
    context = ground.device()

    def open_tab():
        page = context.new_page()
        page.goto("/blank")
        return page

    return open_tab


def test_a_new_tab_gets_the_session_of_another_one_without_a_request(tab, pretended):
    first, second = tab(), tab()
    assert first.evaluate(BEGIN) is None
    first.evaluate(LOG_IN)
    assert second.evaluate(BEGIN) == "Maria"
    assert second.evaluate(TOKEN) == first.evaluate(TOKEN)
    assert pretended.count("POST", REFRESH) == 0


def test_a_reload_continues_the_session_with_one_refresh(tab, pretended):
    page = tab()
    page.evaluate(BEGIN)
    page.evaluate(LOG_IN)
    page.reload()
    assert page.evaluate(BEGIN) == "Maria"
    assert page.evaluate(TOKEN).endswith(".2")
    assert pretended.count("POST", REFRESH) == 1


@pytest.mark.essential
def test_two_tabs_that_refresh_at_once_use_the_token_once(tab, pretended):
    first, second = tab(), tab()
    first.evaluate(BEGIN)
    first.evaluate(LOG_IN)
    second.evaluate(BEGIN)
    # Both tabs begin to renew before either of them has finished.
    begun, usual = Event(), pretended.usual

    def slow(asked):
        begun.wait(PATIENCE)
        return usual(asked)

    pretended.replies[f"POST {REFRESH}"] = slow
    for page in (first, second):
        page.evaluate(f"() => {{ window.renewed = ({RENEW})(); }}")
    begun.set()
    assert [page.evaluate("() => window.renewed") for page in (first, second)] == [True, True]
    assert pretended.count("POST", REFRESH) == 1
    assert first.evaluate(TOKEN) == second.evaluate(TOKEN)
    assert not pretended.ended


def test_a_duplicated_tab_asks_the_others_before_it_refreshes(tab, pretended):
    first = tab()
    first.evaluate(BEGIN)
    first.evaluate(LOG_IN)
    copied = first.evaluate("sessionStorage.getItem('t.session')")
    first.evaluate(RENEW)
    second = tab()
    second.evaluate("text => sessionStorage.setItem('t.session', text)", copied)
    assert second.evaluate(BEGIN) == "Maria"
    assert second.evaluate(TOKEN) == first.evaluate(TOKEN)
    assert pretended.count("POST", REFRESH) == 1
    assert not pretended.ended


def test_a_frozen_tab_uses_no_old_token_when_it_goes_on(tab, pretended):
    first, second = tab(), tab()
    first.evaluate(BEGIN)
    first.evaluate(LOG_IN)
    second.evaluate(BEGIN)
    frozen = first.context.new_cdp_session(first)
    frozen.send("Page.setWebLifecycleState", {"state": "frozen"})
    second.evaluate(RENEW)
    second.evaluate(RENEW)
    frozen.send("Page.setWebLifecycleState", {"state": "active"})
    first.evaluate(RENEW)
    assert first.evaluate(TOKEN) == second.evaluate(TOKEN)
    assert not pretended.ended


def test_an_expired_token_is_renewed_once_and_the_request_repeated(tab, pretended):
    page = tab()
    page.evaluate(BEGIN)
    page.evaluate(LOG_IN)

    def answer(asked):
        if asked.headers["AUTHORIZATION"].endswith(".1"):
            return refusal(401, "invalid_token", "Expired.")
        return 200, {}, {"fine": True}

    pretended.replies["GET /things/"] = answer
    get = (
        """async () => (await import("/static/x/pages/static/ground/api.js")).api.get("/things/")"""
    )
    assert page.evaluate(get) == {"fine": True}
    assert pretended.count("GET", "/things/") == 2


def test_a_lost_connection_does_not_end_the_session_but_a_rejection_does(tab, pretended):
    page = tab()
    page.evaluate(BEGIN)
    page.evaluate(LOG_IN)
    pretended.replies[f"POST {REFRESH}"] = lambda _: (502, {}, "<html>")
    page.evaluate(f"() => ({RENEW})().catch(() => null)")
    assert page.evaluate("window.changes") == ["opened"]
    assert page.evaluate(TOKEN).endswith(".1")
    pretended.replies.pop(f"POST {REFRESH}")
    pretended.ended = True
    page.evaluate("sessionStorage.setItem('draft.x', '1')")
    assert page.evaluate(RENEW) is False
    assert page.evaluate("window.changes") == ["opened", "expired"]
    # The typed text stays until the user signs in again.
    assert page.evaluate("Object.keys(sessionStorage)") == ["draft.x"]


@pytest.fixture
def losing(pretended):
    """``losing(True)``: the service renews tokens, but its replies get lost."""
    usual = pretended.usual

    def lose(asked):
        usual(asked)
        return 504, {}, "<html>"

    def losing(is_losing):
        pretended.replies = {f"POST {REFRESH}": lose} if is_losing else {}

    return losing


def keys(pretended):
    """The keys of all renewals, each once."""
    renewals = [each for each in pretended.asked if each.path == REFRESH]
    return sorted({each.headers["IDEMPOTENCY-KEY"] for each in renewals})


@pytest.mark.essential
def test_after_a_lost_reply_a_reload_repeats_the_renewal_with_the_same_key(tab, pretended, losing):
    page = tab()
    page.evaluate(BEGIN)
    page.evaluate(LOG_IN)
    losing(True)
    page.evaluate(f"() => {{ ({RENEW})().catch(() => null); }}")
    wait_for(page, lambda: pretended.count("POST", REFRESH) == 1)
    page.reload()
    losing(False)
    assert page.evaluate(BEGIN) == "Maria"
    assert page.evaluate(TOKEN) is not None
    assert len(keys(pretended)) == 1
    # The next renewal has a key of its own.
    assert page.evaluate(RENEW) is True
    assert len(keys(pretended)) == 2
    assert not pretended.ended


def test_another_tab_repeats_the_renewal_of_a_tab_that_was_closed(tab, pretended, losing):
    first, second = tab(), tab()
    first.evaluate(BEGIN)
    first.evaluate(LOG_IN)
    second.evaluate(BEGIN)
    losing(True)
    first.evaluate(f"() => {{ ({RENEW})().catch(() => null); }}")
    wait_for(first, lambda: pretended.count("POST", REFRESH) == 1)
    stored = "sessionStorage.getItem('t.session')"
    wait_for(second, lambda: first.evaluate(stored) == second.evaluate(stored))
    first.close()
    losing(False)
    assert second.evaluate(RENEW) is True
    assert len(keys(pretended)) == 1
    second.reload()
    assert second.evaluate(BEGIN) == "Maria"
    assert not pretended.ended


def test_two_tabs_that_are_loaded_again_use_the_same_key(tab, pretended, losing):
    first, second = tab(), tab()
    first.evaluate(BEGIN)
    first.evaluate(LOG_IN)
    second.evaluate(BEGIN)
    losing(True)
    # The second tab must not stop waiting for the first one, however late the first one replies.
    second.clock.install()
    second.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    for page in (first, second):
        page.reload()
    first.evaluate(f"() => {{ ({BEGIN})(); }}")
    wait_for(first, lambda: pretended.count("POST", REFRESH) >= 1)
    # The second tab waits for the first one, which has no access token to give.
    second.evaluate(f"() => {{ ({BEGIN})(); }}")
    stored = "sessionStorage.getItem('t.session')"
    wait_for(second, lambda: first.evaluate(stored) == second.evaluate(stored))
    first.close()
    losing(False)
    # The second tab may ask the first one once more, before the browser knows that it is closed.
    second.clock.resume()
    # This waits for the renewal of the beginning, which may also have ended by now.
    assert second.evaluate(TOKEN) is not None
    assert len(keys(pretended)) == 1
    assert not pretended.ended


def test_a_request_does_not_wait_for_a_renewal_while_the_old_token_is_valid(tab, pretended):
    page = tab()
    # The token has to be renewed at once, because tests don't wait for the end of its lifetime.
    page.add_init_script("Math.random = () => -19")
    page.reload()
    page.evaluate(BEGIN)
    arrived, released = Event(), Event()
    usual = pretended.usual

    def slow(asked):
        arrived.set()
        released.wait(PATIENCE)
        return usual(asked)

    pretended.replies[f"POST {REFRESH}"] = slow
    page.evaluate(LOG_IN)
    assert page.evaluate(TOKEN).endswith(".1")
    wait_for(page, arrived.is_set)
    # The new token is not renewed at once.
    page.evaluate("() => { Math.random = () => 0; }")
    # Wait for this renewal: after its end, another one would begin.
    page.evaluate(f"() => {{ window.renewed = ({RENEW})(); }}")
    released.set()
    assert page.evaluate("() => window.renewed") is True
    assert page.evaluate(TOKEN).endswith(".2")


def test_signing_out_ends_the_session_in_all_tabs_and_leaves_nothing(tab):
    first, second = tab(), tab()
    first.evaluate(BEGIN)
    first.evaluate(LOG_IN)
    second.evaluate(BEGIN)
    second.evaluate("sessionStorage.setItem('draft.x', '1')")
    first.evaluate(f"async () => (await import('{SESSION}')).close(async () => {{}})")
    for page in (first, second):
        wait_for(page, lambda page=page: page.evaluate(TOKEN) is None)
        assert page.evaluate("sessionStorage.length") == 0
        assert page.evaluate("window.changes").pop() == "signed out"
