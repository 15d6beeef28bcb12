"""The service for tests: HTTP clients that check every reply against the OpenAPI document,
logged-in people, sent emails, and a clock that tests can move."""

import email
import email.policy
import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Any, Literal, TypeVar
from uuid import UUID, uuid4

import argon2
import webtest
from sqlalchemy import func, select

from competition.core.auth.access import CandidateRole, KeyScope, StaffRole
from competition.core.jobs import jobs
from competition.core.jobs.housekeeping import Retention
from competition.core.jobs.models import Job
from competition.core.jobs.runner import Runner
from competition.core.runtime import API_PREFIX, Runtime
from competition.core.storage.models import File
from competition.core.users import api_keys, sessions
from competition.core.users.models import FILES, Candidate, Staff, User, candidate_number
from competition.core.work import begin
from competition.testing.document import Document

E = TypeVar("E")

PASSWORD = "correct horse battery"
# Hashes the passwords in tests: Argon2 with its smallest parameters. The parameters of production
# make hashing slow on purpose.
CHEAP_HASHER = argon2.PasswordHasher(memory_cost=8, time_cost=1, parallelism=1)
# The hash of PASSWORD.
PASSWORD_HASH = (
    "$argon2id$v=19$m=8,t=1,p=1$EqlZTuV8aSVaOvYdq9k/wA$3Q+gj1+U4r5iIvBArSyH/LJnEnU2+lYfKc78euN217s"
)
START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
PREFIX = API_PREFIX

numbers = count(1)


@dataclass
class Clock:
    """The clock of the service. It stands still until a test moves it."""

    now: datetime = START

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **delta: float) -> None:
        self.now += timedelta(**delta)


class Client:
    """An HTTP client of the API under ``/v1``. It checks every reply against the OpenAPI
    document."""

    def __init__(self, service: "Service", key: str | None, token: str | None = None) -> None:
        self._service = service
        self.key = key
        self.token = token

    def get(self, path: str, **options: Any) -> webtest.TestResponse:
        return self.request("GET", path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> webtest.TestResponse:
        return self.request("POST", path, body, **options)

    def put(self, path: str, body: Any = None, **options: Any) -> webtest.TestResponse:
        return self.request("PUT", path, body, **options)

    def patch(self, path: str, body: Any = None, **options: Any) -> webtest.TestResponse:
        return self.request("PATCH", path, body, **options)

    def delete(self, path: str, body: Any = None, **options: Any) -> webtest.TestResponse:
        return self.request("DELETE", path, body, **options)

    def upload(self, method: str, path: str, files: dict[str, Any], **options: Any) -> Any:
        """Send a form. `files` maps each field to (filename, content), or to a string for a text
        field."""
        texts = [(name, value) for name, value in files.items() if isinstance(value, str)]
        uploads = [(name, *value) for name, value in files.items() if isinstance(value, tuple)]
        content_type, body = self._service.http.encode_multipart(texts, uploads)
        return self.request(method, path, body, content_type=content_type, **options)

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        status: int | Literal["any"] | None = None,
        code: str | None = None,
        content_type: str = "application/json",
        headers: dict[str, str] | None = None,
        environ: dict[str, str] | None = None,
    ) -> webtest.TestResponse:
        """Send a request, and check the reply.

        A `body` that is not bytes is sent as JSON. By default the reply has to be a success;
        `status` is the expected status, or "any". `code` is the expected error code.
        """
        sent = dict(headers or {})
        if self.key is not None:
            sent.setdefault("X-Api-Key", self.key)
        if self.token is not None:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        options: dict[str, Any] = {}
        if body is not None:
            raw = body if isinstance(body, bytes) else json.dumps(body).encode()
            options = {"body": raw, "content_type": content_type}
        reply = self._service.http.request(
            PREFIX + path,
            method=method,
            headers=sent,
            environ=environ or {},
            expect_errors=True,
            **options,
        )
        if status is None:
            assert reply.status_int < 400, (method, path, reply.status, reply.text)
        elif status != "any":
            assert reply.status_int == status, (method, path, reply.status, reply.text)
        if code is not None:
            assert reply.json["code"] == code, (method, path, reply.text)
        self._service.document.check(method, path, reply)
        return reply


@dataclass
class Person:
    """A candidate or member of staff who is logged in."""

    id: UUID
    email: str
    client: Client
    # The candidate's number, an integer; None for staff.
    number: int | None = None
    refresh: str = ""

    def __getattr__(self, name: str) -> Any:
        """``person.get(...)`` is ``person.client.get(...)``."""
        return getattr(self.client, name)


@dataclass
class Service:
    """The service for tests. The fixtures `app` and `live` are instances."""

    runtime: Runtime
    http: webtest.TestApp
    document: Document
    clock: Clock
    mail_folder: Path
    file_folder: Path
    key: str = ""
    anonymous: Client = field(init=False)

    def __post_init__(self) -> None:
        self.runtime.clock = self.clock
        with begin(self.runtime) as work:
            scopes = (KeyScope.CLIENT, KeyScope.WEBHOOK)
            self.key = api_keys.create(work, f"tests {uuid4()}", scopes=scopes)
        self.anonymous = self.client()

    def client(self, token: str | None = None) -> Client:
        return Client(self, self.key, token)

    def candidate(self, role: str = "screening", **fields: Any) -> Person:
        """Create a verified candidate who is logged in. `fields` are columns of `Candidate`. Raises
        ValueError for an unknown role."""
        _check_role(role, CandidateRole)
        return self._person(Candidate, {"school": "Hillside School", "role": role, **fields})

    def staff(self, role: str, **fields: Any) -> Person:
        """Create a verified member of staff who is logged in. `fields` are columns of `Staff`.
        Raises ValueError for an unknown role."""
        _check_role(role, StaffRole)
        return self._person(Staff, {"occupation": "Teacher", "role": role, **fields})

    def _person(self, kind: type[Candidate] | type[Staff], fields: dict[str, Any]) -> Person:
        number = next(numbers)
        values = {
            "id": uuid4(),
            "email": f"person{number}@school.example",
            "password_hash": PASSWORD_HASH,
            "first_name": "Ada",
            "last_name": f"Number{number}",
            "phone": "+4912345678",
            "is_email_verified": True,
            "verification": "approved",
            "date_joined": self.clock.now,
            # The session below is the first login. It would set this column in an UPDATE.
            "first_login_at": self.clock.now,
            "updated_at": self.clock.now,
            **fields,
        }
        with begin(self.runtime) as work:
            if kind is Candidate:
                values["number"] = work.db.scalar(select(func.next_value(candidate_number)))
            for key in filter(None, map(values.get, FILES)):
                row = {"plugin": "tests", "subject": "-", "content_type": "image/png", "size": 0}
                digest = hashlib.sha256(key.encode()).hexdigest()
                work.db.merge(File(key=key, digest=digest, created_at=work.now, **row))
            work.db.flush()
            user = kind(**values)
            work.db.add(user)
            work.db.flush()
            tokens = sessions.start(work, user)
        return Person(
            id=user.id,
            email=user.email,
            client=self.client(tokens.access),
            number=values.get("number"),
            refresh=tokens.refresh,
        )

    def log_in(self, email: str, password: str = PASSWORD, **options: Any) -> webtest.TestResponse:
        """Log in with a password, through the API."""
        body = {"email": email, "password": password}
        return self.anonymous.post("/auth/login/", body, **options)

    def new_session(self, person: Person) -> Client:
        """Start another session of a person, without a password. Returns its client."""
        with begin(self.runtime) as work:
            tokens = sessions.start(work, work.db.get_one(User, person.id))
        return self.client(tokens.access)

    def user(self, person: Person) -> User:
        """The current row of the person's account."""
        with begin(self.runtime) as work:
            return work.db.get_one(User, person.id)

    def subscribe(self, event: type[E], listener: Callable[[E], None]) -> None:
        """Call the listener for each event of this type, after the subscribers of plugins."""
        notify = self.runtime.notify

        def notify_listener_too(emitted: object) -> None:
            notify(emitted)
            if isinstance(emitted, event):
                listener(emitted)

        self.runtime.notify = notify_listener_too

    def run_jobs(self) -> int:
        """Run all due jobs, including those that they enqueue. Returns the number of runs. Raises
        AssertionError if a job has failed."""
        runner, runs = Runner(self.runtime), 0
        while runner.run_next():
            runs += 1
        self._check_jobs()
        return runs

    def run_task(self, name: str, **args: Any) -> None:
        """Run only one job of this task, now. `args` are the arguments of the job; jobs of periodic
        tasks have none. Raises AssertionError if the job fails."""
        with begin(self.runtime) as work:
            jobs.enqueue(work, name, **args)
            job_id = work.db.scalars(select(func.max(Job.id)).where(Job.name == name)).one()
        Runner(self.runtime).run(job_id)
        self._check_jobs()

    def _check_jobs(self) -> None:
        with begin(self.runtime) as work:
            failed = work.db.execute(
                select(Job.name, Job.last_error).where(
                    Job.last_error.is_not(None), Job.state != "done"
                )
            ).all()
        assert not failed, failed

    def forget(self, name: str) -> None:
        """Run only the retention rule with this name."""
        with begin(self.runtime) as work:
            work.runtime.catalogue.named(Retention, name).forget(work)

    def mails(self, recipient: str | None = None) -> list[EmailMessage]:
        """Run the due jobs, and return all emails that have been sent, ordered by id: those to
        `recipient` or, if that is None, to anyone."""
        self.run_jobs()
        found = [
            email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
            for path in sorted(self.mail_folder.glob("*.eml"))
        ]
        return [mail for mail in found if recipient in (None, mail["To"])]

    def otp(self, recipient: str) -> str:
        """The six-digit code in the latest email to the address."""
        text = text_of(self.mails(recipient)[-1])
        found = re.search(r"\b\d{6}\b", text)
        assert found, text
        return found[0]


def _check_role(role: str, roles: type[StrEnum]) -> None:
    if role not in {*roles}:
        raise ValueError(f"There is no role {role!r}. The roles are {', '.join(roles)}.")


def text_of(mail: EmailMessage) -> str:
    """The plain text of an email, with ``\\n`` as line ends."""
    body = mail.get_body(("plain",))
    assert body is not None
    text: str = body.get_content()
    return text.replace("\r\n", "\n")


def each_page(client: Client, path: str) -> Iterator[Any]:
    """The items of a list on all pages, found by following the links `next`."""
    while path:
        reply = client.get(path).json
        yield from reply["results"]
        following = reply["pagination"]["next"]
        path = following.partition(PREFIX)[2] if following else ""
