"""Fields that a plugin adds to the request body of another plugin's endpoint.

The plugin that owns the endpoint names its body schema with `slot`:

    class CandidateRegistration(Registration):
        slot = "accounts.candidate_registration"

Another plugin, which requires the owner, adds a field. The field is an object with a schema of its
own, and is required unless that schema has the line ``missing = None``:

    config.add_body_field("accounts.candidate_registration", "consent", ".schemas.Consent")

The view finds the validated fields in ``request.validated["contributed"]``, by name. It must emit
them in an event, so that the plugins that added them can handle them. The argument `errors` of
``config.add_body_field`` lists the errors that these subscribers may raise.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from pyramid.config import Configurator

from competition.core.catalogue import catalogue_of
from competition.core.errors import ApiError
from competition.core.schemas import REQUIRED, Schema


@dataclass(frozen=True)
class BodyField:
    """A field that a plugin adds to the body of another plugin's endpoint. `slot` names the body's
    schema. `errors` are the errors, other than Invalid, that the plugin raises when it handles the
    field."""

    slot: str
    name: str
    schema: type[Schema]
    errors: tuple[type[ApiError], ...] = ()
    # Whether the plugin that declares the body may be disabled.
    is_optional: bool = False


def whole(schema: type[Schema], fields: Iterable[BodyField]) -> Schema:
    """An instance of a body schema, with those of `fields` that plugins have added to this
    schema."""
    return _built(schema, added_to(schema, fields))  # type: ignore[arg-type]  # a class is hashable


# Cached, because each request with a body or a query needs an instance: schemas hold no state
# between requests, and are slow to build.
@cache
def _built(schema: type[Schema], added: tuple[BodyField, ...]) -> Schema:
    built = schema()
    for field in added:
        built.add(field.schema(name=field.name, missing_msg=REQUIRED))
    return built


def split(
    schema: type[Schema], fields: Iterable[BodyField], validated: dict[str, Any]
) -> dict[str, Any]:
    """The validated body, with the fields that plugins added moved to ``contributed``.

    A schema without a slot can have no such fields: its body is returned unchanged.
    """
    if schema.slot is None:
        return validated
    names = {field.name for field in added_to(schema, fields)}
    own = {name: value for name, value in validated.items() if name not in names}
    return {**own, "contributed": {name: validated.get(name) for name in names}}


def added_to(schema: type[Schema], fields: Iterable[BodyField]) -> tuple[BodyField, ...]:
    """Return the fields among `fields` that belong to this schema's slot."""
    return tuple(field for field in fields if field.slot == schema.slot)


def add_body_field(
    config: Configurator,
    slot: str,
    name: str,
    schema: type[Schema] | str,
    *,
    errors: tuple[type[ApiError], ...] = (),
    is_optional: bool = False,
) -> None:
    """Configuration directive ``config.add_body_field``: add a field to another plugin's body.

    `schema` may be the dotted path of the schema, which is imported when this is called.
    With `is_optional`, nothing happens if the plugin that declares the body is disabled.
    """
    field = BodyField(slot, name, config.maybe_dotted(schema), errors, is_optional)
    catalogue_of(config).add(BodyField, f"{slot}.{name}", field)


def includeme(config: Configurator) -> None:
    config.add_directive("add_body_field", add_body_field)
