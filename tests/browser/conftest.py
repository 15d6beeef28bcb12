"""Fixtures for tests in a browser: the page of an exam, and a small service in place of the real
one.

Tests of the pages' shared base use the small service. They choose its replies, and count its
requests. It serves the front-end in the folder `ground`.
"""

import base64
import json
import mimetypes
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from competition.plugins.pages.release import without_comments
from competition.testing.exam_day import make_exam
from competition.testing.service import Person
from tests.support.browser import PHONE, Site, closing_contexts
from tests.support.exam_page import IN_NO_TIME, Proof
from tests.support.repository import REPOSITORY
from tests.support.served import served

HERE = Path(__file__).parent
FOLDERS = {
    "/static/x/pages/static/": REPOSITORY / "competition/plugins/pages/static",
    "/static/x/portal/static/": REPOSITORY / "competition/plugins/portal/static",
    "/static/x/console/static/": REPOSITORY / "competition/plugins/console/static",
    "/static/x/demo/static/": HERE / "ground",
}
STYLES = "".join(
    f'<link rel="stylesheet" href="/static/x/{name}.css">'
    for name in (
        *(f"pages/static/style/{each}" for each in ("tokens", "base", "pieces", "print")),
        "console/static/charts",
    )
)
SHELL = f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>League</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
{STYLES}"""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self' blob: data:; connect-src 'self' ws://127.0.0.1:1; worker-src 'self'; "
    "manifest-src 'self'; frame-src blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types pages"
)
PERSON = {
    "profile_type": "staff",
    "role": "admin",
    "user": {"id": "1", "email": "m@x.example", "first_name": "Maria", "last_name": "Okafor"},
}
Reply = tuple[int, dict[str, str], Any]


@dataclass
class Pretended:
    """A small service. `replies` maps "METHOD /path/" to the function that answers."""

    replies: dict[str, Callable[["Asked"], Reply]] = field(default_factory=dict)
    asked: list["Asked"] = field(default_factory=list)
    life: float = 7200
    refresh: str = ""
    # The refresh token and the key of the last renewal.
    renewed: tuple[str, str] = ("", "")
    ended: bool = False
    issued: int = 0
    _lock: Any = field(default_factory=threading.Lock)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        path = environ["PATH_INFO"]
        for prefix, folder in FOLDERS.items():
            if path.startswith(prefix):
                file = folder / path.removeprefix(prefix)
                if not file.is_file():
                    break
                kind = mimetypes.guess_type(file)[0] or "text/plain"
                start_response("200 OK", [("Content-Type", kind), ("Cache-Control", "max-age=99")])
                return [without_comments(path, file.read_bytes())]
        if path == "/pages/config.json":
            return self._json(start_response, 200, {}, self.config)
        if path.startswith("/v1/"):
            asked = Asked.of(environ)
            with self._lock:
                self.asked.append(asked)
                answer = self.replies.get(f"{asked.method} {asked.path}", self.usual)
            return self._json(start_response, *answer(asked))
        main = '<script type="module" src="/static/x/demo/static/main.js"></script>'
        body = "" if path == "/blank" else f'{main}</head><body><div id="page"></div></body></html>'
        headers = [("Content-Type", "text/html"), ("Content-Security-Policy", POLICY)]
        start_response("200 OK", headers)
        return [(SHELL + body).encode()]

    @staticmethod
    def _json(start_response: Any, status: int, headers: dict[str, str], body: Any) -> list[bytes]:
        content = "text/html" if isinstance(body, str) else "application/json"
        named = {"Content-Type": content, "X-Request-Id": "8c1f0a", **headers}
        start_response(f"{status} Status", list(named.items()))
        if status in (204, 304):
            return []
        return [body.encode() if isinstance(body, str) else json.dumps(body).encode()]

    @property
    def config(self) -> dict[str, Any]:
        return {
            "name": "Mathematics league",
            "support_email": "help@x.example",
            "time_zone": "Africa/Lagos",
            "languages": ["en", "fr"],
            "plugins": [],
            "release": "x",
            "api": "/v1",
            "api_key": "the-key",
            "sockets": "ws://127.0.0.1:1/v1/ws/notifications/",
            "files_origin": None,
            "passwords": {"shortest": 8, "longest": 128},
            "files": {},
            "settings": {"privacy.export_hours": 48},
            "modules": {"demo": []},
        }

    def tokens(self) -> dict[str, str]:
        self.issued += 1
        now = int(time.time())
        claims = {"sid": "s", "iat": now, "exp": now + self.life, "jti": self.issued}
        body = base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
        self.refresh = f"refresh-{self.issued}"
        return {"access": f"head.{body}.{self.issued}", "refresh": self.refresh}

    def usual(self, asked: "Asked") -> Reply:
        with self._lock:
            if asked.path == "/auth/login/":
                if asked.body["password"] != "right":
                    return refusal(401, "authentication_failed", "Incorrect credentials.")
                self.ended = False
                return 200, {}, {**self.tokens(), "profile": PERSON}
            if asked.path == "/auth/token/refresh/":
                # Like the real service, repeat a reply for the same key, but end the session if an
                # old token is used again.
                sent = asked.body["refresh"], asked.headers["IDEMPOTENCY-KEY"]
                self.ended = self.ended or (sent[0] != self.refresh and sent != self.renewed)
                if self.ended:
                    return refusal(401, "invalid_token", "The token is invalid or has expired.")
                if sent == self.renewed:
                    return 200, {}, {**self.tokens(), "refresh": self.refresh}
                self.renewed = sent
                return 200, {}, self.tokens()
            if asked.path == "/auth/logout/":
                return 200, {}, {}
        if asked.path == "/ws/tickets/":
            return refusal(403, "permission_denied", "No sockets here.")
        return refusal(404, "not_found", "Not found.")

    def count(self, method: str, path: str) -> int:
        return sum(each.method == method and each.path == path for each in self.asked)


@dataclass
class Asked:
    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: Any

    @classmethod
    def of(cls, environ: dict[str, Any]) -> "Asked":
        length = int(environ.get("CONTENT_LENGTH") or 0)
        content = environ["wsgi.input"].read(length) if length else b""
        headers = {k[5:].replace("_", "-"): v for k, v in environ.items() if k[:5] == "HTTP_"}
        is_json = "json" in environ.get("CONTENT_TYPE", "")
        return cls(
            environ["REQUEST_METHOD"],
            environ["PATH_INFO"].removeprefix("/v1"),
            parse_qs(environ["QUERY_STRING"]),
            headers,
            json.loads(content) if is_json and content else content,
        )


def refusal(status: int, code: str, detail: str, **more: Any) -> Reply:
    return status, {}, {"code": code, "detail": detail, **more}


@pytest.fixture
def pretended() -> Pretended:
    return Pretended()


@pytest.fixture
def ground(pretended: Pretended, chromium: Any) -> Iterator[Site]:
    """The pretended service in a browser. The test fails if a page reports an error."""
    with served(pretended) as address, closing_contexts(chromium) as browser:
        site = Site(address, "ws://127.0.0.1:1", None, browser)  # type: ignore[arg-type]  # no service
        yield site
    site.check()


@pytest.fixture
def proof(site: Site) -> Iterator[Proof]:
    """Watches the pages of a test. After the test, it fails if a page called an answer saved that
    the service did not have.
    """
    proof = Proof(site)
    yield proof
    proof.check()


@pytest.fixture
def exam_id(site: Site) -> int:
    """An open exam with twelve questions. The test may cut the connection."""
    site.tolerate(r"Failed to load resource|bad HTTP response code \(50[24]\)")
    admin = site.service.staff("admin")
    return make_exam(site.service, admin, "ABCDABCDABCD", title="Screening, round 1")


@pytest.fixture
def sit(site: Site, exam_id: int, proof: Proof) -> Callable[..., Any]:
    """``sit(candidate)``: the page of a candidate who has started the exam on another device."""

    def sit(candidate: Person, device: str = "phone", **options: Any) -> Any:
        proof.expect(exam_id, candidate)
        options["user_agent"] = device
        page = site.signed_in(
            candidate, f"/exams/{exam_id}", **{"viewport": PHONE, "has_touch": True, **options}
        )
        page.context.add_init_script(IN_NO_TIME)
        page.reload()
        start = page.get_by_role("button", name="Start")
        running = page.get_by_role("navigation", name="Questions")
        start.or_(running).wait_for()
        if start.is_visible():
            start.click()
        running.wait_for()
        return page

    return sit
