"""Check replies against the closed OpenAPI document, which allows only what it describes."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from typing import Any
from urllib.parse import quote
from uuid import UUID

import webtest
from jsonschema_rs import Draft202012, Draft202012Validator, Registry

from competition.plugins.docs.document.served import describe


def is_time(value: str) -> bool:
    """Whether a text is a time as the service sends it: UTC with a Z (decisions A4)."""
    return value.endswith("Z") and _parses(datetime.fromisoformat, value)


def is_uuid(value: str) -> bool:
    return _parses(UUID, value)


def _parses(parse: Any, value: str) -> bool:
    try:
        parse(value)
    except ValueError:
        return False
    return True


# The formats that are checked. Other formats in the document only inform its readers.
FORMATS = {"date-time": is_time, "uuid": is_uuid}
# The address of the document in the registry of its validators.
ADDRESS = "urn:document"
# The fields of every error.
ENVELOPE = {"detail", "code"}
# (method, path, status) of every reply to a client of a test in this process.
exercised: set[tuple[str, str, int]] = set()


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The method, path and description of each operation of an OpenAPI document."""
    for path, item in document["paths"].items():
        for method, description in item.items():
            yield method.upper(), path, description


class Document:
    """Checks replies against an OpenAPI document: the operation exists, its status is declared, and
    the body has the declared shape."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self._paths: list[tuple[re.Pattern[str], str]] = [
            # Only the key of a file contains slashes.
            (
                re.compile(
                    re.sub(r"{\w+}", "[^?]+" if "{key}" in path else "[^/?]+", path) + r"(\?.*)?"
                ),
                path,
            )
            # Paths with fewer arguments come first, because the others may match the same request.
            for path in sorted(document["paths"], key=lambda path: path.count("{"))
        ]
        self._registry = Registry([(ADDRESS, document)], draft=Draft202012)
        self._validator = cache(self._make_validator)

    @classmethod
    def of(cls, registry: Any) -> "Document":
        """The Document of an application's closed OpenAPI document, which allows only what it
        describes."""
        return cls(describe(registry, closed=True))

    def operation_path(self, path: str) -> str | None:
        """The path that the document has for a requested path: ``/exams/{exam_id}/`` for
        ``/exams/7/?page=1``. None if there is no such path."""
        whole, mark, query = path.partition("?")
        slashed = (whole if whole.endswith("/") else whole + "/") + mark + query
        for pattern, template in self._paths:
            if pattern.fullmatch(slashed):
                return template
        return None

    def check(self, method: str, path: str, reply: webtest.TestResponse) -> None:
        """Check a reply to a client. Raises AssertionError if it does not follow the document."""
        template = self.operation_path(path)
        operation = self.document["paths"].get(template, {}).get(method.lower())
        if template is None or operation is None:
            assert reply.status_int in (404, 405), (method, path, reply.status, reply.text)
            assert set(reply.json) == ENVELOPE
            return
        exercised.add((method, template, reply.status_int))
        self.check_answer(method, template, reply.status_int, reply.content_type, reply.body)

    def check_answer(
        self, method: str, template: str, status: int, content_type: str | None, body: bytes
    ) -> None:
        """Check a reply of an operation, whose path in the document is `template`.

        Raises AssertionError if the reply does not follow the document.
        """
        where = f"{method} {template} → {status}"
        at: tuple[str, ...] = ("paths", template, method.lower(), "responses", str(status))
        declared = self._part(*at[:-1]).get(str(status))
        assert declared is not None, f"{where} is not in the document: {body[:300]!r}"
        if "$ref" in declared:
            at = tuple(declared["$ref"].removeprefix("#/").split("/"))
            declared = self._part(*at)
        if "content" not in declared:
            assert body == b"", where
            return
        assert content_type in declared["content"] or "octet-stream" in str(declared), where
        if content_type != "application/json":
            return
        errors = self.errors((*at, "content", content_type, "schema"), json.loads(body))
        assert not errors, (where, errors)

    def errors(self, at: tuple[str, ...], value: Any) -> list[str]:
        """The differences between a value and a schema of the document, as texts. `at` has the keys
        that lead to the schema."""
        pointer = "/".join(part.replace("~", "~0").replace("/", "~1") for part in at)
        return [
            f"{'.'.join(map(str, error.instance_path))}: {error.message[:300]}"
            for error in self._validator(pointer).iter_errors(value)
        ]

    def _part(self, *names: str) -> dict[str, Any]:
        part = self.document
        for name in names:
            part = part[name]
        return part

    def _make_validator(self, pointer: str) -> Draft202012Validator:
        return Draft202012Validator(
            {"$ref": f"{ADDRESS}#/{quote(pointer)}"},
            formats=FORMATS,
            validate_formats=True,
            registry=self._registry,
        )
