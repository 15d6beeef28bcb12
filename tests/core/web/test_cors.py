"""CORS: web pages of other origins are rejected, unless the settings name them."""

import pytest

ORIGIN = "https://app.league.example"


@pytest.fixture
def app(app_with):
    return app_with({"competition.cors.origins": f"{ORIGIN} http://localhost:3000"})


def ask(app, method, path, origin=ORIGIN, **headers):
    return app.http.request(
        f"/v1{path}", method=method, headers={"Origin": origin, **headers}, expect_errors=True
    )


def test_an_allowed_origin_can_read_replies_and_their_headers(app):
    reply = ask(app, "GET", "/health/")
    assert reply.headers["Access-Control-Allow-Origin"] == ORIGIN
    shown = reply.headers["Access-Control-Expose-Headers"]
    limits = {f"X-RateLimit-{name}" for name in ("Limit", "Remaining", "Reset")}
    others = {"X-Request-Id", "ETag", "Deprecation", "Sunset", "Retry-After"}
    others |= {"WWW-Authenticate", "Content-Disposition", "Date"}
    assert set(shown.split(", ")) == limits | others
    assert "Origin" in reply.headers["Vary"]
    assert "Access-Control-Allow-Credentials" not in reply.headers


@pytest.mark.parametrize(("path", "status"), [("/exams/", 401), ("/nowhere/", 404)])
def test_an_allowed_origin_can_read_errors(app, path, status):
    reply = ask(app, "GET", path)
    assert reply.status_int == status
    assert reply.headers["Access-Control-Allow-Origin"] == ORIGIN


def test_a_preflight_is_answered_without_a_key(app):
    headers = {"Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "x"}
    reply = ask(app, "OPTIONS", "/exams/1/", **headers)
    assert reply.status_int == 204
    methods = reply.headers["Access-Control-Allow-Methods"]
    assert set(methods.split(", ")) == {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}
    sent = reply.headers["Access-Control-Allow-Headers"]
    expected = {"Authorization", "Content-Type", "If-None-Match", "X-Api-Key"}
    expected |= {"X-Requested-With", "traceparent"}
    # Endpoints of the plugins declare further headers.
    assert set(sent.split(", ")) - {"Idempotency-Key", "If-Match"} == expected
    assert reply.headers["Access-Control-Max-Age"] == "7200"
    assert reply.headers["X-Request-Id"]


@pytest.mark.parametrize("origin", ["https://evil.example", "null", f"{ORIGIN}.evil.example"])
def test_another_origin_gets_no_permission(app, origin):
    for method in ("GET", "OPTIONS"):
        reply = ask(app, method, "/health/", origin, **{"Access-Control-Request-Method": "GET"})
        assert "Access-Control-Allow-Origin" not in reply.headers


def test_by_default_no_origin_is_allowed(app_with):
    reply = ask(app_with({}), "GET", "/health/")
    assert "Access-Control-Allow-Origin" not in reply.headers
