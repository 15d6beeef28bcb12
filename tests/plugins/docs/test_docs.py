import re
from urllib.parse import urljoin

import pytest

from competition.core.plugins import build
from competition.core.settings import SettingsError
from tests.support.document import Document

pytestmark = pytest.mark.needs("docs")


@pytest.mark.parametrize("path", ["/health/", "/health"])
def test_health_needs_no_key_and_no_slash(app, path):
    app.anonymous.key = None
    reply = app.anonymous.get(path, status=200)
    assert reply.json["status"] == "healthy"
    assert reply.json["timestamp"].endswith("Z")
    assert reply.headers["X-Request-Id"]


def test_a_wrong_method_is_told_the_right_ones(app):
    reply = app.anonymous.post("/health/", status=405, code="method_not_allowed")
    assert reply.headers["Allow"] == "GET, HEAD, OPTIONS"


def test_an_unknown_path_is_an_envelope(app):
    app.anonymous.get("/nowhere/", status=404, code="not_found")


def test_health_is_503_in_the_same_shape_without_a_database(base_settings, tmp_path):
    from webtest import TestApp

    nowhere = f"postgresql+psycopg://nobody@/nowhere?host={tmp_path}"
    config = build({**base_settings, "competition.database.url": nowhere})
    reply = TestApp(config.make_wsgi_app()).get("/v1/health/", status=503)
    assert reply.json["status"] == "unhealthy"
    Document(config.registry.document).check("GET", "/health/", reply)
    config.registry.runtime.close()


def test_a_plugin_switched_off_leaves_no_path(base_settings):
    from webtest import TestApp

    config = build({**base_settings, "competition.plugins": ""})
    TestApp(config.make_wsgi_app()).get("/v1/health/", status=404)
    config.registry.runtime.close()


def test_an_unknown_plugin_stops_the_start_and_lists_the_valid_ones(base_settings):
    with pytest.raises(SettingsError, match=r"'exam'.*docs"):
        build({**base_settings, "competition.plugins": "exam"})


def test_production_refuses_the_development_secret(base_settings):
    with pytest.raises(SettingsError, match=r"competition\.signing\.keys"):
        build({**base_settings, "competition.environment": "production"})


@pytest.mark.parametrize("page", ["swagger/", "swagger", "redoc/", "redoc"])
def test_a_page_takes_everything_from_the_service_itself(app, page):
    app.anonymous.key = None
    reply = app.anonymous.get(f"/docs/{page}")
    assert reply.content_type == "text/html"
    policy = reply.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    links = re.findall(r'(?:src|href)="([^"]+)"', reply.text)
    assert len(links) >= 2
    for link in set(links) - {"data:,"}:
        # As a browser does.
        asset = app.http.get(urljoin(f"/v1/docs/{page}", link), status=200)
        assert asset.content_type in ("text/javascript", "application/javascript", "text/css")
        assert asset.cache_control.max_age == 24 * 60 * 60
        # Redoc's logo, and maps of the source.
        assert b"cdn.redoc" not in asset.body
        assert b"sourceMappingURL" not in asset.body[-100:]


def test_assets_are_all_that_is_served_of_the_package(app):
    for path in ("static/../views.py", "static/%2e%2e/views.py", "static/", "static/vendor/"):
        reply = app.http.get(f"/v1/docs/{path}", expect_errors=True)
        assert reply.status_int in (403, 404), path
        assert reply.json["code"]


def test_assets_can_only_be_read(app):
    path = "/v1/docs/static/vendor/redoc/redoc.standalone.js"
    app.http.get(path, status=200)
    for method in ("POST", "DELETE"):
        reply = app.http.request(path, method=method, expect_errors=True)
        assert (reply.status_int, reply.json["code"]) == (404, "not_found")
