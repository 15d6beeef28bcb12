"""Examples for the document: fill a schema with example values.

Each plugin has its own example values, by field name (`words`). Those of the plugin that a shape
belongs to take precedence over those of the plugin that the endpoint belongs to. A value is used
only if the schema of the field accepts it, because a field name such as ``status`` may have several
meanings. `competition.core.examples` has core's values, and registers those of plugins.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from competition.core.examples import USER_ID, Words

Json = dict[str, Any]

# The examples of fields without an example value of their own, by type or format.
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
    "password": "correct horse battery",
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
    """An example of a schema, filled with the example values in `words`, by field name.

    `shapes` are the components that the schema may refer to. For some components, `words_of` has
    other example values to use inside them. `name` is the name of the field that has this schema.
    A shape that contains itself is filled in only one level deep.
    """
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
    """Whether the schema accepts the value."""
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
    # In Python a bool is also an int.
    return isinstance(value, tuple(kinds)) and (not isinstance(value, bool) or bool in kinds)
