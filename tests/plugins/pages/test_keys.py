"""The API key of the pages, and its rate limits."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from competition.core.limits.counters import parse_rates
from competition.core.users import api_keys
from competition.core.users.credentials import ApiKey
from competition.core.work import begin
from competition.plugins.pages import keys
from competition.plugins.pages.models import PagesKey
from competition.testing.races import together
from competition.testing.service import Client

ENABLED = {"competition.ratelimit.enabled": "true"}
HOME, SCHOOL = "198.51.100.7", "203.0.113.1"


def pages_key(service):
    return service.http.get("/pages/config.json", status=200).json["api_key"]


def from_address(address):
    return {"environ": {"REMOTE_ADDR": address}}


def limit(reply):
    return int(reply.headers["X-RateLimit-Limit"])


def test_simultaneous_first_visits_create_one_key(live):
    found = together(8, lambda _: pages_key(live))
    assert len(set(found)) == 1
    with begin(live.runtime) as work:
        assert work.db.scalar(select(func.count()).select_from(PagesKey)) == 1
        assert work.db.scalars(select(ApiKey.scopes).where(ApiKey.rates == "pages")).one() == [
            "client"
        ]


def test_a_rotated_key_is_valid_until_open_pages_have_finished(app):
    before = pages_key(app)
    with begin(app.runtime) as work:
        keys.rotate(work, timedelta(hours=24))
    app.clock.advance(seconds=15)
    after = pages_key(app)
    assert after != before
    Client(app, before).get("/registration/consent/", status=200)
    app.clock.advance(hours=24)
    Client(app, before).get("/registration/consent/", status=401, code="authentication_failed")
    Client(app, after).get("/registration/consent/", status=200)


def test_a_revoked_key_is_replaced(app):
    before = pages_key(app)
    with begin(app.runtime) as work:
        name = work.db.scalars(select(ApiKey.name).where(ApiKey.rates == "pages")).one()
        api_keys.revoke(work, name)
    app.clock.advance(seconds=15)
    assert pages_key(app) != before


def test_the_command_rotates_the_key(live, run):
    before = pages_key(live)
    assert "valid for 2 hours" in run("pages", "rotate-key", "--hours", "2").output
    live.clock.advance(seconds=15)
    assert pages_key(live) != before


@pytest.fixture
def service(app_with):
    return app_with({**ENABLED, "competition.pages.rates": "12/minute"})


def test_a_user_has_the_rate_limits_of_the_key_they_use(service):
    ada = service.candidate()
    page = Client(service, pages_key(service), ada.client.token)
    for _ in range(12):
        assert limit(page.get("/candidates/me/", status=200)) == 12
    page.get("/candidates/me/", status=429, code="throttle_exceeded")
    # A client with another key has ten requests of its own, even if the pages have used up theirs.
    for _ in range(10):
        assert limit(ada.get("/candidates/me/", status=200)) == 10
    ada.get("/candidates/me/", status=429)


def test_a_copied_key_does_not_raise_a_users_limit(service):
    ada, ben = service.candidate(), service.candidate()
    key = pages_key(service)
    for _ in range(12):
        Client(service, key, ada.client.token).get("/candidates/me/", status=200)
    Client(service, key, ada.client.token).get("/candidates/me/", status=429)
    Client(service, key, ben.client.token).get("/candidates/me/", status=200)


def test_lookups_have_a_rate_limit_of_their_own_per_address(app_with, monkeypatch):
    monkeypatch.setattr("competition.plugins.pages.LOOKUPS", parse_rates("8/minute"))
    service = app_with(ENABLED)
    page = Client(service, pages_key(service))
    for _ in range(8):
        reply = page.get("/registration/consent/", status=200, **from_address(SCHOOL))
        assert limit(reply) == 8
    page.get("/registration/consent/", status=429, **from_address(SCHOOL))
    page.get("/registration/consent/", status=200, **from_address(HOME))
    # Requests for the consent text do not use up the limit for logins.
    service.key = service.anonymous.key = page.key
    ada = service.candidate()
    service.log_in(ada.email, status=200, **from_address(SCHOOL))
    assert not service.runtime.redis.keys(f"limit:address:{HOME}:*")


def test_logins_through_the_pages_are_limited_per_address(app_with):
    service = app_with({**ENABLED, "competition.pages.anonymous_rates": "7/minute"})
    service.anonymous.key = pages_key(service)
    ada = service.candidate()
    for _ in range(7):
        service.log_in(ada.email, status=200, **from_address(HOME))
    service.log_in(ada.email, status=429, **from_address(HOME))


def test_a_key_with_undeclared_rates_has_the_default_limits(service):
    with begin(service.runtime) as work:
        key = api_keys.create(work, "tablet", rates="gone")
    ada = service.candidate()
    assert limit(Client(service, key, ada.client.token).get("/candidates/me/")) == 10
