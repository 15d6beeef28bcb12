"""JSON Schemas of inputs and outputs, and their names in the document.

The served document is open: any version may add fields, so its objects allow unknown fields. A
union of several shapes is described as one shape that has all their fields, because few client
generators support a choice. The `closed` document of the service's own tests allows no unknown
field in outputs, and keeps the shapes of a union apart.
"""

import inspect
import types
import typing
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal, NotRequired
from uuid import UUID

import colander

from competition.core.choices import values_of
from competition.core.schemas import NullableMapping, Schema, Type
from competition.core.slots import Field, fields_of
from competition.core.web.bodies import BodyField

Json = dict[str, Any]

SCALARS: dict[Any, Json] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
    UUID: {"type": "string", "format": "uuid"},
    Any: {},
}
NULL = SCALARS[type(None)]


@dataclass(frozen=True)
class Part:
    """A plugin's part of the document. Its endpoints share a tag, with this name and description.

    `words` has the example values of its fields by name, and `glossary` their descriptions (see
    the module `glossary`). `prefix` is put before the names of the views and shapes of a
    third-party plugin.
    """

    name: str
    description: str = ""
    words: Json = field(default_factory=dict)
    prefix: str = ""
    glossary: Mapping[str, Any] = field(default_factory=dict)

    def named(self, name: str) -> str:
        """The name that the plugin's shape or view `name` has in the document."""
        return self.prefix.title().replace("_", "") + name

    def meaning(self, shape: str, name: str) -> str | None:
        """The description of a field in this shape or, if there is none, its general description.
        None if there is neither."""
        found = self.glossary.get(shape, {}).get(name, self.glossary.get(name))
        return found if isinstance(found, str) else None


@dataclass
class Components:
    """The named schemas and responses of the document, as they are collected.

    `parts` maps packages to plugins. `fields` are the fields that plugins put into slots, and
    `added` the fields that plugins add to bodies. `owners` maps the name of each schema to its
    class. `firsts` maps the name of each union to its first alternative, from which examples are
    made. `words` has the example values of each schema.
    """

    parts: dict[str, Part] = field(default_factory=dict)
    fields: Collection[Field] = ()
    closed: bool = True
    schemas: Json = field(default_factory=dict)
    responses: Json = field(default_factory=dict)
    owners: dict[str, Any] = field(default_factory=dict)
    firsts: Json = field(default_factory=dict)
    words: dict[str, Json] = field(default_factory=dict)
    added: Collection[BodyField] = ()

    def part_of(self, module: str) -> Part | None:
        """The plugin that a module belongs to, or None."""
        return next(
            (
                part
                for package, part in self.parts.items()
                if f"{module}.".startswith(f"{package}.")
            ),
            None,
        )

    def claim(self, name: str, owner: Any) -> None:
        """Reserve a name for a class or schema. Raises TypeError if another class or schema has
        it."""
        other = self.owners.setdefault(name, owner)
        if other is not owner:
            raise TypeError(f"{other!r} and {owner!r} both name a shape {name}: rename one of them")


def open_object(properties: Json, required: list[str]) -> Json:
    """The schema of an object that may also have unknown fields."""
    schema: Json = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return schema


def input_schema(
    node: colander.SchemaNode, components: Components | None = None, part: Part | None = None
) -> Json:
    """The JSON Schema of a Colander node, with its description and its default.

    In an open document, objects become named `components` of `part`.
    """
    schema = _input_schema(node, components or Components(), part or Part(""))
    if node.description:
        schema["description"] = node.description
    if isinstance(node.missing, str | int) and node.missing != "":
        schema["default"] = node.missing
    return schema


def _input_schema(node: colander.SchemaNode, components: Components, part: Part) -> Json:
    if isinstance(node.typ, Type):
        # If a value can only be null, describe it as "a string or null", because few client
        # generators support null alone.
        only_null = node.typ.schema == NULL and not components.closed
        schema = {"type": ["string", "null"]} if only_null else dict(node.typ.schema)
        return _opened(schema, components, part)
    if isinstance(node.typ, colander.Sequence):
        schema = {"type": "array", "items": input_schema(node.children[0], components, part)}
        if node.validator.min:
            schema["minItems"] = node.validator.min
        return {**schema, "maxItems": node.validator.max}
    if isinstance(node.typ, NullableMapping):
        return {"anyOf": [_object_schema(node, components, part), NULL]}
    return _object_schema(node, components, part)


def _description(meaning: str | None) -> Json:
    return {"description": meaning} if meaning else {}


def _opened(schema: Json, components: Components, part: Part) -> Json:
    """The schema of a Type. In an open document, an object becomes a component named by its title,
    its fields have descriptions, and an enumeration with null is written as in outputs."""
    if components.closed:
        return schema
    if "items" in schema:
        return {**schema, "items": _opened(schema["items"], components, part)}
    if None in schema.get("enum", ()):
        return {"anyOf": [without_null(schema), NULL]}
    if "title" not in schema:
        return schema
    name = part.named(schema["title"])
    components.claim(name, schema["properties"])
    properties = {
        # The schemas don't mention null, because clients can send an empty string or omit the
        # field.
        key: {**_description(part.meaning(schema["title"], key)), **without_null(each)}
        for key, each in schema["properties"].items()
    }
    components.schemas[name] = open_object(properties, schema["required"])
    return {"$ref": f"#/components/schemas/{name}"}


def without_null(schema: Json) -> Json:
    """`schema` without the value null, if it is an enumeration."""
    if None not in schema.get("enum", ()):
        return schema
    texts = [each for each in schema["enum"] if each is not None]
    return {**schema, "type": "string", "enum": texts}


def _object_schema(node: colander.SchemaNode, components: Components, part: Part) -> Json:
    name = type(node).__name__
    if components.closed or not isinstance(node, Schema):
        return input_object(node, components, part)
    # A schema that another plugin adds to a body is described by that plugin.
    part = components.part_of(type(node).__module__) or part
    reference = part.named(name)
    if typing.is_typeddict(components.owners.get(reference)):
        # An output shape already has this name.
        reference += "Input"
    components.claim(reference, type(node))
    if reference not in components.schemas:
        components.schemas[reference] = input_object(node, components, part)
        components.words[reference] = part.words
    return {"$ref": f"#/components/schemas/{reference}"}


def input_object(node: colander.SchemaNode, components: Components, part: Part) -> Json:
    """The schema of an object, with the descriptions of its fields. It forbids unknown fields if
    `node` rejects them (decisions A10), except in an open document."""
    properties = {}
    for child in node.children:
        owner = components.part_of(type(child).__module__)
        found = (each.meaning(type(node).__name__, child.name) for each in (part, owner) if each)
        described = _description(next(filter(None, found), None))
        properties[child.name] = {**described, **input_schema(child, components, part)}
    schema = open_object(properties, [child.name for child in node.children if child.required])
    if node.typ.unknown == "raise" and components.closed:
        schema["additionalProperties"] = False
    return schema


def output_schema(hint: Any, components: Components) -> Json:
    """The JSON Schema of a type. TypedDicts become named `components`. Raises TypeError for a type
    that responses can't have."""
    if hint in SCALARS:
        return SCALARS[hint]
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return {"type": "string", "enum": list(values_of(hint))}
    if origin is Literal:
        texts = all(isinstance(each, str) for each in arguments)
        return {**({"type": "string"} if texts else {}), "enum": list(arguments)}
    if origin is list:
        return {"type": "array", "items": output_schema(arguments[0], components)}
    if origin is dict:
        return {
            "type": "object",
            "additionalProperties": output_schema(arguments[1], components),
        }
    if origin in (typing.Union, types.UnionType):
        return _union(arguments, components)
    if typing.is_typeddict(hint):
        return _component(hint, components)
    raise TypeError(f"{hint!r} has no JSON Schema: use a TypedDict, or a type that JSON has")


def _union(hints: tuple[Any, ...], components: Components) -> Json:
    if components.closed:
        return {"anyOf": [output_schema(each, components) for each in hints]}
    lists = [each for each in hints if typing.get_origin(each) is list]
    if len(lists) > 1:
        items: Any = reduce(or_, (typing.get_args(each)[0] for each in lists))
        hints = (list[items], *(each for each in hints if each not in lists))
    shapes = [each for each in hints if typing.is_typeddict(each)]
    found = [output_schema(each, components) for each in hints if each not in shapes]
    if shapes:
        found.insert(0, _component_of_all(shapes, components))
    if len(found) == 1:
        return found[0]
    if len(found) == 2 and NULL in found:
        [kind] = [each for each in found if each is not NULL]
        if isinstance(kind.get("type"), str) and "enum" not in kind:
            return {**kind, "type": [kind["type"], "null"]}
    return {"anyOf": found}


def _component_of_all(shapes: list[Any], components: Components) -> Json:
    """One shape for a union of several, such as the profile of a candidate or of staff.

    It has the fields of all these shapes. A field is required if every shape requires it. Client
    generators for all languages support such a shape, while few of them support a choice.
    """
    if len(shapes) == 1:
        return _component(shapes[0], components)
    name = "Or".join(_name(each, components) for each in shapes)
    if name not in components.schemas:
        objects = [_object(each, components) for each in shapes]
        properties: Json = {}
        for each in objects:
            for key, schema in each["properties"].items():
                properties[key] = _either(properties.get(key, schema), schema)
        required = [key for key in properties if all(key in each["required"] for each in objects)]
        names = ", ".join(each.__name__ for each in shapes)
        components.schemas[name] = {
            "description": f"One of {names}. The fields show which one it is.",
            **open_object(properties, required),
        }
        components.firsts[name] = objects[0]
        components.words[name] = components.words[_name(shapes[0], components)]
    return {"$ref": f"#/components/schemas/{name}"}


def _either(one: Json, other: Json) -> Json:
    """The schema of a value that one of two schemas allows."""
    if one == other:
        return one
    if "enum" in one and "enum" in other:
        return {**one, "enum": [*dict.fromkeys((*one["enum"], *other["enum"]))]}
    return {"anyOf": [one, other]}


def _name(shape: Any, components: Components) -> str:
    owner = components.part_of(shape.__module__)
    return owner.named(shape.__name__) if owner else str(shape.__name__)


def _component(shape: Any, components: Components) -> Json:
    name = _name(shape, components)
    components.claim(name, shape)
    if name not in components.schemas:
        # Reserve the name before the fields are described, because a shape may contain itself.
        components.schemas[name] = {}
        components.schemas[name].update(_object(shape, components))
    return {"$ref": f"#/components/schemas/{name}"}


def _object(shape: Any, components: Components) -> Json:
    part = components.part_of(shape.__module__) or Part("")
    schema: Json = {"type": "object"}
    if components.closed:
        schema["additionalProperties"] = False
    if shape.__doc__:
        schema["description"] = inspect.cleandoc(shape.__doc__).replace("\n", " ")
    schema["required"], schema["properties"] = [], {}
    words = components.words[_name(shape, components)] = dict(part.words)
    for key, hint, is_required, owner in _fields(shape, components):
        meaning = None if components.closed else (owner or part).meaning(shape.__name__, key)
        schema["properties"][key] = {**output_schema(hint, components), **_description(meaning)}
        if owner and key in owner.words:
            words[key] = owner.words[key]
        if is_required:
            schema["required"].append(key)
    return schema


def _fields(shape: Any, components: Components) -> Iterator[tuple[str, Any, bool, Part | None]]:
    """The fields of a shape: name, type, whether the field is required, and the plugin that put it
    into a slot (None for the shape's own fields)."""
    for key, hint in typing.get_type_hints(shape, include_extras=True).items():
        is_required = key in shape.__required_keys__
        if typing.get_origin(hint) is NotRequired:
            hint = typing.get_args(hint)[0]
        if typing.get_origin(hint) is not Annotated:
            yield key, hint, is_required, None
            continue
        _, slot = typing.get_args(hint)
        for each in fields_of(slot, components.fields):
            yield each.name, each.type, True, components.part_of(each.load.__module__)
