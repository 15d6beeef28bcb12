"""Paths of endpoints and pages with typed arguments, such as ``/exams/{exam_id:int}/``."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from pyramid.exceptions import ConfigurationError

from competition.core.errors import NotFound
from competition.core.schemas import LARGEST_ID

ARGUMENT = re.compile(r"{(\w+)(?::(\w+))?}")


def _integer(text: str) -> int:
    value = int(text) if text.isascii() and text.isdigit() else 0
    if not 0 < value <= LARGEST_ID:
        raise NotFound
    return value


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise NotFound from None


def _text(text: str) -> str:
    if "\0" in text:
        raise NotFound
    return text


@dataclass(frozen=True)
class PathType:
    """A type of path arguments. `read` parses a value, and raises NotFound if it is malformed. If a
    value does not match `pattern`, such as ``me`` for an id, Pyramid tries other routes."""

    read: Callable[[str], Any]
    schema: dict[str, Any]
    pattern: str = "[^/]+"
    description: str = "An unknown or malformed value is 404."

    # A copy whose schema describes the accepted values more exactly.
    def accepting(self, description: str = description, **schema: Any) -> "PathType":
        return replace(self, schema=schema, description=description)


PATH_TYPES = {
    "int": PathType(
        _integer, {"type": "integer", "minimum": 1, "maximum": LARGEST_ID}, "[0-9]{1,20}"
    ),
    "uuid": PathType(_uuid, {"type": "string", "format": "uuid"}, "[0-9a-fA-F-]{32,36}"),
    "str": PathType(_text, {"type": "string"}),
    "path": PathType(_text, {"type": "string"}, ".+?"),
}


def types_of(path: str) -> dict[str, PathType]:
    """The types of a path's arguments, by their names. Raises ConfigurationError for an unknown
    type."""
    named = {name: kind or "str" for name, kind in ARGUMENT.findall(path)}
    for name, kind in named.items():
        if kind not in PATH_TYPES:
            raise ConfigurationError(
                f"The path {path} has {{{name}:{kind}}}, but there is no type {kind}. The types are"
                f" {', '.join(PATH_TYPES)}."
            )
    return {name: PATH_TYPES[kind] for name, kind in named.items()}


def route_of(path: str, types: Mapping[str, PathType]) -> str:
    """The path as a pattern for Pyramid's routes: each argument with the regular expression of its
    type."""
    return ARGUMENT.sub(lambda found: f"{{{found[1]}:{types[found[1]].pattern}}}", path)


def pattern_of(path: str, types: Mapping[str, PathType]) -> re.Pattern[str]:
    """A regular expression that matches whole request paths, without the prefix of the API, if they
    belong to `path`. `types` has the types of the arguments, by their names."""
    # `split` returns the texts between the arguments, each followed by a name and a type.
    parts = ARGUMENT.split(path)
    texts = [re.escape(text) for text in parts[::3]]
    kinds = [f"(?:{types[name].pattern})" for name in parts[1::3]]
    return re.compile("".join(text + kind for text, kind in zip(texts, [*kinds, ""], strict=True)))


def read(types: Mapping[str, PathType], matched: Mapping[str, str]) -> dict[str, Any]:
    """The values of the arguments, by their names. Raises NotFound if a value is malformed."""
    return {name: kind.read(matched[name]) for name, kind in types.items()}
