"""Every request gets a response in the envelope, even if it is malformed."""

import io
import json
from types import SimpleNamespace

import pytest
from sqlalchemy import func, select, text

from competition.core.audit import AuditEntry
from competition.core.auth.access import KeyScope
from competition.core.monitoring.logs import StructuredFormatter
from competition.core.schemas import LARGEST_ANONYMOUS_JSON
from competition.core.users import api_keys
from competition.core.users.models import User
from competition.core.web.request import LARGEST_JSON, Request
from competition.core.web.retries import retry_attempts
from competition.core.work import begin

USERS = User.__table__.c


@pytest.fixture
def raw(probe):
    """Send a request without the checks against the OpenAPI document."""

    def request(method, path, body=None, **options):
        if body is not None:
            options.setdefault("content_type", "application/json")
            options["body"] = body
        return probe.http.request("/v1" + path, method=method, expect_errors=True, **options)

    return request


def assert_refused(reply, status, code):
    assert (reply.status_int, reply.json["code"]) == (status, code), reply.text
    assert reply.content_type == "application/json"
    assert set(reply.json) <= {"detail", "code", "errors", "rules"}
    assert reply.headers["X-Request-Id"]
    assert reply.headers["X-Content-Type-Options"] == "nosniff"


def written(service):
    with begin(service.runtime) as work:
        return work.db.scalar(
            select(func.count()).select_from(AuditEntry).where(AuditEntry.action == "probe")
        )


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"7",
        b'"text"',
        b'{"said": "\xff"}',
        b'{"said": "\\ud800"}',
        b'{"other": "\\ud800"}',
        b'{"whole": NaN}',
        b'{"other": NaN}',
        b'{"other": 1e999}',
        b'{"real": Infinity}',
        b'{"real": 1e999}',
        b'{"said": "a"} {}',
        b"\xef\xbb\xbf{",
        b'{"said": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    ],
)
def test_a_body_that_is_not_a_json_object_is_rejected(raw, body):
    assert_refused(raw("POST", "/probe/echo/", body), 400, "invalid")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"said": "a\0b"}, "said"),
        ({"said": "a\nb"}, "said"),
        ({"said": 7}, "said"),
        ({"said": None}, "said"),
        ({"raw": "a\0b"}, "raw"),
        ({"whole": 2**63}, "whole"),
        ({"whole": 2**64}, "whole"),
        ({"whole": -(2**64)}, "whole"),
        ({"whole": 10**400}, "whole"),
        ({"whole": 1.5}, "whole"),
        ({"whole": True}, "whole"),
        ({"whole": "٣"}, "whole"),
        ({"real": 10**400}, "real"),
        ({"real": "1"}, "real"),
    ],
)
def test_an_invalid_value_is_named(probe, body, field):
    reply = probe.anonymous.post("/probe/echo/", body, status=400, code="invalid")
    assert list(reply.json["errors"]) == [field]
    assert reply.json["detail"].startswith(f"{field}: ")


@pytest.mark.parametrize(
    "body", [b'{"said": "a", "said": "a"}', b'{"said": "a", "other": [{"x": 1, "x": 2}]}']
)
def test_a_duplicate_key_is_rejected(raw, body):
    assert_refused(raw("POST", "/probe/echo/", body), 400, "invalid")


def test_unknown_fields_are_ignored(probe):
    probe.anonymous.post("/probe/echo/", {"said": "a", "other": {"deep": [1]}}, status=200)


def test_text_in_any_script_is_unchanged(probe):
    said = "Ω≈ç√ שלום 👩‍🚀"
    assert probe.anonymous.post("/probe/echo/", {"said": said}).json == {"said": said}


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_another_content_type_is_rejected(raw, content_type):
    reply = raw("POST", "/probe/echo/", b"{}", content_type=content_type)
    assert_refused(reply, 415, "unsupported_media_type")


@pytest.mark.parametrize(
    "content_type", ["application/json; charset=utf-8", "Application/JSON", "application/json;"]
)
def test_spellings_of_the_json_content_type_are_accepted(raw, content_type):
    assert raw("POST", "/probe/echo/", b"{}", content_type=content_type).status_int == 200


class Unread(io.BytesIO):
    def read(self, size=-1):
        raise AssertionError("the body was read")


def test_a_huge_body_is_rejected_unread(raw):
    environ = {"wsgi.input": Unread(), "CONTENT_LENGTH": str(10**9)}
    reply = raw("POST", "/probe/echo/", environ=environ, content_type="application/json")
    assert_refused(reply, 400, "invalid")


USER = {"X-Api-Key": "wrong", "Authorization": "Bearer wrong"}


@pytest.mark.parametrize(
    ("headers", "length"), [({}, LARGEST_ANONYMOUS_JSON), (USER, LARGEST_JSON)]
)
def test_a_body_longer_than_the_key_allows_is_rejected_unread(raw, headers, length):
    environ = {"wsgi.input": Unread(), "CONTENT_LENGTH": str(length + 1)}
    options = {"headers": headers, "environ": environ, "content_type": "application/json"}
    reply = raw("PATCH", "/account-management/", **options)
    assert_refused(reply, 401, "authentication_failed" if headers else "not_authenticated")


@pytest.mark.parametrize(
    ("path", "scope"), [("/receipts/verify/", "client"), ("/webhooks/db-backup/", "webhook")]
)
def test_a_longer_public_body_is_read_only_with_a_key_of_the_scope(app, path, scope):
    environ = {"wsgi.input": Unread(), "CONTENT_LENGTH": str(LARGEST_ANONYMOUS_JSON + 1)}
    with begin(app.runtime) as work:
        other = api_keys.create(work, "other", scopes=[KeyScope.METRICS])
        good = api_keys.create(work, "good", scopes=[KeyScope(scope)])
    for headers, status in (
        ({}, 401),
        ({"X-Api-Key": "wrong"}, 401),
        ({"X-Api-Key": other}, 403),
    ):
        options = {"headers": headers, "environ": environ, "content_type": "application/json"}
        reply = app.http.request(f"/v1{path}", method="POST", expect_errors=True, **options)
        assert reply.status_int == status
    body = json.dumps({"error_message": "a" * LARGEST_ANONYMOUS_JSON}).encode()
    options = {"headers": {"X-Api-Key": good}, "content_type": "application/json", "body": body}
    reply = app.http.request(f"/v1{path}", method="POST", expect_errors=True, **options)
    assert "too large" not in reply.json["detail"]
    assert "errors" in reply.json


@pytest.mark.parametrize("content_type", ["application/json", "multipart/form-data; boundary=b"])
@pytest.mark.parametrize("path", ["/nowhere/", "/probe/echo/7/", "/probe/kept/"])
def test_a_body_for_no_endpoint_is_not_read(raw, path, content_type):
    environ = {"wsgi.input": Unread(), "CONTENT_LENGTH": "1000"}
    options = {"environ": environ, "content_type": content_type}
    assert raw("POST", path, **options).json["code"] in ("not_found", "kept")
    assert raw("DELETE", "/probe/echo/", **options).status_int == 405


@pytest.mark.parametrize("headers", [{}, {"X-Api-Key": "wrong"}, {"Authorization": "Bearer x"}])
def test_a_form_is_read_only_after_the_key_and_the_token(raw, headers):
    environ = {"wsgi.input": Unread(), "CONTENT_LENGTH": "1000"}
    options = {"environ": environ, "content_type": "multipart/form-data; boundary=b"}
    for method, path in (("POST", "/verification/"), ("PATCH", "/account-management/")):
        assert raw(method, path, headers=headers, **options).status_int in (401, 404)


@pytest.mark.parametrize("sent", [b"", b'{"said": "a"}'])
def test_an_incomplete_body_is_rejected_if_it_is_read(raw, sent):
    for method, status in (("POST", 400), ("GET", 200)):
        environ = {"wsgi.input": io.BytesIO(sent), "CONTENT_LENGTH": str(len(sent) + 100)}
        reply = raw(method, "/probe/echo/", environ=environ, content_type="application/json")
        assert reply.status_int == status
        assert method == "GET" or reply.json["code"] == "invalid"


JSON, FORM = "application/json", "multipart/form-data; boundary=b"
SENT_BY_USER = {"HTTP_X_API_KEY": "k", "HTTP_AUTHORIZATION": "Bearer t"}


@pytest.mark.parametrize(
    ("environ", "tries"),
    [
        ({}, 3),
        ({"CONTENT_LENGTH": "0"}, 3),
        ({"CONTENT_LENGTH": "16384", "CONTENT_TYPE": JSON}, 3),
        ({"CONTENT_LENGTH": "16385", "CONTENT_TYPE": JSON}, 1),
        ({"CONTENT_LENGTH": "16385", "CONTENT_TYPE": JSON, "HTTP_X_API_KEY": "k"}, 1),
        ({"CONTENT_LENGTH": "2097152", "CONTENT_TYPE": JSON, **SENT_BY_USER}, 3),
        ({"CONTENT_LENGTH": "2097153", "CONTENT_TYPE": JSON, **SENT_BY_USER}, 1),
        ({"CONTENT_LENGTH": "100", "CONTENT_TYPE": FORM, **SENT_BY_USER}, 1),
        ({"CONTENT_LENGTH": "100", "CONTENT_TYPE": FORM.upper(), **SENT_BY_USER}, 1),
        ({"wsgi.input_terminated": True, "CONTENT_TYPE": JSON, **SENT_BY_USER}, 3),
        ({"wsgi.input_terminated": True, "CONTENT_TYPE": JSON}, 1),
        ({"wsgi.input_terminated": True, "CONTENT_TYPE": FORM, **SENT_BY_USER}, 1),
        # No endpoint takes this body.
        ({"CONTENT_LENGTH": "100", "CONTENT_TYPE": FORM, "PATH_INFO": "/v1/nowhere/"}, 3),
    ],
)
def test_a_request_is_retried_if_its_body_can_be_read_again(app, environ, tries):
    body = io.BytesIO(b"a" * int(environ.get("CONTENT_LENGTH", 100)))
    own = {"REQUEST_METHOD": "PATCH", "PATH_INFO": "/v1/account-management"}
    request = Request({**own, "wsgi.input": body, **environ})
    request.registry = SimpleNamespace(runtime=app.runtime)
    assert retry_attempts(request) == tries


def test_a_huge_body_without_a_length_is_rejected(raw):
    class Endless(io.BytesIO):
        taken = 0

        def read(self, size=-1):
            assert self.taken < 10 * 1024 * 1024, "read on and on"
            self.taken += size
            return b" " * size

    environ = {"wsgi.input": Endless(), "wsgi.input_terminated": True}
    reply = raw("POST", "/probe/echo/", environ=environ, content_type="application/json")
    assert_refused(reply, 400, "invalid")


def body_of(size):
    return {"more": "a" * (size - len(b'{"more": ""}'))}


def test_anonymous_bodies_are_limited_to_sixteen_kibibytes(probe):
    probe.anonymous.post("/probe/echo/", body_of(16 * 1024), status=200)
    reply = probe.anonymous.post("/probe/echo/", body_of(16 * 1024 + 1), status=400)
    assert reply.json.keys() == {"detail", "code"}
    assert reply.json["code"] == "invalid" and "too large" in reply.json["detail"]


def test_anonymous_bodies_without_a_length_are_limited_too(raw):
    environ = {"wsgi.input_terminated": True}
    for size, status in ((16 * 1024, 200), (16 * 1024 + 1, 400)):
        body = io.BytesIO(json.dumps(body_of(size)).encode())
        sent = {**environ, "wsgi.input": body}
        reply = raw("POST", "/probe/echo/", environ=sent, content_type="application/json")
        assert reply.status_int == status


def test_bodies_of_logged_in_users_can_be_larger(app):
    body = {"first_name": "Ada", "unknown": "a" * 100_000}
    app.candidate().patch("/account-management/", body, status=200)


@pytest.mark.parametrize(
    "path",
    [
        "/probe/named/%FF/",
        "/probe/named/a%00b/",
        "/nowhere/%FF/",
        "/%FF",
        "/nowhere/",
        "/nowhere",
        "/probe/numbered/0/",
        "/probe/numbered/9223372036854775808/",
        "/probe/numbered/99999999999999999999999/",
        "/probe/numbered/-1/",
        "/probe/numbered/1e3/",
        "/probe/numbered/%D9%A3/",
    ],
)
def test_a_malformed_path_is_not_found(raw, path):
    assert_refused(raw("GET", path), 404, "not_found")


def test_the_largest_id_is_an_id(probe):
    assert probe.anonymous.get(f"/probe/numbered/{2**31 - 1}/").json == {"said": str(2**31 - 1)}
    probe.anonymous.get(f"/probe/numbered/{2**31}/", status=404, code="not_found")


@pytest.mark.parametrize("query", ["said=%FF", "said=a%00b", "%FF=1", "said=%ED%A0%80"])
def test_a_malformed_query_is_rejected(raw, query):
    assert_refused(raw("GET", f"/probe/echo/?{query}"), 400, "invalid")


def test_a_query_is_decoded_as_utf_8(probe):
    assert probe.anonymous.get("/probe/echo/?said=%C3%A9").json == {"said": "é"}


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE"])
def test_another_method_is_rejected_with_the_allowed_ones(raw, method):
    reply = raw(method, "/probe/echo/")
    assert_refused(reply, 405, "method_not_allowed")
    assert reply.headers["Allow"] == "GET, HEAD, OPTIONS, POST"


def test_options_returns_the_allowed_methods(raw):
    reply = raw("OPTIONS", "/probe/echo/")
    assert (reply.status_int, reply.body) == (204, b"")
    assert reply.headers["Allow"] == "GET, HEAD, OPTIONS, POST"
    assert_refused(raw("OPTIONS", "/nowhere/"), 404, "not_found")


@pytest.mark.parametrize(
    "value", ["\xe9", "Bearer \xe9.\xff.x", "Bearer", "Bearer a.b.c", "Basic e30="]
)
def test_a_malformed_token_is_rejected(app, value):
    headers = {"Authorization": value}
    assert app.anonymous.get("/candidates/me/", headers=headers, status=401)


def test_any_text_is_accepted_as_an_api_key_header(app):
    headers = {"X-Api-Key": "\xe9\xff"}
    app.anonymous.get("/candidates/me/", headers=headers, status=401, code="authentication_failed")


def test_head_returns_the_headers_of_get(raw):
    reply = raw("HEAD", "/probe/echo/?said=a")
    assert (reply.status_int, reply.body) == (200, b"")
    assert reply.headers["Content-Length"] == str(len(b'{"said":"a"}'))


def test_head_of_an_unknown_path_has_no_body(raw):
    reply = raw("HEAD", "/nowhere/")
    assert (reply.status_int, reply.body) == (404, b"")


def test_the_path_without_its_slash_is_served(raw):
    assert raw("POST", "/probe/echo", b'{"said": "a"}').json == {"said": "a"}


def test_an_unexpected_error_reveals_and_stores_nothing(probe, raw, caplog):
    reply = raw("POST", "/probe/crash/")
    assert_refused(reply, 500, "server_error")
    assert "internals" not in reply.text
    assert "internals" in caplog.text
    assert written(probe) == 0


def test_neither_the_reply_nor_the_log_shows_a_row(live_probe, caplog):
    # The view builds the parameter at run time, so the source lines in a traceback don't contain
    # it.
    reply = live_probe.anonymous.post("/probe/forbidden/", status=500, code="server_error")
    assert "a secret parameter" not in reply.text
    assert "a secret parameter" not in caplog.text
    assert 'null value in column "enabled"' in caplog.text


def test_an_error_rolls_back(probe):
    probe.anonymous.post("/probe/dropped/", status=400, code="dropped")
    assert written(probe) == 0


def test_an_error_that_keeps_changes_commits(probe):
    reply = probe.anonymous.post("/probe/kept/", status=400, code="kept")
    assert "X-Tm" not in reply.headers
    assert written(probe) == 1


def test_a_success_commits(probe):
    probe.anonymous.post("/probe/written/")
    assert written(probe) == 1


def test_a_serialization_failure_is_retried(probe):
    reply = probe.anonymous.post("/probe/contended/", {"whole": 2})
    assert reply.json == {"said": "3"}
    assert written(probe) == 1


def test_after_three_serialization_failures_the_request_fails(probe):
    probe.anonymous.post("/probe/contended/", {"whole": 3}, status=500, code="server_error")
    assert written(probe) == 0


def test_every_request_has_its_own_id(raw):
    ids = {raw("GET", "/probe/echo/").headers["X-Request-Id"] for _ in range(3)}
    assert len(ids) == 3
    assert raw("GET", "/probe/echo/", headers={"X-Request-Id": "mine"}).headers[
        "X-Request-Id"
    ] not in ("mine", *ids)


def test_the_log_of_an_unexpected_error_has_the_request_id(raw, caplog, monkeypatch):
    # All tests of a process share this handler, so `monkeypatch` restores its formatter afterwards.
    monkeypatch.setattr(caplog.handler, "formatter", StructuredFormatter("%(message)s"))
    reply = raw("POST", "/probe/crash/")
    records = [json.loads(line) for line in caplog.text.splitlines()]
    assert reply.headers["X-Request-Id"] in {record["request_id"] for record in records}


class TestCommitThatFails:
    """PostgreSQL may reject a transaction at the commit."""

    @pytest.fixture
    def contested(self, live_probe):
        with begin(live_probe.runtime) as work:
            for statement in (
                "create sequence tries",
                "create function lose() returns trigger language plpgsql as $$ begin"
                " if nextval('tries') < 3 then raise exception using errcode = '40001'; end if;"
                " return null; end $$",
                "create constraint trigger lose after insert on audit"
                " deferrable initially deferred for each row"
                " when (new.action = 'probe') execute function lose()",
            ):
                work.db.execute(text(statement))
        return live_probe

    def test_a_failed_commit_is_retried(self, contested):
        contested.anonymous.post("/probe/written/", status=200)
        assert written(contested) == 1

    def test_a_commit_that_keeps_failing_returns_an_error(self, contested):
        with begin(contested.runtime) as work:
            work.db.execute(text("alter sequence tries increment by -1 minvalue -9"))
        contested.anonymous.post("/probe/written/", status=500, code="server_error")
        assert written(contested) == 0


def test_a_plain_view_with_a_permission_is_denied_to_all(probe):
    """Paths of plain views have no prefix. Only views of a Service are below /v1."""
    assert probe.http.get("/plain/open/").text == "A plain view."
    reply = probe.http.get("/plain/guarded/", expect_errors=True)
    assert (reply.status_int, reply.json["code"]) == (403, "permission_denied")


@pytest.mark.parametrize("number", [1, 2, 4])
def test_a_long_list_is_encoded_item_by_item(probe, number):
    reply = probe.anonymous.get(f"/probe/long/{number}/", status=200)
    assert [item["said"][-1] for item in reply.json] == ["1", "2", "3"][: number - 1]
    assert reply.content_length == len(reply.body)


def test_an_error_in_the_middle_of_a_long_list_is_the_whole_reply(probe):
    probe.anonymous.get("/probe/long/14/", status=404, code="not_found")
