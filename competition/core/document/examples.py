"""Examples for the document: a schema, filled in with the words of those whose fields they are.

Core knows what is in every list and every account. A plugin adds the fields that it brings:
``config.add_examples(title="Rings and ideals", …)``. In its own shapes its words win, and in its
own operations where a shape has none; what a schema does not take is left aside, so that a
``status`` may be many things.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pyramid.config import Configurator

from competition.core.catalogue import catalogue_of

Json = dict[str, Any]
Words = Mapping[str, Any]

USER_ID = "8f14e45f-ceea-467f-a8c5-1f2b3c4d5e6f"
PASSWORD = "correct horse battery"

CORE: Words = {
    "id": 7,
    "user_id": USER_ID,
    "candidate_id": USER_ID,
    "email": "emmy@school.example",
    "first_name": "Emmy",
    "last_name": "Noether",
    "full_name": "Emmy Noether",
    "name": "Emmy Noether",
    "phone": "+49 9131 1882",
    "school": "Hillside School",
    "occupation": "Teacher",
    "message": "Done.",
    "profile_picture": "https://files.example/profile_picture",
    "face_id": None,
    "id_card": None,
    "verification_document": None,
    "count": 1,
    "page": 1,
    "page_size": 20,
    "total_pages": 1,
    "has_next": False,
    "has_previous": False,
    "next": None,
    "previous": None,
}


@dataclass(frozen=True)
class Vocabulary:
    """The words of the examples of one plugin, by its package."""

    package: str
    words: Words


# Of each type and format, where no word is known.
BY_FORMAT: dict[Any, Any] = {
    "string": "text",
    "integer": 1,
    "number": 87.5,
    "boolean": True,
    "null": None,
    "date-time": "2026-03-01T09:00:00Z",
    "date": "2026-03-01",
    "uuid": USER_ID,
    "binary": "the file's content",
    "email": "emmy@school.example",
    "password": PASSWORD,
}
KINDS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
}


def example(
    schema: Json,
    words: Words,
    shapes: Json,
    name: str = "",
    words_of: Mapping[str, Words] = MappingProxyType({}),
) -> Any:
    """`shapes` are the components that a schema may refer to, `words_of` what those of them are
    filled with that have words of their own; `name` is the field's. Of a shape that holds itself
    there is one level."""
    if name in words and _takes(schema, words[name], shapes):
        return words[name]
    if "$ref" in schema:
        reference = schema["$ref"].rpartition("/")[2]
        inner = {**shapes, reference: {"type": "null"}}
        return example(shapes[reference], words_of.get(reference, words), inner, "", words_of)
    if "default" in schema:
        return schema["default"]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return example(schema["anyOf"][0], words, shapes, name, words_of)
    kind = schema.get("type", "null")
    if isinstance(kind, list):
        kind = kind[0]
    if kind == "array":
        return [example(schema["items"], words, shapes, "", words_of)]
    if kind == "object":
        return {
            key: example(below, words, shapes, key, words_of)
            for key, below in schema.get("properties", {}).items()
        }
    return BY_FORMAT[schema.get("format", kind)]


def _takes(schema: Json, value: Any, shapes: Json) -> bool:
    if "$ref" in schema:
        return _takes(shapes[schema["$ref"].rpartition("/")[2]], value, shapes)
    if "anyOf" in schema:
        return any(_takes(each, value, shapes) for each in schema["anyOf"])
    if "enum" in schema:
        return value in schema["enum"]
    if schema.get("format") == "binary":
        return False
    if isinstance(value, list) and not all(
        _takes(schema.get("items", {}), each, shapes) for each in value
    ):
        return False
    if isinstance(value, dict) and not (
        {*schema.get("required", ())} <= value.keys() <= schema.get("properties", {}).keys()
    ):
        return False
    named = schema.get("type", list(KINDS))
    names = [named] if isinstance(named, str) else named
    kinds = [kind for name in names for kind in KINDS[name]]
    # A boolean is an integer to Python.
    return isinstance(value, tuple(kinds)) and (not isinstance(value, bool) or bool in kinds)


def add_examples(config: Configurator, **words: Any) -> None:
    """Configuration directive ``config.add_examples``: words for the fields of the plugin that
    calls it."""
    package = config.package.__name__
    catalogue_of(config).add(Vocabulary, package, Vocabulary(package, words))


def includeme(config: Configurator) -> None:
    config.add_directive("add_examples", add_examples)
