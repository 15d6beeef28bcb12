"""What holds for every operation of the document, whatever it does: a new one is covered the day it
is written. Rights are in test_role_matrix.py."""

from collections import defaultdict
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from webtest import TestApp

from competition.core.auth import api_keys
from competition.core.auth.access import KeyScope
from competition.core.plugins import build
from competition.core.storage import links
from competition.core.work import begin
from competition.plugins.scores.services import ending
from competition.testing.document import Document, operations
from competition.testing.exam_day import answers, make_exam, publish, season, sit, take
from competition.testing.identity_papers import submit
from tests.support.document import whole_document

NOBODY = "00000000-0000-4000-8000-000000000000"
TIGHT = {
    **{
        f"competition.ratelimit.{subject}": "1/hour"
        for subject in ("authenticated", "anonymous", "address")
    },
    "competition.sittings.submission_rate": "1/hour",
    "competition.invigilation.rate": "1/hour",
    "competition.sittings.clock_rate": "1/hour",
    "competition.drafts.rate": "1/hour",
    "competition.backups.report_rate": "1/hour",
}
# What answers without the database, so that no test can make it fail: see tests/exercised.py.
SELF_SUFFICIENT = ("/health/", "/ready/", "/files/{key}/", "/docs/")


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    description: dict

    def __str__(self):
        return f"{self.method} {self.path}"

    @property
    def access(self):
        return self.description["description"].rpartition("Access: ")[2]

    def documents(self, status):
        return str(status) in self.description["responses"]

    @property
    def content_types(self):
        return list(self.description.get("requestBody", {}).get("content", {}))

    @property
    def needs_body(self):
        return self.description["requestBody"]["required"]

    @property
    def query(self):
        return [each["name"] for each in self.description["parameters"] if each["in"] == "query"]


OPERATIONS = [Operation(*each) for each in operations(whole_document())]


def every(condition):
    return pytest.mark.parametrize("operation", list(filter(condition, OPERATIONS)), ids=str)


class World:
    """Something behind every id of a path."""

    def __init__(self, service):
        self.service = service
        self.boss = service.staff("superadmin")
        self.candidate = service.candidate()
        volunteer = service.staff("volunteer")
        exam_id = make_exam(service, self.boss, key="AB")
        [answer, _] = answers(service, exam_id, "AB")["answers"]
        self.values = {
            "exam_id": exam_id,
            "question_id": answer["question"],
            "candidate_id": self.candidate.id,
            "user_id": self.candidate.id,
            "staff_id": volunteer.id,
            "stage": "screening",
            "round": 1,
        }

    def send(self, operation, body=None, query="", **options):
        """By somebody who is let in."""
        unknown = {"key": "nothing.png", "type": "face_id", "session_id": NOBODY}
        unknown |= {"notification_id": 999999, "broadcast_id": 999999, "allowance_id": 999999}
        values = {**unknown, **self.values}
        caller = self.service.anonymous
        if operation.path == "/user/verification/upload/":
            caller = self.unverified(submitted=operation.method == "PATCH")
        elif operation.path == "/user/verification/action/{user_id}/":
            caller, values["user_id"] = self.boss, self.unverified(submitted=True).id
        elif "staff" in operation.access:
            caller = self.boss
        elif "candidate" in operation.access:
            caller = self.candidate
        if operation.path == "/exams/{exam_id}/draft/":
            take(caller, values["exam_id"])
        if "/regrades/" in operation.path:
            values |= self.with_a_regrade()
        if "/appeals/" in operation.path:
            values |= self.with_an_appeal()
        if "{plan_id}" in operation.path:
            is_shown = operation.path.endswith("/preview/")
            values["plan_id"] = self.with_a_plan(self.published() if is_shown else None)
        url = operation.path.format_map(defaultdict(lambda: 999999, values)) + query
        return caller.request(operation.method, url, body, status="any", **options)

    def with_a_regrade(self):
        exam_id, _ = season(self.service, self.boss, ["AB"], key="AB")
        self.service.clock.advance(minutes=6)
        with begin(self.service.runtime) as work:
            ending.seal_and_score(work)
        [answer, _] = answers(self.service, exam_id, "AB")["answers"]
        body = {"changes": [{"question": answer["question"], "void": True}], "reason": "-"}
        preview = self.boss.post(f"/exams/{exam_id}/regrades/", body)
        return {"exam_id": exam_id, "regrade_id": preview.json["id"]}

    def published(self):
        exam_id = make_exam(self.service, self.boss, key="AB")
        sit(self.service, self.candidate, exam_id, "AB")
        self.boss.post(f"/exams/{exam_id}/conclude/")
        publish(self.service, self.boss)
        return exam_id

    def with_an_appeal(self):
        exam_id = self.published()
        appeal = self.candidate.post(f"/exams/{exam_id}/appeals/", {"text": "Why?"})
        return {"exam_id": exam_id, "appeal_id": appeal.json["id"]}

    def with_a_plan(self, exam_id):
        exam_id = exam_id or make_exam(self.service, self.boss, key="AB", scheduled_date=None)
        plan = {"from_stage": "screening", "to_stage": "league", "rule": {"top": 1}}
        return self.boss.post("/advancement/", {**plan, "exams": [exam_id]}).json["id"]

    def unverified(self, *, submitted):
        person = self.service.candidate(verification="not_submitted")
        if submitted:
            submit(person)
        return person


@pytest.fixture
def world(app):
    return World(app)


def refusal(reply):
    return reply.status_int, reply.json["code"]


@every(lambda operation: operation.content_types)
def test_a_body_of_another_kind_is_refused(world, operation):
    reply = world.send(operation, b"<xml/>", content_type="text/xml")
    assert refusal(reply) == (415, "unsupported_media_type")


@every(lambda operation: "application/json" in operation.content_types)
def test_a_body_that_is_no_json_object_is_refused(world, operation):
    bodies = [b"{", b"[]", b'{"email": "\xff"}']
    if operation.needs_body:
        bodies.append(b"")
    for body in bodies:
        assert refusal(world.send(operation, body)) == (400, "invalid"), body


@every(lambda operation: "multipart/form-data" in operation.content_types)
def test_a_form_that_breaks_off_is_refused(world, operation):
    reply = world.send(
        operation, b"--b\r\nContent-Disp", content_type="multipart/form-data; boundary=b"
    )
    assert refusal(reply) == (400, "invalid")


@every(lambda operation: operation.query)
def test_a_query_that_is_no_text_is_refused(world, operation):
    assert refusal(world.send(operation, query="?page=%ff")) == (400, "invalid")


@every(lambda operation: "page" in operation.query and "exam_id" not in operation.query)
def test_a_page_that_is_not_there_is_not_found(world, operation):
    for page in ("0", "999", "first"):
        assert refusal(world.send(operation, query=f"?page={page}")) == (404, "not_found"), page


def test_too_many_requests_are_refused_everywhere(app_with):
    """By the windows of whoever asks, in any session."""
    service = app_with({"competition.ratelimit.enabled": "true", **TIGHT})
    for operation in OPERATIONS:
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
    """Ids that nothing has. Plugins of other packages have names of their own."""

    def __missing__(self, name):
        return 999999 if name.endswith("_id") else "nothing"


def blind_path(operation):
    names = ("candidate_id", "user_id", "staff_id", "session_id")
    values = dict.fromkeys(names, NOBODY) | {"stage": "screening", "type": "face_id", "round": 1}
    return operation.path.format_map(Blind(values))


@pytest.fixture
def service_on(base_settings):
    """The service on a database of another URL."""
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
    """What every operation answers that needs a database, checked against the document."""
    http, document = TestApp(config.make_wsgi_app()), Document.of(config.registry)
    with begin(config.registry.runtime) as work:
        link = urlsplit(links.signed(work, "pictures/nothing", 60))
    for operation in OPERATIONS:
        path = blind_path(operation)
        if operation.path == "/files/{key}/":
            path = f"{link.path.removeprefix('/v1')}?{link.query}"
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


def test_without_a_database_every_operation_says_so_and_when_to_come_back(service_on, tmp_path):
    config = service_on(f"postgresql+psycopg://nobody@/nowhere?host={tmp_path}")
    for operation, reply in answers_of_all(config):
        assert refusal(reply) == (503, "service_unavailable"), operation
        assert int(reply.headers["Retry-After"]) > 0
        assert "nobody" not in reply.text


def test_without_its_tables_every_operation_says_that_it_is_our_fault(service_on, databases):
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
    for operation in OPERATIONS:
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
