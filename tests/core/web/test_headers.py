"""The security headers of every response."""

import pytest

from competition.core.web.headers import ALWAYS, NOTHING_RUNS


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/health/"),
        ("GET", "/v1/exams/"),
        ("GET", "/v1/docs/swagger/"),
        ("GET", "/v1/docs/static/swagger.js"),
        ("GET", "/v1/docs/static/nothing"),
        ("DELETE", "/v1/health/"),
        ("OPTIONS", "/v1/health/"),
        ("GET", "/nowhere"),
        ("GET", "/%ff"),
    ],
)
def test_every_reply_has_the_security_headers(app, method, path):
    reply = app.http.request(path, method=method, expect_errors=True)
    assert {name: reply.headers.getall(name) for name in ALWAYS} == {
        name: [value] for name, value in ALWAYS.items()
    }
    [policy] = reply.headers.getall("Content-Security-Policy")
    # HTML pages have their own policy.
    assert policy == NOTHING_RUNS or reply.content_type == "text/html"
    assert "Strict-Transport-Security" not in reply.headers
    assert "Server" not in reply.headers


def test_the_security_headers_have_these_values():
    assert ALWAYS == {
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
    }


def test_a_preflight_reply_has_the_security_headers(app_with):
    service = app_with({"competition.cors.origins": "https://app.league.example"})
    asked = {"Origin": "https://app.league.example", "Access-Control-Request-Method": "GET"}
    reply = service.http.options("/v1/health/", headers=asked, status=204)
    assert reply.headers["X-Frame-Options"] == "DENY"


def test_hsts_is_enabled_by_a_setting(app_with):
    service = app_with({"competition.browser.hsts": "600"})
    for path in ("/v1/health/", "/nowhere"):
        reply = service.http.get(path, expect_errors=True)
        assert reply.headers["Strict-Transport-Security"] == "max-age=600"
