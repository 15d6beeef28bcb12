"""Temporary links: whoever has one gets this file, for this time, and nothing else."""

import io
from urllib.parse import urlencode

import pytest

CONTENT = b"%PDF-1.4 a document"


@pytest.fixture
def key(app):
    return app.runtime.storage.put("documents", io.BytesIO(CONTENT), "pdf")


@pytest.fixture
def link(app, key):
    return app.runtime.storage.url(key, app.clock.now)


def fetch(app, link, **options):
    """As a browser does: without any header of ours."""
    client = app.client()
    client.key = None
    prefix = "https://league.example/v1"
    assert link.startswith(prefix)
    return client.get(link.removeprefix(prefix), **options)


def signed(link):
    """The query of a link."""
    return dict(each.split("=") for each in link.partition("?")[2].split("&"))


def forged(link, key=None, **changes):
    path, _, _ = link.partition("?")
    if key is not None:
        path = f"https://league.example/v1/files/{key}"
    return f"{path}?{urlencode({**signed(link), **changes})}"


def test_a_link_works_without_headers(app, link):
    reply = fetch(app, link, status=200)
    assert reply.body == CONTENT
    assert reply.content_type == "application/pdf"


def test_a_browser_saves_the_file_and_neither_shows_nor_keeps_it(app, link):
    headers = fetch(app, link).headers
    assert headers["Content-Disposition"].startswith("attachment; filename=")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store"


def test_a_link_works_for_a_quarter_of_an_hour(app, link):
    app.clock.advance(minutes=14, seconds=59)
    fetch(app, link, status=200)
    app.clock.advance(seconds=1)
    fetch(app, link, status=404, code="not_found")


def test_a_link_is_prolonged_by_nobody(app, link):
    later = str(int(signed(link)["expires"]) + 3600)
    fetch(app, forged(link, expires=later), status=404, code="not_found")


@pytest.mark.parametrize("signature", ["", "0", "x" * 64, "é", "0" * 255])
def test_a_link_with_another_signature_leads_nowhere(app, link, signature):
    fetch(app, forged(link, signature=signature), status=404, code="not_found")


@pytest.mark.parametrize("expires", ["", "x", "-1", "1e9", "9" * 200])
def test_a_link_with_another_time_leads_nowhere(app, link, expires):
    fetch(app, forged(link, expires=expires), status=404, code="not_found")


def test_a_link_to_one_file_leads_to_no_other(app, link):
    other = app.runtime.storage.put("documents", io.BytesIO(b"other"), "pdf")
    fetch(app, forged(link, key=other), status=404, code="not_found")


@pytest.mark.parametrize("escape", ["../secret.pdf", "..%2Fsecret.pdf", "%2Fetc%2Fpasswd", "."])
def test_a_link_leads_out_of_the_folder_for_nobody(app, link, tmp_path, escape):
    (tmp_path / "secret.pdf").write_bytes(b"secret")
    assert b"secret" not in fetch(app, forged(link, key=escape), status=404).body


def test_a_link_without_a_signature_leads_nowhere(app, key):
    fetch(app, f"https://league.example/v1/files/{key}", status=404, code="not_found")


def test_the_link_of_a_deleted_file_leads_nowhere(app, key, link):
    app.runtime.storage.delete(key)
    fetch(app, link, status=404, code="not_found")


def test_keys_are_random(app):
    keys = {app.runtime.storage.put("faces", io.BytesIO(b"x"), "png") for _ in range(20)}
    assert len(keys) == 20
    assert all(len(key) >= len("faces/.png") + 32 for key in keys)


def test_only_the_service_reads_the_folder(app, key, tmp_path):
    assert (tmp_path / "files" / "documents").stat().st_mode & 0o077 == 0


def test_a_replaced_signing_key_works_until_it_is_dropped(app_with, base_settings, tmp_path):
    old, new = base_settings["competition.signing.keys"], "development-" + "n" * 32
    first = app_with({})
    key = first.runtime.storage.put("documents", io.BytesIO(CONTENT), "pdf")
    link = first.runtime.storage.url(key, first.clock.now)
    fetch(app_with({"competition.signing.keys": f"{new} {old}"}), link, status=200)
    fetch(app_with({"competition.signing.keys": new}), link, status=404)
