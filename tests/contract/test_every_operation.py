"""Rules for every operation of the OpenAPI document, so that new operations are covered too.

Access rights are tested in test_role_matrix.py.
"""

from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from webtest import TestApp

from competition.core.auth.access import KeyScope
from competition.core.limits.counters import parse_rates
from competition.core.plugins import build
from competition.core.storage import files
from competition.core.users import api_keys
from competition.core.web.counting import Ceiling
from competition.core.work import begin
from competition.testing.document import Document
from tests.support.every_operation import NOBODY, World, every_operation

# They repeat rules of core for every operation, which takes long.
pytestmark = pytest.mark.long

ONE = "1/hour"
TIGHT = {
    f"competition.ratelimit.{subject}": ONE for subject in ("authenticated", "anonymous", "address")
}
# Operations that work without the database, so that it can't make them fail. See
# tests/support/exercised.py.
SELF_SUFFICIENT = ("/health/", "/ready/", "/files/{key}/", "/docs/")


def refusal(reply):
    return reply.status_int, reply.json["code"]


# The requests are rejected before they change anything, so the operations share the world.


def test_a_body_of_another_media_type_is_rejected(app):
    world = World(app)
    for operation in (each for each in every_operation() if each.content_types):
        reply = world.send(operation, b"<xml/>", content_type="text/xml")
        assert refusal(reply) == (415, "unsupported_media_type"), operation


def test_an_incomplete_form_is_rejected(app):
    world, form = World(app), "multipart/form-data"
    for operation in (each for each in every_operation() if form in each.content_types):
        reply = world.send(operation, b"--b\r\nContent-Disp", content_type=f"{form}; boundary=b")
        assert refusal(reply) == (400, "invalid"), operation


def test_a_malformed_query_is_rejected(app):
    world = World(app)
    for operation in (each for each in every_operation() if each.query):
        reply = world.send(operation, query="?page=%ff")
        assert refusal(reply) == (400, "invalid"), operation


def test_a_page_beyond_the_last_is_not_found(app):
    world = World(app)
    for operation in every_operation():
        if "page" in operation.query and "exam_id" not in operation.query:
            for page in ("0", "999", "first"):
                reply = world.send(operation, query=f"?page={page}")
                assert refusal(reply) == (404, "not_found"), (str(operation), page)


def test_every_operation_is_rate_limited(app_with, monkeypatch):
    """The rate limits apply to the caller, not to the session that sends the requests."""
    service = app_with({"competition.ratelimit.enabled": "true", **TIGHT})
    ceilings = service.runtime.catalogue[Ceiling]
    for name, ceiling in ceilings.items():
        tight = replace(ceiling, rates=lambda settings: parse_rates(ONE))
        monkeypatch.setitem(ceilings, name, tight)
    for operation in every_operation():
        if not operation.documents(429):
            continue
        service.runtime.redis.flushall()
        person = one_who_is_let_in(service, operation)
        for _ in range(2):
            client = service.new_session(person) if person else service.anonymous
            body = {} if operation.content_types else None
            reply = client.request(operation.method, blind_path(operation), body, status="any")
        assert refusal(reply) == (429, "throttle_exceeded"), operation
        assert int(reply.headers["Retry-After"]) > 0


def one_who_is_let_in(service, operation):
    if "staff" in operation.access:
        return service.staff("superadmin")
    return service.candidate() if "candidate" in operation.access else None


class Blind(dict):
    """Ids of objects that don't exist, for parameters of any name."""

    def __missing__(self, name):
        return 999999 if name.endswith("_id") else "nothing"


def blind_path(operation):
    names = ("candidate_id", "user_id", "staff_id", "session_id")
    values = dict.fromkeys(names, NOBODY) | {"stage": "screening", "type": "face_id", "round": 1}
    return operation.path.format_map(Blind(values))


@pytest.fixture
def service_on(base_settings):
    """Build the service with another database URL."""
    built = []

    def build_on(url):
        settings = {"competition.database.url": url, "competition.metrics.token": "scraper"}
        config = build({**base_settings, **settings})
        built.append(config.registry.runtime)
        return config

    yield build_on
    for runtime in built:
        runtime.close()


def answers_of_all(config):
    """Send a request to every operation that needs a database, and check the replies."""
    http, document = TestApp(config.make_wsgi_app()), Document.of(config.registry)
    with begin(config.registry.runtime) as work:
        link = urlsplit(files.session_link(work, "pictures/nothing", None, seconds=60))
    for operation in every_operation():
        path = blind_path(operation)
        if operation.path == "/files/{key}/":
            path = f"{link.path.removeprefix('/v1')}?{link.query}"
        elif operation.path == "/images/{name}/":
            path = f"/images/{'0' * 32}.png/"
        elif operation.path.startswith(SELF_SUFFICIENT):
            continue
        reply = http.request(
            f"/v1{path}",
            method=operation.method,
            headers={"X-Api-Key": "any", "Authorization": "Bearer scraper"},
            body=b"{}" if operation.method != "GET" else None,
            content_type="application/json",
            expect_errors=True,
        )
        document.check(operation.method, path, reply)
        yield operation, reply


def test_without_a_database_every_operation_returns_503_with_retry_after(service_on, tmp_path):
    config = service_on(f"postgresql+psycopg://nobody@/nowhere?host={tmp_path}")
    for operation, reply in answers_of_all(config):
        assert refusal(reply) == (503, "service_unavailable"), operation
        assert int(reply.headers["Retry-After"]) > 0
        assert "nobody" not in reply.text


def test_without_tables_every_operation_returns_500(service_on, databases):
    url = databases.create()
    config = service_on(url)
    for operation, reply in answers_of_all(config):
        assert refusal(reply) == (500, "server_error"), operation
        assert "relation" not in reply.text
    config.registry.runtime.database.dispose()
    databases.drop(url)


def test_a_key_without_the_scope_opens_no_operation(app):
    with begin(app.runtime) as work:
        key = api_keys.create(work, "scraper", scopes=[KeyScope.METRICS])
    for operation in every_operation():
        if not operation.documents(403) or operation.path.startswith("/metrics"):
            continue
        path = blind_path(operation)
        reply = app.http.request(
            f"/v1{path}",
            method=operation.method,
            headers={"X-Api-Key": key},
            body=b"{}" if operation.method != "GET" else None,
            content_type="application/json",
            expect_errors=True,
        )
        assert refusal(reply) == (403, "permission_denied"), operation
        app.document.check(operation.method, path, reply)
