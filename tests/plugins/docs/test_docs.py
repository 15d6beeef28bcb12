import json
import re
import secrets
from base64 import b64encode
from urllib.parse import urljoin

import pytest

from tests.support.repository import REPOSITORY


@pytest.mark.parametrize("page", ["swagger/", "swagger", "redoc/", "redoc"])
def test_a_page_loads_only_files_of_the_service(app, page):
    app.anonymous.key = None
    reply = app.anonymous.get(f"/docs/{page}")
    assert reply.content_type == "text/html"
    policy = reply.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    links = re.findall(r'(?:src|href)="([^"]+)"', reply.text)
    assert len(links) >= 2
    for link in set(links) - {"data:,"}:
        # Load the assets as a browser does.
        asset = app.http.get(urljoin(f"/v1/docs/{page}", link), status=200)
        assert asset.content_type in ("text/javascript", "application/javascript", "text/css")
        assert asset.cache_control.max_age == 24 * 60 * 60
        # The page loads neither Redoc's logo nor source maps.
        assert b"cdn.redoc" not in asset.body
        assert b"sourceMappingURL" not in asset.body[-100:]


def test_only_assets_of_the_package_are_served(app):
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


def test_the_page_for_developers_links_to_the_documentation(app):
    page = app.http.get("/developers/", status=200)
    assert page.content_type == "text/html"
    assert "script-src" not in page.headers["Content-Security-Policy"]
    for path in re.findall(r'href="([^"]+)"', page.text):
        if path != "data:,":
            app.http.get(urljoin("/developers/", path), status=200)
    assert "support@league.example" in page.text
    for at in ("docs", "docs/"):
        index = app.http.get(f"/v1/{at}", status=200)
        links = [each for each in re.findall(r'href="([^"]+)"', index.text) if each != "data:,"]
        assert len(links) == 4
        for path in links:
            app.http.get(urljoin(f"/v1/{at}", path), status=200)


def test_the_page_for_developers_names_the_guides_or_links_to_them(app_with):
    text = app_with({}).http.get("/developers/", status=200).text
    files = re.findall(r"<dt>(docs/.+?)</dt>", text)
    assert "docs/plugins.md" in files
    assert [each for each in files if not (REPOSITORY / each).exists()] == []
    site = {"competition.docs.site_url": "https://docs.league.example/"}
    text = app_with(site).http.get("/developers/", status=200).text
    assert 'href="https://docs.league.example/reference/errors.html"' in text


@pytest.mark.parametrize("environment", ["development", "production"])
def test_only_a_development_service_lists_its_logins(app_with, tmp_path, environment):
    known = {"mail_dir": "/var/<mail>", "logins": {"admin": "admin@league.example"}}
    (tmp_path / "dev.json").write_text(json.dumps({**known, "api_key": "secret-key"}))
    settings = {
        "competition.var": str(tmp_path),
        "competition.environment": environment,
        "competition.signing.keys": secrets.token_hex(32),
        "competition.receipts.keys": b64encode(secrets.token_bytes(32)).decode(),
    }
    page = app_with(settings).http.get("/developers/", status=200)
    assert ("admin@league.example" in page.text) == (environment == "development")
    assert "<mail>" not in page.text and "secret-key" not in page.text
