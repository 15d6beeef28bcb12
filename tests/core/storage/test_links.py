"""Temporary links open one file, for a limited time, for everyone who has the link."""

from urllib.parse import urlencode

import pytest

from competition.core.storage import files
from competition.core.storage.contract import Storage
from competition.core.work import begin

CONTENT = b"%PDF-1.4 a document"


def store(app, content=CONTENT, extension="pdf"):
    with begin(app.runtime) as work:
        return files.store(work, content, extension, plugin="documents", subject="exam 7")


@pytest.fixture
def key(app):
    return store(app)


@pytest.fixture
def link(app, key):
    with begin(app.runtime) as work:
        return files.link(work, key)


def fetch(app, link, **options):
    """Follow a link without the headers of an API client, as a browser does."""
    client = app.client()
    client.key = None
    prefix = "https://league.example/v1"
    assert link.startswith(prefix)
    return client.get(link.removeprefix(prefix), **options)


def signed(link):
    """The query parameters of a link."""
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


def test_the_file_is_sent_as_an_attachment_and_not_cached(app, link):
    headers = fetch(app, link).headers
    assert headers["Content-Disposition"].startswith("attachment; filename=")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store"


def test_a_link_works_for_a_quarter_of_an_hour(app, link):
    app.clock.advance(minutes=14, seconds=59)
    fetch(app, link, status=200)
    app.clock.advance(seconds=1)
    fetch(app, link, status=404, code="not_found")


def test_a_private_link_expires_after_five_minutes(app, key):
    """Until then, a client without a session can download the file."""
    with begin(app.runtime) as work:
        link = files.link(work, key, private=True)
    app.clock.advance(minutes=4, seconds=59)
    fetch(app, link, status=200)
    app.clock.advance(seconds=1)
    fetch(app, link, status=404, code="not_found")


def test_a_link_can_not_be_prolonged(app, link):
    later = str(int(signed(link)["expires"]) + 3600)
    fetch(app, forged(link, expires=later), status=404, code="not_found")


@pytest.mark.parametrize("signature", ["", "0", "x" * 64, "é", "0" * 255])
def test_a_link_with_another_signature_is_not_found(app, link, signature):
    fetch(app, forged(link, signature=signature), status=404, code="not_found")


@pytest.mark.parametrize("expires", ["", "x", "-1", "1e9", "9" * 200])
def test_a_link_with_a_malformed_time_is_not_found(app, link, expires):
    fetch(app, forged(link, expires=expires), status=404, code="not_found")


def test_a_link_opens_no_other_file(app, link):
    other = store(app, b"other")
    fetch(app, forged(link, key=other), status=404, code="not_found")


@pytest.mark.parametrize("escape", ["../secret.pdf", "..%2Fsecret.pdf", "%2Fetc%2Fpasswd", "."])
def test_a_link_can_not_leave_the_folder(app, link, tmp_path, escape):
    (tmp_path / "secret.pdf").write_bytes(b"secret")
    assert b"secret" not in fetch(app, forged(link, key=escape), status=404).body


def test_a_link_without_a_signature_is_not_found(app, key):
    fetch(app, f"https://league.example/v1/files/{key}", status=404, code="not_found")


def test_the_link_of_a_deleted_file_is_not_found(app, key, link):
    with begin(app.runtime) as work:
        files.delete(work, key)
    fetch(app, link, status=404, code="not_found")


def test_a_file_without_a_row_is_not_served(app, key, link, monkeypatch):
    """The row is deleted, but the storage has failed to delete the object."""
    monkeypatch.setattr(app.runtime[Storage], "delete", lambda key: None)
    with begin(app.runtime) as work:
        files.delete(work, key)
    assert app.runtime[Storage].exists(key)
    fetch(app, link, status=404, code="not_found")


def test_a_lost_file_is_not_found(app, key, link):
    app.runtime[Storage].delete(key)
    fetch(app, link, status=404, code="not_found")


def test_an_unreadable_storage_returns_502(app, key, link):
    path = app.file_folder / key
    path.unlink()
    # A folder in place of the file can't be read, even by root.
    path.mkdir()
    fetch(app, link, status=502, code="storage_unavailable")


def test_a_range_of_a_file_can_be_requested(app, link):
    # The OpenAPI document does not describe ranges, because they are part of HTTP.
    path = link.removeprefix("https://league.example")
    reply = app.http.get(path, headers={"Range": "bytes=1-3"})
    assert (reply.status_int, reply.body) == (206, CONTENT[1:4])


class TestWhatABrowserWouldRun:
    SCRIPT = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"

    @pytest.fixture
    def drawing(self, probe):
        with begin(probe.runtime) as work:
            key = files.store(work, self.SCRIPT, "svg", plugin="probe", subject="exam 7")
            return files.link(work, key)

    def test_an_svg_file_is_sent_as_an_attachment(self, probe, drawing):
        reply = fetch(probe, drawing, status=200)
        assert reply.body == self.SCRIPT
        assert reply.content_type == "image/svg+xml"
        assert reply.headers["Content-Disposition"].startswith("attachment; ")
        assert reply.headers["X-Content-Type-Options"] == "nosniff"

    def test_scripts_in_an_svg_file_can_not_run(self, probe, drawing):
        policy = fetch(probe, drawing).headers["Content-Security-Policy"]
        assert {each.strip() for each in policy.split(";")} == {"sandbox", "default-src 'none'"}
