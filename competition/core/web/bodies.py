"""Fields that plugins add to the body that an endpoint of another one takes.

The owner names its schema, and tells what came in for others, in an event:

    class CandidateRegistration(Registration):
        slot = "accounts.candidate_registration"

Whoever is above adds a field, an object by a schema of its own, which is required from then on,
unless the schema has the line ``missing = None``:

    config.add_body_field("accounts.candidate_registration", "consent", ".schemas.Consent")

Validated, it stands in ``request.validated["contributed"]``, by its name. `errors` are what those
raise who hear of it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import colander
from pyramid.config import Configurator

from competition.core.catalogue import catalogue_of
from competition.core.errors import ApiError
from competition.core.schemas import Schema


@dataclass(frozen=True)
class BodyField:
    """`slot` is the name of the schema that it is added to; `errors` are what whoever hears of it
    raises besides Invalid."""

    slot: str
    name: str
    schema: type[Schema]
    errors: tuple[type[ApiError], ...] = ()


def whole(schema: type[colander.Schema], fields: Iterable[BodyField]) -> colander.Schema:
    """An instance of a schema, with those of the fields that were added to it."""
    return _built(schema, added_to(schema, fields))  # type: ignore[arg-type]  # a class is hashable


# Cached, because each request with a body or a query needs an instance: schemas hold no state
# between requests, and are slow to build.
@cache
def _built(schema: type[colander.Schema], added: tuple[BodyField, ...]) -> colander.Schema:
    built = schema()
    for field in added:
        built.add(field.schema(name=field.name, missing_msg="This field is required."))
    return built


def split(
    schema: type[colander.Schema], fields: Iterable[BodyField], validated: dict[str, Any]
) -> dict[str, Any]:
    """What was validated, with what is for others apart, where the schema has a slot."""
    if getattr(schema, "slot", None) is None:
        return validated
    names = {field.name for field in added_to(schema, fields)}
    own = {name: value for name, value in validated.items() if name not in names}
    return {**own, "contributed": {name: validated.get(name) for name in names}}


def added_to(schema: type[colander.Schema], fields: Iterable[BodyField]) -> tuple[BodyField, ...]:
    slot = getattr(schema, "slot", None)
    return tuple(field for field in fields if field.slot == slot)


def add_body_field(
    config: Configurator,
    slot: str,
    name: str,
    schema: type[Schema] | str,
    *,
    errors: tuple[type[ApiError], ...] = (),
) -> None:
    """Configuration directive ``config.add_body_field``; `schema` may be a
    dotted name, because schemas import their plugin's package."""
    field = BodyField(slot, name, config.maybe_dotted(schema), errors)
    catalogue_of(config).add(BodyField, f"{slot}.{name}", field)


def includeme(config: Configurator) -> None:
    config.add_directive("add_body_field", add_body_field)
