"""Bad input for every operation of the OpenAPI document, so that new operations are covered too.

Text in any script is stored unchanged. All other input here is rejected with a 4xx in the error
envelope, and changes no row and no file.

What core checks before a plugin's code runs (tokens, paths, queries, the syntax of a body) is tried
on operations of a few plugins. test_one_place.py shows that core checks it for all operations.

Each request is rolled back, so all requests of an operation start from the same state.
"""

import base64
import io
import json
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, Literal
from urllib.parse import quote

import pyotp
import pytest
import webtest
from sqlalchemy import event

from competition.core import flags
from competition.core.histories.history import ours
from competition.core.users.models import User
from competition.core.work import begin
from competition.plugins.accounts.services.codes import make_one_time_password
from competition.plugins.privacy.services import deletion
from competition.testing.exam_day import answers, make_exam, make_questions, publish, sit, take
from competition.testing.identity_papers import PDF, PNG, encrypted_pdf, photograph, submit
from competition.testing.service import PASSWORD, Person, Service
from tests.support.every_operation import JSON, OWNERS, Operation, operations_of

FORM = "multipart/form-data"
MEGABYTE = 1024 * 1024
# The largest error response, in bytes. It never repeats the input.
LARGEST_REFUSAL = 64 * 1024

KEPT_TEXTS = {
    "emoji": "Ada 👩‍🚀🏳️‍🌈",
    "right to left": "עדה أدا לאבלייס",
    "combining": "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢",
    "html": "<script>alert('1')</script>&amp;<b>",
    "sql": 'Robert\'); DROP TABLE "user"; -- %s %(x)s {0} \\',
}
# Values that the parser rejects, wherever they are. They are raw JSON, because a JSON library can't
# write some of them.
NEVER_JSON = {
    "lone surrogate": rb'"a\ud800b"',
    "NaN": b"NaN",
    "Infinity": b"-Infinity",
    "beyond all numbers": b"1e400",
    "deep list": b"[" * 100_000 + b"]" * 100_000,
    "deep object": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
}
NEVER = {
    "NUL": rb'"a\u0000b"',
    "1 MB": b'"' + b"a" * MEGABYTE + b'"',
    "100,000 items": b"[" + b",".join([b"0"] * 100_000) + b"]",
    "huge integer": b"1" + b"0" * 400,
    "beyond 64 bits": b"18446744073709551616",
    "far below 0": b"-18446744073709551616",
}
WRONG_TYPES = {
    "null": "null",
    "boolean": "boolean",
    "integer": "integer",
    "number": "number",
    "text": "string",
    "list": "array",
    "object": "object",
}
OF_TYPE = {
    "null": b"null",
    "boolean": b"true",
    "integer": b"7",
    "number": b"7.5",
    "text": b'"\xf0\x9f\x98\x80"',
    "list": b"[]",
    "object": b'{"a": 1}',
}
# Names of strings that must refer to an existing object, or match a stored value.
NAMING_TEXTS = {
    "receipt",
    "otp",
    "code",
    "challenge",
    "refresh",
    "candidate_id",
    "mediums",
    "rates",
}
# Operations that store nothing.
PREVIEWS = {
    "/questions/render/",
    "/exams/{exam_id}/allowances/preview/",
    "/schools/{school_id}/merge/preview/",
    "/seasons/preview/",
}
# Text fields in which the tests don't send all kinds of text. `occupation` belongs to the other
# kind of profile, and is ignored (decisions F16). `school` excludes another field of the valid
# request. `path` must be a path that exists. Only staff change `group` and `external_id`. `email`
# has to be that of an account, or its login. `guardian_name` is stored if the league requires a
# consent.
OF_OTHERS = {
    ("POST /auth/login/", "email"),
    ("POST /auth/login/second-factor/", "email"),
    ("PATCH /account-management/", "occupation"),
    ("PATCH /account-management/", "group"),
    ("PATCH /account-management/", "external_id"),
    ("PATCH /account-management/{user_id}/", "occupation"),
    ("POST /exams/{exam_id}/allowances/", "school"),
    ("POST /exams/{exam_id}/allowances/preview/", "school"),
    ("POST /downloads/links/", "path"),
    ("POST /school/candidates/", "guardian_name"),
}

# Values for a valid request, by the name of the field, or by operation and field. All other values
# are generated from the OpenAPI document.
OF_STAFF = {"year": 9, "group": "9b", "external_id": "n7a"}
VALUES: dict[str, Callable[["World"], Any]] = {
    "email": lambda world: "somebody.new@school.example",
    "guardian_email": lambda world: "guardian@home.example",
    "phone": lambda world: "+49 (123) 456-78",
    "password": lambda world: PASSWORD,
    "password2": lambda world: PASSWORD,
    "new_password": lambda world: "another horse battery",
    "confirm_password": lambda world: "another horse battery",
    "generate_password": lambda world: False,
    "otp": lambda world: world.code("password"),
    "POST /verify-email-otp/ otp": lambda world: world.code("email"),
    "POST /auth/login/second-factor/ challenge": lambda world: world.challenge,
    "POST /auth/login/second-factor/ code": lambda world: world.app_code(),
    "POST /auth/login/second-factor/ email": lambda world: world.secured.email,
    "DELETE /auth/second-factor/ code": lambda world: world.app_code(),
    "POST /auth/second-factor/recovery-codes/ code": lambda world: world.app_code(),
    "POST /auth/second-factor/confirm/ code": lambda world: world.app_code(),
    "POST /users/restore/ code": lambda world: world.code_of_who_left,
    "PUT /flags/{name}/ name": lambda world: "score_publication",
    "rates": lambda world: "standard",
    "POST /downloads/links/ path": lambda world: "/notifications/",
    "refresh": lambda world: world.unverified.refresh,
    "mediums": lambda world: ["platform"],
    "target_roles": lambda world: {"staff": ["superadmin"], "candidate": ["screening"]},
    "candidate_id": lambda world: str(world.candidate.id),
    "answers": lambda world: answers(world.app, world.exam_id, "A")["answers"],
    "questions": lambda world: world.question_ids,
    "POST /receipts/verify/ questions": lambda world: 40,
    "question_ids": lambda world: world.question_ids,
    "exam_ids": lambda world: [world.planned_id],
    "add_to_exams": lambda world: [world.planned_id],
    "remove_from_exams": lambda world: [],
    "is_approved": lambda world: False,
    "is_rejected": lambda world: True,
    **{
        f"POST {path} email": lambda world: world.unverified.email
        for path in (
            *("/auth/login/", "/verify-email-otp/", "/auth/password-change/"),
            "/auth/password-change/confirm-otp/",
        )
    },
    "PUT /staff/{staff_id}/roles/assign/ role": lambda world: "moderator",
    "POST /staff/invite/ role": lambda world: "moderator",
    "exam_id": lambda world: world.planned_id,
    "POST /exams/{exam_id}/conclude/ exam_id": lambda world: world.exam_id,
    "POST /exams/{exam_id}/submit-exam-answers/ exam_id": lambda world: world.exam_id,
    "PUT /exams/{exam_id}/submit-exam-score/ exam_id": lambda world: world.exam_id,
    "GET /exams/{exam_id}/take-exam/ exam_id": lambda world: world.exam_id,
    "question_id": lambda world: world.question_ids[0],
    "PUT /exams/{exam_id}/draft/ exam_id": lambda world: world.started_id,
    **{
        f"POST {path} {field}": lambda world: None
        for path in ("/exams/{exam_id}/allowances/", "/exams/{exam_id}/allowances/preview/")
        for field in ("candidate_id", "school", "lost")
    },
    "POST /exams/{exam_id}/attempts/{candidate_id}/reopen/ exam_id": lambda world: (
        world.submitted_id
    ),
    "POST /exams/{exam_id}/regrades/ exam_id": lambda world: world.published_id,
    "POST /exams/{exam_id}/regrades/ changes": lambda world: [
        {"question": world.asked_id, "accept": ["B"]}
    ],
    "POST /exams/{exam_id}/appeals/ exam_id": lambda world: world.published_id,
    "POST /exams/{exam_id}/appeals/ question": lambda world: world.asked_id,
    "appeal_id": lambda world: world.appeal_id,
    "image_id": lambda world: world.image_id,
    "GET /exams/{exam_id}/clarifications/ exam_id": lambda world: world.started_id,
    "POST /exams/{exam_id}/clarifications/ exam_id": lambda world: world.asking_id,
    "POST /exams/{exam_id}/clarifications/ question": lambda world: None,
    "GET /exams/{exam_id}/announcements/ exam_id": lambda world: world.started_id,
    "clarification_id": lambda world: world.clarification_id,
    "dismiss": lambda world: False,
    "POST /appeals/{appeal_id}/answer/ regrade": lambda world: None,
    "plan_id": lambda world: world.plan_id,
    "rule": lambda world: {"top": 1},
    "exams": lambda world: [world.planned_id],
    "publish_at": lambda world: "2100-01-01T00:00:00Z",
    "import_id": lambda world: world.import_id,
    "season_id": lambda world: world.season_id,
    # A candidate whose identity is approved can't lower the year.
    "POST /seasons/join/ year": lambda world: OF_STAFF["year"],
    "school_id": lambda world: world.school_id,
    "alias_id": lambda world: world.alias_id,
    "DELETE /schools/{school_id}/teachers/{user_id}/ user_id": lambda world: world.teacher.id,
    **{
        f"{operation} user_id": lambda world: world.pupil_id
        for operation in (
            "PATCH /school/candidates/{user_id}/",
            "DELETE /school/candidates/{user_id}/",
            "POST /school/candidates/{user_id}/confirm/",
        )
    },
    **{
        f"POST {path} candidates": lambda world: [world.pupil_id]
        for path in ("/school/slips/", "/candidates/slips/")
    },
    "is_ours": lambda world: True,
    "user_id": lambda world: world.pending.id,
    "staff_id": lambda world: world.colleague.id,
    "PATCH /account-management/{user_id}/ user_id": lambda world: world.candidate.id,
    # Candidates may only send these back unchanged.
    **{
        f"PATCH /account-management/ {name}": lambda world, name=name: OF_STAFF[name]
        for name in OF_STAFF
    },
}
# The callers of these operations. All others are called by a superadmin if staff may use them,
# otherwise by a candidate.
CALLERS: dict[str, Callable[["World"], Person]] = {
    "POST /user/verification/upload/": lambda world: world.newcomer,
    "PATCH /user/verification/upload/": lambda world: world.pending,
    "PATCH /account-management/": lambda world: world.candidate,
    "DELETE /auth/second-factor/": lambda world: world.secured,
    "POST /auth/second-factor/recovery-codes/": lambda world: world.secured,
    "DELETE /users/me/": lambda world: world.newcomer,
    "POST /auth/second-factor/confirm/": lambda world: world.colleague,
    "POST /publish-scores/": lambda world: world.publisher,
    "POST /seasons/undo/": lambda world: world.opener,
    **{
        operation: lambda world: world.teacher
        for operation in (
            "GET /school/",
            "GET /school/candidates/",
            "POST /school/candidates/",
            "PATCH /school/candidates/{user_id}/",
            "DELETE /school/candidates/{user_id}/",
            "POST /school/candidates/{user_id}/confirm/",
            "POST /school/slips/",
            "GET /school/exams/",
        )
    },
}
FILES: dict[str, tuple[str, bytes]] = {
    "face_id": ("face.png", PNG),
    "id_card": ("card.pdf", PDF),
    "verification_document": ("letter.png", PNG),
    "profile_picture": ("me.png", PNG),
    "file": ("figure.png", PNG),
}


@dataclass
class World:
    """Objects of every kind, for requests to refer to."""

    app: Service

    @cached_property
    def superadmin(self) -> Person:
        return self.app.staff("superadmin")

    @cached_property
    def publisher(self) -> Person:
        with begin(self.app.runtime) as work:
            flags.switch(work, "score_publication", True)
        return self.superadmin

    @cached_property
    def opener(self) -> Person:
        self.superadmin.post("/seasons/", {"name": "The next year"}, status=201)
        return self.superadmin

    @cached_property
    def season_id(self) -> int:
        [season] = self.superadmin.get("/seasons/").json["results"]
        found: int = season["id"]
        return found

    @cached_property
    def colleague(self) -> Person:
        return self.app.staff("volunteer")

    @cached_property
    def candidate(self) -> Person:
        return self.app.candidate(**OF_STAFF)

    @cached_property
    def newcomer(self) -> Person:
        return self.app.candidate(verification="not_submitted")

    @cached_property
    def pending(self) -> Person:
        person = self.app.candidate(verification="not_submitted")
        submit(person, status=201)
        return person

    @cached_property
    def unverified(self) -> Person:
        return self.app.candidate(is_email_verified=False)

    @cached_property
    def exam_id(self) -> int:
        return make_exam(self.app, self.superadmin, "ABC")

    @cached_property
    def planned_id(self) -> int:
        return make_exam(self.app, self.superadmin, "", scheduled_date=None)

    @cached_property
    def question_ids(self) -> list[int]:
        return make_questions(self.app, "AB")

    @cached_property
    def started_id(self) -> int:
        take(self.candidate, self.exam_id, status=200)
        return self.exam_id

    @cached_property
    def submitted_id(self) -> int:
        """An exam that the candidate has submitted, and whose score is not there yet."""
        exam_id = make_exam(self.app, self.superadmin, "ABC")
        sit(self.app, self.candidate, exam_id, "ABC")
        return exam_id

    @cached_property
    def published_id(self) -> int:
        exam_id = make_exam(self.app, self.superadmin, "ABC")
        sit(self.app, self.candidate, exam_id, "ABC")
        self.superadmin.post(f"/exams/{exam_id}/conclude/", status=200)
        publish(self.app, self.superadmin)
        return exam_id

    @cached_property
    def asked_id(self) -> int:
        """A question of the published exam."""
        shown = self.superadmin.get(f"/exams/{self.published_id}/analysis/", status=200).json
        question_id: int = shown["questions"][0]["question"]
        return question_id

    @cached_property
    def image_id(self) -> int:
        form = {"file": ("figure.png", PNG), "alt": "A circle"}
        reply = self.superadmin.upload("POST", "/questions/images/", form, status=201)
        made: int = reply.json["id"]
        return made

    @cached_property
    def appeal_id(self) -> int:
        path = f"/exams/{self.published_id}/appeals/"
        made: int = self.candidate.post(path, {"text": "All of it."}, status=201).json["id"]
        return made

    @property
    def asking_id(self) -> int:
        """An exam that the candidate is taking. The candidate has no open question in it."""
        for waiting in self.superadmin.get("/clarifications/").json["results"]:
            path = f"/clarifications/{waiting['id']}/answer/"
            self.superadmin.post(path, {"dismiss": True}, status=200)
        return self.started_id

    @cached_property
    def clarification_id(self) -> int:
        path = f"/exams/{self.started_id}/clarifications/"
        made: int = self.candidate.post(path, {"text": "Why?"}, status=201).json["id"]
        return made

    @cached_property
    def import_id(self) -> int:
        rows = b"first_name,last_name,school\nEmmy,Noether,Hillside School\n"
        form = {"file": ("people.csv", rows)}
        made: int = self.superadmin.upload("POST", "/imports/candidates/", form).json["id"]
        self.app.run_jobs()
        return made

    @cached_property
    def school_id(self) -> int:
        made: int = self.superadmin.post("/schools/", {"name": "West School"}).json["id"]
        return made

    @cached_property
    def alias_id(self) -> int:
        body = {"names": ["Western School"], "reason": "The same."}
        reply = self.superadmin.post(f"/schools/{self.school_id}/merge/", body, status=200)
        made: int = reply.json["aliases"][0]["id"]
        return made

    @cached_property
    def teacher(self) -> Person:
        person = self.app.staff("volunteer")
        body = {"email": person.email, "first_name": "Ada", "last_name": "Lovelace"}
        self.superadmin.post(f"/schools/{self.school_id}/teachers/", body, status=201)
        return person

    @cached_property
    def pupil_id(self) -> str:
        """A pupil of the teacher, without an email address."""
        body = {"first_name": "Emmy", "last_name": "Noether"}
        made: str = self.teacher.post("/school/candidates/", body, status=201).json["user_id"]
        return made

    @cached_property
    def plan_id(self) -> int:
        plan = {"from_stage": "screening", "to_stage": "league", "rule": {"top": 1}}
        body = {**plan, "exams": [self.planned_id]}
        made: int = self.superadmin.post("/advancement/", body, status=201).json["id"]
        return made

    def code(self, purpose: Literal["email", "password"]) -> str:
        """A valid one-time password of `unverified`."""
        with begin(self.app.runtime) as work:
            user = work.db.get_one(User, self.unverified.id)
            return make_one_time_password(work, user, purpose)

    @cached_property
    def secret(self) -> str:
        """The secret of the colleague's authenticator app, which is not confirmed yet."""
        secret: str = self.colleague.post("/auth/second-factor/").json["secret"]
        return secret

    def app_code(self, seconds: int = 0) -> str:
        """The code that the colleague's app shows in `seconds` from now."""
        return pyotp.TOTP(self.secret).at(self.app.clock.now.timestamp() + seconds)

    @cached_property
    def secured(self) -> Person:
        """The colleague with a second factor."""
        code = {"code": self.app_code(-30)}
        self.colleague.post("/auth/second-factor/confirm/", code, status=200)
        return self.colleague

    @cached_property
    def code_of_who_left(self) -> str:
        person = self.app.candidate()
        person.request("DELETE", "/users/me/", {"password": PASSWORD})
        with begin(self.app.runtime) as work:
            found = deletion.new_code(work, person.id)
        assert found is not None and found[1] is not None
        return found[1]

    @cached_property
    def challenge(self) -> str:
        reply = self.app.log_in(self.secured.email, status=401)
        challenge: str = reply.json["challenge"]
        return challenge

    def caller(self, operation: Operation) -> Any:
        if not operation.needs_user:
            return self.app.anonymous
        if str(operation) in CALLERS:
            return CALLERS[str(operation)](self).client
        is_for_staff = "staff" in operation.description["description"].rpartition("Access: ")[2]
        return (self.superadmin if is_for_staff else self.candidate).client

    def value(self, operation: Operation, name: str, schema: dict[str, Any]) -> Any:
        make = VALUES.get(f"{operation} {name}", VALUES.get(name))
        return sample(schema) if make is None else make(self)

    def path(self, operation: Operation, **changes: str) -> str:
        values = {
            each["name"]: str(self.value(operation, each["name"], each["schema"]))
            for each in operation.parameters("path")
        }
        return operation.path.format(**{**values, **changes})

    def body(self, operation: Operation) -> dict[str, Any]:
        """The arguments of a valid request."""
        if operation.body(JSON):
            return {"body": self.json(operation)}
        if operation.body(FORM):
            return {"body": form_body(self.form(operation)), "content_type": BOUNDED}
        return {}

    def json(self, operation: Operation) -> dict[str, Any]:
        """A valid body with all fields."""
        schema = operation.body(JSON)
        assert schema is not None
        return self._object(operation, schema)

    def form(self, operation: Operation) -> dict[str, Any]:
        schema = operation.body(FORM)
        assert schema is not None
        return {
            name: FILES[name]
            if each.get("format") == "binary"
            else str(self.value(operation, name, each))
            for name, each in schema["properties"].items()
        }

    def _object(self, operation: Operation, schema: dict[str, Any]) -> dict[str, Any]:
        return {
            name: self._object(operation, each)
            if each.get("type") == "object" and not {name, f"{operation} {name}"} & VALUES.keys()
            else self.value(operation, name, each)
            for name, each in schema["properties"].items()
        }


def types(schema: dict[str, Any]) -> set[str]:
    if "anyOf" in schema:
        return {kind for each in schema["anyOf"] for kind in types(each)}
    if "type" not in schema:
        return {"string", "null"}
    return {schema["type"]} if isinstance(schema["type"], str) else set(schema["type"])


def sample(schema: dict[str, Any]) -> Any:
    """A simple value that matches a JSON Schema."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = next(iter(sorted(types(schema) - {"null"})), "null")
    if kind == "array":
        return [sample(schema["items"])] * max(1, schema.get("minItems", 0))
    if kind == "object":
        return {name: sample(each) for name, each in schema["properties"].items()}
    if kind == "string":
        by_format = {"date-time": "2026-03-01T10:00:00Z", "date": "2026-03-01", "uuid": "0" * 32}
        return by_format.get(schema.get("format", ""), "Hillside")
    return {"boolean": True, "integer": schema.get("minimum", 1), "number": 50.5, "null": None}[
        kind
    ]


Pointer = tuple[str | int, ...]


def fields(schema: dict[str, Any], pointer: Pointer = ()) -> Iterator[tuple[Pointer, Any]]:
    """Every field with its schema, including fields in objects and lists."""
    for name, each in schema.get("properties", {}).items():
        yield (*pointer, name), each
        yield from fields(each, (*pointer, name))
    if "items" in schema:
        yield (*pointer, 0), schema["items"]
        yield from fields(schema["items"], (*pointer, 0))


HERE = "@here@"


def put(body: Any, pointers: Iterable[Pointer], raw: bytes) -> bytes | None:
    """The body with these values replaced, or None if the body does not have one of the fields."""
    changed = json.loads(json.dumps(body))
    for pointer in pointers:
        parent = changed
        for step in pointer[:-1]:
            parent = parent[step]
        if isinstance(parent, list) and not parent:
            return None
        parent[pointer[-1]] = HERE
    return json.dumps(changed).encode().replace(f'"{HERE}"'.encode(), raw)


def leave_out(body: Any, pointer: Pointer) -> bytes:
    changed = json.loads(json.dumps(body))
    parent = changed
    for step in pointer[:-1]:
        parent = parent[step]
    del parent[pointer[-1]]
    return json.dumps(changed).encode()


def takes_any_text(operation: Operation, pointer: Pointer, schema: dict[str, Any]) -> bool:
    """Whether the field accepts any text: its schema has no enumeration, format or pattern."""
    return (
        "string" in types(schema)
        and not {"enum", "format", "pattern"} & schema.keys()
        and not NAMING_TEXTS & set(pointer)
        and (str(operation), pointer[-1]) not in OF_OTHERS
        and operation.path not in PREVIEWS
    )


def may_be_taken(name: str, schema: dict[str, Any]) -> bool:
    """Whether the operation may accept the value with this name in OF_TYPE."""
    accepted = types(schema)
    if accepted == {"null"}:
        # In JSON, a file field ignores any text (decisions F16).
        return name in ("null", "text")
    if "number" in accepted and name == "integer":
        return True
    if name == "object":
        return "object" in accepted and "a" not in schema.get("properties", {})
    if name == "text":
        return "string" in accepted and "enum" not in schema
    if name == "list":
        return "array" in accepted and not schema.get("minItems")
    return WRONG_TYPES[name] in accepted


class Asker:
    """Sends requests to one operation, rolls each request back, and checks the replies."""

    def __init__(self, world: World, operation: Operation) -> None:
        self.world = world
        self.operation = operation
        self.client = world.caller(operation)
        self.connection = world.app.runtime.database.changing
        self.executed: list[str] = []
        event.listen(self.connection, "before_cursor_execute", self._count)
        self.path = world.path(operation)
        self.body = world.body(operation)
        self.before = self._state()
        # The number of statements that a valid request takes.
        self.statements = 0

    def close(self) -> None:
        event.remove(self.connection, "before_cursor_execute", self._count)

    @cached_property
    def form(self) -> dict[str, Any]:
        """The fields of a valid form."""
        return self.world.form(self.operation)

    def _count(self, connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        self.executed.append(statement)

    def _state(self) -> dict[str, str]:
        """A checksum of every table."""
        rows = self.connection.exec_driver_sql(STATE).all()
        return {name: checksum for name, checksum in rows}

    def _files(self) -> str:
        return " ".join(sorted(map(str, self.world.app.file_folder.rglob("*.*"))))

    def ask(self, body: Any = None, path: str | None = None, **options: Any) -> Any:
        """Send a request; return the reply and the resulting state."""
        operation = self.operation
        path = self.path if path is None else path
        # Files are not rolled back.
        self.before["files"] = self._files()
        savepoint = self.connection.begin_nested()
        try:
            self.executed.clear()
            reply = self.client.request(operation.method, path, body, status="any", **options)
            self.statements_now = len(self.executed)
            only_read = all(each.startswith(READ) for each in self.executed)
            state = self.before if only_read else self._state()
            return reply, {**state, "files": self._files()}
        finally:
            savepoint.rollback()

    def accepted(self, body: Any = None, **options: Any) -> webtest.TestResponse:
        """Send a valid request and check that it is accepted. Bad input of the same operation is
        then rejected because of the change that makes it bad."""
        reply, _ = self.ask(body, **options)
        assert reply.status_int < 300, (
            f"say in VALUES or CALLERS what a valid request is: {reply.text}"
        )
        self.statements = self.statements_now
        return reply

    def refused(self, what: Any, body: Any = None, **options: Any) -> webtest.TestResponse:
        reply, state = self.ask(body, **options)
        self.judge_refusal(what, reply, state)
        return reply

    def judge_refusal(self, what: Any, reply: Any, state: dict[str, str]) -> None:
        assert 400 <= reply.status_int < 500, (what, reply.status, reply.text[:500])
        assert {"detail", "code"} <= set(reply.json) <= {"detail", "code", "errors", "rules"}, what
        assert ("errors" in reply.json) == ("rules" in reply.json), what
        assert len(reply.body) <= LARGEST_REFUSAL, (what, len(reply.body))
        changed = {name for name in state if state[name] != self.before[name]}
        assert changed <= KEPT_BY_REFUSALS.get(reply.json["code"], set()), (what, changed)
        # The number of statements must not grow with the input.
        assert self.statements_now <= max(self.statements, MOST_STATEMENTS), what


# Wrong codes are counted, so this error keeps changes.
KEPT_BY_REFUSALS = {"invalid_otp": {"one_time_password", "login_challenge", "audit"}}
MOST_STATEMENTS = 20
# Only the built-in tables, because another test may have imported a plugin whose tables don't exist
# here.
TABLES = sorted(ours().tables)
# `set local` makes the savepoint of a GET read-only (`competition.testing.applications`).
READ = ("SELECT", "select", "SAVEPOINT", "RELEASE", "ROLLBACK", "set local")
STATE = " union all ".join(
    f"""select '{table}', coalesce(md5(string_agg(t::text, '|' order by t::text)), '')"""
    f""" from "{table}" t"""
    for table in TABLES
)
ROWS = " union all ".join(f'select to_jsonb(t)::text from "{table}" t' for table in TABLES)


@contextmanager
def asking(app: Service, operation: Operation) -> Iterator[Asker]:
    """Context manager: an Asker for an operation, with a world that is rolled back."""
    savepoint = app.runtime.database.changing.begin_nested()
    asker = Asker(World(app), operation)
    try:
        yield asker
    finally:
        asker.close()
        savepoint.rollback()


@pytest.fixture
def try_each(app, subtests):
    """Function that calls a check with an Asker for each of these operations."""

    def try_each(operations, *checks):
        for operation in operations:
            with subtests.test(str(operation)), asking(app, operation) as asker:
                for check in checks:
                    check(asker, operation)

    return try_each


every_owner = pytest.mark.parametrize("owner", OWNERS)


def tried(owner: str) -> Iterator[Operation]:
    return (each for each in operations_of(owner) if not each.path.startswith("/docs/"))


@pytest.mark.long
@every_owner
def test_bad_json_is_rejected_and_any_text_is_kept(try_each, owner):
    try_each(
        filter(Operation.body, tried(owner)),
        check_a_valid_body_is_accepted,
        check_other_types_are_refused,
        check_values_beyond_their_bounds_are_refused,
        check_required_fields_can_not_be_left_out,
        check_any_text_is_kept,
    )


@pytest.mark.long
@every_owner
def test_bad_forms_are_rejected_and_any_text_is_kept(try_each, owner):
    try_each(
        # A file of rows is a text of almost any content. tests/plugins/imports has bad ones.
        (each for each in tried(owner) if each.body(FORM) and "/imports/" not in each.path),
        check_a_valid_form_is_accepted,
        check_broken_forms_are_refused,
        check_other_files_are_refused,
        check_texts_of_a_form_are_validated_as_in_json,
    )


# They have operations with and without a user, with ids of both kinds in the path, with JSON, with
# forms, and with lists.
@pytest.mark.long
@pytest.mark.parametrize("owner", ["accounts", "exams", "verification"])
def test_what_core_rejects_for_an_operation_of_a_plugin(try_each, owner):
    """Each check is tried on the plugin's first operation that it applies to."""
    for applies, check in (
        (lambda each: each.needs_user, check_malformed_tokens_are_refused),
        (lambda each: each.parameters("path"), check_malformed_paths_are_refused),
        (lambda each: each.parameters("query"), check_malformed_queries_are_refused),
        (Operation.body, check_malformed_json_is_refused),
        (Operation.body, check_duplicate_keys_are_refused),
    ):
        try_each(list(filter(applies, tried(owner)))[:1], check)


def check_a_valid_body_is_accepted(asker, operation):
    asker.accepted(asker.body["body"])


def check_a_valid_form_is_accepted(asker, operation):
    asker.accepted(form_body(asker.form), content_type=BOUNDED)


def check_other_types_are_refused(asker, operation):
    found = list(fields(operation.body(JSON)))
    for name, raw in {**NEVER, **OF_TYPE}.items():
        rejecting = [pointer for pointer, schema in found if rejects(name, schema)]
        # A field and the fields inside it can't have such a value at the same time.
        for _, level in groupby(sorted(rejecting, key=len), key=len):
            check_each_is_refused(asker, name, list(level), raw)


def rejects(name: str, schema: dict[str, Any]) -> bool:
    """Whether a field has to reject the value with this name in NEVER or OF_TYPE."""
    if name in OF_TYPE:
        return not may_be_taken(name, schema)
    # A field of this type is a file, so it ignores any text in JSON.
    return types(schema) != {"null"} or name not in ("NUL", "1 MB")


def check_each_is_refused(asker: Asker, name: str, pointers: list[Pointer], raw: bytes) -> None:
    """Check that each of these fields rejects the value.

    The first request has the value in all these fields. A further request tests each field that
    the reply does not name.
    """
    body = asker.body["body"]
    pointers = [pointer for pointer in pointers if put(body, [pointer], raw) is not None]
    # The parser rejects a larger body before it looks at the fields.
    together = put(body, pointers, raw) if len(raw) * len(pointers) < MEGABYTE else None
    named = set()
    if together is not None and len(pointers) > 1:
        named = set(asker.refused((pointers, name), together).json.get("errors", ()))
    for pointer in pointers:
        if ".".join(map(str, pointer)) not in named:
            asker.refused((pointer, name), put(body, [pointer], raw))


def check_values_beyond_their_bounds_are_refused(asker, operation):
    body = asker.body["body"]
    for pointer, schema in fields(operation.body(JSON)):
        for name, value in beyond(schema).items():
            asker.refused((pointer, name), put(body, [pointer], json.dumps(value).encode()))


def beyond(schema: dict[str, Any]) -> dict[str, Any]:
    """Values just outside the limits in the document."""
    found: dict[str, Any] = {}
    if "minimum" in schema:
        found["too small"] = schema["minimum"] - 1
    if "maximum" in schema:
        found["too large"] = schema["maximum"] + 1
    if "maxLength" in schema:
        found["too long"] = "é" * (schema["maxLength"] + 1)
    if schema.get("minLength"):
        found["empty"] = ""
        found["blank"] = " \u2003\u00a0 "
        found["too short"] = "1" * (schema["minLength"] - 1)
    if schema.get("minItems"):
        found["no items"] = []
    if "maxItems" in schema:
        found["too many items"] = [sample(schema["items"])] * (schema["maxItems"] + 1)
    if "enum" in schema:
        found["none of them"] = "whatever"
    if {"format", "pattern"} & schema.keys() and schema.get("format") != "password":
        found["not of its form"] = "whatever"
    return found


def check_required_fields_can_not_be_left_out(asker, operation):
    body = asker.body["body"]
    for pointer, name in required(operation.body(JSON)):
        asker.refused((*pointer, name), leave_out(body, (*pointer, name)))


def required(schema: dict[str, Any], pointer: Pointer = ()) -> Iterator[tuple[Pointer, str]]:
    for name in schema.get("required", []):
        yield pointer, name
    for below, each in fields(schema):
        for name in each.get("required", []):
            yield (*pointer, *below), name


def check_any_text_is_kept(asker, operation):
    whole = asker.body["body"]
    needed = set(operation.body(JSON).get("required", []))
    for pointer, schema in fields(operation.body(JSON)):
        # A field may exist both inside an object and beside it. Leave out the other optional
        # fields, so that the service reads this field.
        body = {
            k: v for k, v in whole.items() if k in needed or len(pointer) == 1 or k == pointer[0]
        }
        if takes_any_text(operation, pointer, schema):
            for said in kept_texts(schema):
                sent = put(body, [pointer], json.dumps(said).encode())
                assert said in everything_after(asker, sent), (pointer, said)
        elif may_be_taken("text", schema):
            for name, said in KEPT_TEXTS.items():
                reply, state = asker.ask(put(body, [pointer], json.dumps(said).encode()))
                if reply.status_int >= 400:
                    asker.judge_refusal((pointer, name), reply, state)


def kept_texts(schema: dict[str, Any]) -> list[str]:
    """The texts of KEPT_TEXTS, joined into one if the field accepts it, because each request takes
    long."""
    joined = " ".join(KEPT_TEXTS.values())
    return (
        [joined] if len(joined) <= schema.get("maxLength", len(joined)) else [*KEPT_TEXTS.values()]
    )


def everything_after(asker: Asker, sent: bytes, **options: Any) -> str:
    """All text in the database and in the reply after an accepted request."""
    savepoint = asker.connection.begin_nested()
    reply = asker.client.request(asker.operation.method, asker.path, sent, **options)
    rows = asker.connection.exec_driver_sql(ROWS).scalars().all()
    savepoint.rollback()
    return "\n".join(unquoted(each) for each in (reply.text, *rows))


def unquoted(document: str) -> str:
    """All strings of a JSON document."""
    found: list[str] = []

    def collect(value: Any) -> None:
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, dict):
            for each in value.values():
                collect(each)
        elif isinstance(value, list):
            for each in value:
                collect(each)

    collect(json.loads(document or "null"))
    return "\n".join(found)


def check_duplicate_keys_are_refused(asker, operation):
    body = asker.body["body"]
    asker.accepted(body)
    for pointer, _ in fields(operation.body(JSON)):
        name = pointer[-1]
        if isinstance(name, str):
            twice = put(body, [pointer], b"null, " + json.dumps(name).encode() + b": null")
            asker.refused(pointer, twice)


def check_malformed_json_is_refused(asker, operation):
    whole = json.dumps(asker.body["body"]).encode()
    asker.accepted(whole)
    if operation.description["requestBody"]["required"]:
        asker.refused(b"", b"")
    for body in (
        b" ",
        b"null",
        b"true",
        b"7",
        b'"text"',
        b"[]",
        b"[" + whole + b"]",
        whole[:-1],
        whole[: len(whole) // 2],
        whole + b"}",
        whole + whole,
        b"\xef\xbb\xbf" + whole,
        whole.decode().encode("utf-16"),
        whole[:-1] + b', "more": "\xff"}',
        whole[:-1] + b', "more": "\xed\xa0\x80"}',
        whole[:-1] + b", 'more': 1}",
        whole[:-1] + b",}",
        *(whole[:-1] + b', "more": ' + value + b"}" for value in NEVER_JSON.values()),
        b"PK\x03\x04" + whole,
    ):
        reply = asker.refused(body[:100], body)
        assert (reply.status_int, reply.json["code"]) == (400, "invalid"), body[:100]
    asker.refused("2 MB", whole[:-1] + b', "more": "' + b"a" * (2 * MEGABYTE) + b'"}')
    for content_type in (
        "",
        "text/plain",
        "text/html; charset=utf-8",
        "application/x-www-form-urlencoded",
        "application/jsonp",
        "application/xml",
        "multipart/form-data",
        "*/*",
        "application/json\xff",
        "x" * 10_000,
    ):
        asker.refused(content_type[:100], whole, content_type=content_type)


BOUNDED = f"{FORM}; boundary=boundary"
END = b"--boundary--\r\n"


def part(name: str, content: bytes, filename: str | None = None, more: bytes = b"") -> bytes:
    suffix = f'; filename="{filename}"' if filename is not None else ""
    head = f'--boundary\r\nContent-Disposition: form-data; name="{name}"{suffix}\r\n'
    return head.encode() + more + b"\r\n" + content + b"\r\n"


def parts(form: dict[str, Any]) -> list[bytes]:
    return [
        part(name, value[1], value[0]) if isinstance(value, tuple) else part(name, value.encode())
        for name, value in form.items()
    ]


def form_body(form: dict[str, Any]) -> bytes:
    return b"".join(parts(form)) + END


def zipped(content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", content)
        archive.writestr("word/document.xml", content)
    return buffer.getvalue()


def declaring(width: int, height: int) -> bytes:
    """A picture whose header declares this size, whatever its real size is."""
    return png_chunk_changed(16, width.to_bytes(4) + height.to_bytes(4))


def png_chunk_changed(offset: int, value: bytes) -> bytes:
    changed = bytearray(PNG)
    changed[offset : offset + len(value)] = value
    changed[29:33] = zlib.crc32(changed[12:29]).to_bytes(4)
    return bytes(changed)


def with_chunk(kind: bytes, content: bytes) -> bytes:
    """A picture with an additional chunk after its header."""
    chunk = kind + content
    framed = len(content).to_bytes(4) + chunk + zlib.crc32(chunk).to_bytes(4)
    return PNG[:33] + framed + PNG[33:]


ZIP = zipped(b"0" * MEGABYTE)
HTML = b"<!doctype html><script>alert(document.domain)</script>"
BAD_FILES = {
    "empty": b"",
    "declares 10 billion pixels": declaring(100_000, 100_000),
    "declares no pixels": declaring(0, 0),
    "text that inflates to 20 MB": with_chunk(
        b"zTXt", b"a\0\0" + zlib.compress(b"0" * 20 * MEGABYTE)
    ),
    "a profile that inflates to 20 MB": with_chunk(
        b"iCCP", b"a\0\0" + zlib.compress(b"0" * 20 * MEGABYTE)
    ),
    "zip": ZIP,
    "picture and zip": photograph("PNG") + ZIP,
    "photograph and zip": photograph("JPEG") + ZIP,
    "PDF and zip": PDF + ZIP,
    "zip and PDF": ZIP + PDF,
    "PDF and zip that more bytes hide": PDF + ZIP + b"\n%%EOF\n" + b"0" * 100_000,
    "gif and script": b"GIF89a/*\1\0\0\0*/=1;alert(1)//;",
    "HTML": HTML,
    "PDF with a password": encrypted_pdf(password="secret"),
    "PDF without objects": b"%PDF-1.4\n" + HTML + b"\n%%EOF\n",
    "PDF without an end": b"%PDF-1.4\n" + HTML,
    "HTML and picture": HTML + PNG,
    "SVG": b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    "program": b"MZ\x90\0" + b"\0" * 60,
    "script": b"#!/bin/sh\n" + PNG,
    "BMP with a picture in it": b"BM" + PNG,
    "half a picture": photograph("PNG")[:5_000],
    "WebP that lies about its size": b"RIFF\xff\xff\xff\xffWEBPVP8 " + b"\0" * 30,
    "TIFF": b"II*\0\x08\0\0\0" + b"\xff" * 100,
    "PostScript": b"%!PS-Adobe-3.0 EPSF-3.0\n" + b"%%BoundingBox: 0 0 99999 99999\n",
}


def check_other_files_are_refused(asker, operation):
    form = asker.form
    for name in (name for name, value in form.items() if isinstance(value, tuple)):
        for what, content in BAD_FILES.items():
            for filename in ("file", "file.png", "file.pdf"):
                body = form_body({**form, name: (filename, content)})
                asker.refused((name, what, filename), body, content_type=BOUNDED)
        for filename in ("a.html", "a.png.svg", "a.zip", "a.docx", "a.php", "a.PHP", "a.png\0.php"):
            body = form_body({**form, name: (filename, PNG)})
            asker.refused((name, filename), body, content_type=BOUNDED)


def check_texts_of_a_form_are_validated_as_in_json(asker, operation):
    form = asker.form
    for name, schema in operation.body(FORM)["properties"].items():
        if schema.get("format") == "binary":
            continue
        for content in (b"a\0b", b"\xff", b"\xed\xa0\x80", b"a" * MEGABYTE, b"\x1b[31m"):
            body = b"".join(parts({k: v for k, v in form.items() if k != name}))
            sent = body + part(name, content) + END
            asker.refused((name, content[:9]), sent, content_type=BOUNDED)
        if takes_any_text(operation, (name,), schema):
            for said in kept_texts(schema):
                sent = form_body({**form, name: said})
                assert said in everything_after(asker, sent, content_type=BOUNDED), (name, said)


def check_broken_forms_are_refused(asker, operation):
    form = asker.form
    whole = form_body(form)
    name = next(name for name, value in form.items() if isinstance(value, tuple))
    pieces = parts(form)
    for what, body in {
        "nothing": b"",
        "no end": b"".join(pieces),
        "stops in a file": whole[: whole.index(PNG) + 20],
        "stops in a header": whole[:40],
        "another boundary": whole.replace(b"--boundary", b"--border"),
        "too many parts": part("more", b"x") * 5_000 + whole,
        "a huge header": part("more", b"x", more=b"X-More: " + b"a" * MEGABYTE + b"\r\n") + whole,
        "many headers": part("more", b"x", more=b"X-More: a\r\n" * 5_000) + whole,
        "a header that is none": part("more", b"x", more=b"nonsense\r\n") + whole,
        "no name": b"--boundary\r\nContent-Disposition: form-data\r\n\r\nx\r\n" + whole,
        "no disposition": b"--boundary\r\n\r\nx\r\n" + whole,
        "a huge name": part("n" * MEGABYTE, b"x") + whole,
        "a name that is no text": part("more", b"x").replace(b"more", b"\xff\xfe") + whole,
        "one file twice": part(name, PNG, "twice.png") + whole,
        "only wrong names": part("nothing", PNG, "a.png") + END,
        "a file as a text": b"".join(part(each, PNG) for each in form) + END,
        "line ends of Unix": whole.replace(b"\r\n", b"\n"),
        "JSON": b"{}",
    }.items():
        asker.refused(what, body, content_type=BOUNDED)
    for content_type in (
        FORM,
        f"{FORM}; boundary=",
        f"{FORM}; boundary={'b' * 10_000}",
        f"{FORM}; boundary=\xff",
        f"{FORM}; boundary=border",
        "multipart/mixed; boundary=boundary",
        "application/x-www-form-urlencoded",
        "application/octet-stream",
        "image/png",
        JSON,
        "",
    ):
        asker.refused(content_type[:50], whole, content_type=content_type)


BAD_SEGMENTS = (
    *("0", "-1", "1e3", "NaN", "null", "undefined", "true", "9" * 30, str(2**31), str(2**63)),
    *("%00", "a%00b", "%FF", "%ED%A0%80", "%C0%AF", "%2e%2e", "..%2f..%2fetc%2fpasswd", "%"),
    *("a" * 10_000, "9" * 10_000, "0" * 32 + "%20", "%0d%0aX-More:%20a", "{0}", "%7B%7D", "*"),
    *(quote(said, safe="") for said in KEPT_TEXTS.values()),
)


def check_malformed_paths_are_refused(asker, operation):
    for parameter in operation.parameters("path"):
        for segment in BAD_SEGMENTS:
            path = asker.world.path(operation, **{parameter["name"]: segment})
            asker.refused((parameter["name"], segment[:99]), path=path, **asker.body)


BAD_QUERIES = (
    *("%00", "a%00b", "%FF", "%ED%A0%80", "%C0%AF"),
    *("a" * 50_000, "%20" * 10_000 + "a" * 10_000, "9" * 5_000),
)
WRONG_QUERIES = (
    *("-1", "1e400", "NaN", "Infinity", "9" * 30, str(2**63), "1.5", "[]", "{}", "null"),
    *(quote(said) for said in KEPT_TEXTS.values()),
)
# Invalid values of these parameters are ignored (decisions B1).
LENIENT = {"limit", "ordering", "page_size"}


def check_malformed_queries_are_refused(asker, operation):
    path = asker.world.path(operation)
    for parameter in operation.parameters("query"):
        name, schema = parameter["name"], parameter["schema"]
        is_text = "string" in types(schema) and not {"enum", "format"} & schema.keys()
        for value in (*BAD_QUERIES, *WRONG_QUERIES):
            what = (name, value[:99])
            reply, state = asker.ask(path=f"{path}?{name}={value}")
            if reply.status_int >= 400:
                asker.judge_refusal(what, reply, state)
            elif value in BAD_QUERIES:
                assert name in LENIENT, what
            else:
                assert is_text or name in LENIENT or value == "-1", what
    twice = "&".join(f"a{number}=1" for number in range(5_000))
    assert asker.ask(path=f"{path}?{twice}")[0].status_int < 500


def alg_none(token: str) -> str:
    """A token with the same claims, but the algorithm "none" and no signature."""
    head = base64.urlsafe_b64encode(b'{"alg":"none","typ":"JWT"}').rstrip(b"=").decode()
    return f"{head}.{token.split('.')[1]}."


def check_malformed_tokens_are_refused(asker, operation):
    token = asker.client.token
    head, claims, signature = token.split(".")
    for value in (
        "",
        "Bearer",
        f"Bearer {alg_none(token)}",
        f"Bearer {head}.{claims}.",
        f"Bearer {head}.{claims}.{signature[::-1]}",
        f"Bearer {signature}.{claims}.{head}",
        f"Bearer {'a' * 100_000}",
        f"Bearer {'a.' * 50_000}",
        f"Bearer {token}\xe9",
        f"Bearer {token}, Bearer {token}",
        "Bearer \xf0\x9f\x98\x80.\xff.\x80",
        f"Basic {token}",
        f"JWT {token}",
        "Bearer null",
    ):
        asker.refused(value[:99], headers={"Authorization": value}, **asker.body)
    for key in ("", "\xff", "k" * 100_000, "' or 1=1 --"):
        asker.refused(key[:99], headers={"X-Api-Key": key}, **asker.body)
