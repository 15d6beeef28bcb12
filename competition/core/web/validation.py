"""Validate a client's input with a Colander schema, and list the messages of each invalid field."""

from collections.abc import Iterable
from typing import Any

import colander

from competition.core.errors import Invalid
from competition.core.messages import Message
from competition.core.schemas import Schema
from competition.core.web import bodies
from competition.core.web.bodies import BodyField


def deserialize(
    schema: type[Schema], value: Any, added: Iterable[BodyField] = (), *, name: str = "body"
) -> dict[str, Any]:
    """Validate a value with a schema, and return the result.

    `added` are fields that plugins have added to bodies. Those that belong to this schema are
    validated, too. `name` is the name of the whole value in messages.

    Raises Invalid with the messages of all invalid fields (decisions A6).
    """
    try:
        validated: dict[str, Any] = bodies.whole(schema, added).deserialize(value)
    except colander.Invalid as refusal:
        errors = error_tree(refusal, name)
        raise Invalid(_first_message(errors), errors=errors) from None
    return validated


def error_tree(refusal: colander.Invalid, whole: str = "body") -> dict[str, Any]:
    """Colander's messages by field: ``{"answers": {"1": {"selected_option": ["…"]}}}``. `whole` is
    the name under which the tree has messages about the value itself."""
    tree: dict[str, Any] = {}
    for child in refusal.children:
        name = str(child.pos) if child.positional else child.node.name
        tree[name] = error_tree(child) if child.children else _messages(child)
    if not refusal.children:
        return {refusal.node.name or whole: _messages(refusal)}
    return tree


def _messages(refusal: colander.Invalid) -> list[str]:
    """The messages of a field. Colander returns a copy of `missing_msg` without the attribute
    `rule`, so this returns the original instead of the copy."""
    missing = refusal.node.missing_msg
    return [missing if message == missing else message for message in refusal.messages()]


def _first_message(tree: Any, path: str = "") -> str:
    if isinstance(tree, list):
        return Message("${field}: ${message}", field=path, message=tree[0])
    name, below = next(iter(tree.items()))
    return _first_message(below, f"{path}.{name}" if path else name)
