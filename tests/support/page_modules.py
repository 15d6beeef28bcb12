"""Runs tests of the pages' modules, in a blank document of one browser.

The server has the files of the repository under their own paths, so the imports of a module work as
they stand in it. A test is written in JavaScript: `tests/pages/kit/cases.js`.
"""

import json
import mimetypes
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any
from uuid import uuid4

import pytest

from competition.core.auth.access import StaffRole
from competition.core.auth.identity import Identity
from competition.core.web.service import endpoints
from competition.testing.applications import Applications, RawSettings
from competition.testing.document import Document, operations
from tests.support import javascript
from tests.support.repository import REPOSITORY
from tests.support.served import served

PLUGINS = REPOSITORY / "competition/plugins"
FOLDERS = ("/competition/plugins/", "/tests/")
STYLES = "".join(
    f'<link rel="stylesheet" href="/competition/plugins/pages/static/style/{name}.css">'
    for name in ("tokens", "base", "pieces", "print")
)
BLANK = f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>League</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
{STYLES}</head><body><div id="page"></div></body></html>"""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self' blob: data:; connect-src 'self'; frame-src blob:; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types pages"
)
KIT = "/tests/pages/kit/cases.js"
# What `kit/examples.js`, `kit/full.js`, `kit/access.js` and the sweeps read.
EXAMPLES = "/examples.json"
FULL_EXAMPLES = "/full-examples.json"
ACCESS = "/access.json"
CALLS = "/calls.json"
# Examples of strings by their format, and of other strings.
STRINGS = {
    "date-time": "2026-03-10T10:00:00Z",
    "date": "2026-03-10",
    "uuid": "8f14e45f-ceea-467f-a1d5-d1b1c3b3a001",
    "email": "amara@school.example",
    "uri": "https://league.example/file",
}
CASES = """async ([kit, file]) => {
  const { device = {} } = await import(file);
  return [(await import(kit)).names(), device];
}"""
RUN = """async ([kit, file, name]) => {
  await import(file);
  const fault = await (await import(kit)).run(name);
  return [fault, JSON.stringify(globalThis.service?.exchanged ?? [])];
}"""
# Replies of a proxy, which the document does not describe.
PROXY = (502, 503, 504)


class Examples:
    """Examples of everything that an OpenAPI document describes: the least that it requires, or, if
    they are `full`, all properties, with one item in each list and nothing that is null.
    """

    def __init__(self, document: dict[str, Any], *, full: bool = False) -> None:
        self._document = document
        self._full = full

    def all(self) -> dict[str, Any]:
        """The example of each component, by its name, and that of the successful reply of each
        operation, by its method and path."""
        found = {name: self.of(each) for name, each in self._schemas.items()}
        for method, path, operation in operations(self._document):
            for status, response in operation["responses"].items():
                content = response.get("content", {}).get("application/json")
                if status.startswith("2") and content:
                    found.setdefault(f"{method} {path}", self.of(content["schema"]))
        return found

    @property
    def _schemas(self) -> dict[str, Any]:
        return self._document["components"]["schemas"]  # type: ignore[no-any-return]

    def of(self, schema: dict[str, Any]) -> Any:
        if "$ref" in schema:
            return self.of(self._schemas[schema["$ref"].rpartition("/")[2]])
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return schema["enum"][0]
        if options := schema.get("anyOf") or schema.get("oneOf"):
            some = [each for each in options if each != {"type": "null"}]
            return None if len(some) < len(options) and not self._full else self.of(some[0])
        if "allOf" in schema:
            parts = [self.of(each) for each in schema["allOf"]]
            return {key: value for part in parts if part for key, value in part.items()}
        kind = schema.get("type")
        if isinstance(kind, list):
            some = [each for each in kind if each != "null"]
            is_null = len(some) < len(kind) and not self._full
            return None if is_null else self.of({**schema, "type": some[0]})
        if kind == "object":
            properties = schema.get("properties", {})
            names = properties if self._full else schema.get("required", ())
            return {
                # The document names this format only where the service checks it.
                name: STRINGS["email"] if name == "email" else self.of(properties[name])
                for name in names
            }
        if kind == "array":
            return [self.of(schema["items"])] * max(schema.get("minItems", 0), int(self._full))
        if kind == "string":
            return STRINGS.get(schema.get("format", ""), "x" * max(schema.get("minLength", 1), 1))
        if kind in ("integer", "number"):
            return schema.get("minimum", 1)
        return False if kind == "boolean" else None


def admitted(registry: Any) -> dict[str, list[str]]:
    """The roles of verified staff that each operation admits, by its method and path."""
    staff = [Identity(uuid4(), "staff", role, "", is_verified=True) for role in StaffRole]
    return {
        f"{each.method} {each.path}": [
            identity.role for identity in staff if each.access.refusal(identity) is None
        ]
        for each in endpoints(registry)
    }


def called() -> dict[str, list[str]]:
    """The operations of the API that the modules of each front-end name."""
    return {
        front_end: sorted(
            {
                operation
                for file in (PLUGINS / front_end / "static").rglob("calls.js")
                for operation in javascript.operations(file.read_text())
            }
        )
        for front_end in ("console", "portal")
    }


def serve(
    environ: dict[str, Any], start_response: Any, documents: Mapping[str, bytes]
) -> list[bytes]:
    path = environ["PATH_INFO"]
    if path in documents:
        headers = [("Content-Type", "application/json"), ("Cache-Control", "max-age=3600")]
        start_response("200 OK", headers)
        return [documents[path]]
    if not path.startswith(FOLDERS):
        headers = [("Content-Type", "text/html"), ("Content-Security-Policy", POLICY)]
        start_response("200 OK", headers)
        return [BLANK.encode()]
    file = REPOSITORY / path.removeprefix("/")
    if ".." in path or not file.is_file():
        start_response("404 Not Found", [("Content-Type", "text/plain")])
        return [b"There is no such file."]
    kind = mimetypes.guess_type(file)[0] or "text/plain"
    start_response("200 OK", [("Content-Type", kind), ("Cache-Control", "max-age=3600")])
    return [file.read_bytes()]


class Blank:
    """A blank document, which is loaded anew for each test."""

    def __init__(self, address: str, browser: Any, document: Document) -> None:
        self._address = address
        self._browser = browser
        self._document = document
        self._complaints: list[str] = []
        self._device: dict[str, Any] = {}
        self._page = self._open({})

    def cases(self, file: str) -> list[str]:
        """The names of a file's tests. Opens the device that it exports as `device`: Playwright's
        options of a context, such as `locale` and `timezone_id`."""
        self._load()
        names, device = self._page.evaluate(CASES, [KIT, file])
        if device != self._device:
            self._page.context.close()
            self._page = self._open(device)
        assert names, f"{file} has no tests."
        return names  # type: ignore[no-any-return]

    def fault(self, file: str, name: str) -> str | None:
        """Run a test. Returns what is wrong, or None."""
        self._load()
        fault, exchanged = self._page.evaluate(RUN, [KIT, file, name])
        found = [fault] if fault else []
        for exchange in json.loads(exchanged):
            try:
                self._compare(exchange)
            except AssertionError as error:
                found.append(f"Not as in the OpenAPI document: {error}")
        return "\n".join([*found, *self._complaints]) or None

    def _open(self, device: dict[str, Any]) -> Any:
        self._device = device
        context = self._browser.new_context(
            base_url=self._address, **{"timezone_id": "UTC", "locale": "en-GB", **device}
        )
        page = context.new_page()
        page.on("pageerror", lambda error: self._complaints.append(f"error: {error}"))
        page.on("console", self._console)
        return page

    def _load(self) -> None:
        self._page.goto("/blank")
        self._page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        self._complaints.clear()

    def _console(self, message: Any) -> None:
        if message.type == "error":
            self._complaints.append(f"console: {message.text}")

    def _compare(self, exchange: dict[str, Any]) -> None:
        method, _, path = exchange["operation"].partition(" ")
        status, body = exchange["status"], exchange.get("body")
        operation = self._document.document["paths"].get(path, {}).get(method.lower())
        assert operation, f"{method} {path} is no operation"
        known = {each["name"] for each in self._parameters(operation) if each["in"] == "query"}
        assert {*exchange["query"]} <= known, f"{method} {path}: {exchange['query']}"
        if exchange.get("sent") is not None and status < 400:
            at = ("paths", path, method.lower(), "requestBody", "content", "application/json")
            found = self._document.errors((*at, "schema"), exchange["sent"])
            assert not found, f"{method} {path}: {found}"
        if status in PROXY or status == 304:
            return
        content = None if body is None else "application/json"
        encoded = b"" if body is None else json.dumps(body).encode()
        self._document.check_answer(method, path, status, content, encoded)

    def _parameters(self, operation: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for each in operation.get("parameters", ()):
            if "$ref" in each:
                name = each["$ref"].rpartition("/")[2]
                yield self._document.document["components"]["parameters"][name]
            else:
                yield each

    def close(self) -> None:
        self._page.context.close()


@pytest.fixture(scope="session")
def blank(chromium: Any, applications: Applications, base_settings: RawSettings) -> Iterator[Blank]:
    """One blank document for all tests of modules in this process."""
    application = applications.get(base_settings)
    applications.release()
    document = application.document.document
    contents = {
        EXAMPLES: Examples(document).all(),
        FULL_EXAMPLES: Examples(document, full=True).all(),
        ACCESS: admitted(application.http.app.registry),
        CALLS: called(),
    }
    documents = {path: json.dumps(content).encode() for path, content in contents.items()}
    with served(partial(serve, documents=documents)) as address:
        blank = Blank(address, chromium, application.document)
        yield blank
        blank.close()
