"""Build the OpenAPI document of an application when it starts, and check the declarations."""

import inspect
from importlib import import_module, metadata
from typing import Any

from pyramid.events import subscriber
from pyramid.exceptions import ConfigurationError

from competition.core.catalogue import Assembled
from competition.core.document import examples, glossary
from competition.core.document.openapi import document
from competition.core.document.shapes import Json, Part
from competition.core.slots import Field
from competition.core.web.bodies import BodyField
from competition.core.web.service import endpoints

# The package of the plugins of this repository.
BUILT_IN_PLUGINS = "competition.plugins."

CORE = Part(
    "service",
    "Whether the service is up, and the files that temporary links lead to.",
    dict(examples.CORE),
    glossary=glossary.of("competition.core"),
)
# The licence of the service.
LICENCE, LICENCE_URL = "MIT", "https://spdx.org/licenses/MIT.html"


def describe(registry: Any, *, closed: bool = False) -> Json:
    """The OpenAPI document of an application. Raises TypeError for a view or a type that can't be
    described."""
    runtime = registry.runtime
    described = document(
        endpoints(registry),
        parts=parts_of(registry),
        server=runtime.api_url,
        version=metadata.version("competition"),
        description=runtime.service.description,
        fields=runtime.catalogue[Field].values(),
        closed=closed,
        added=runtime.catalogue[BodyField].values(),
    )
    described["info"].update(details(registry))
    return described


def details(registry: Any) -> Json:
    """The title, version, licence and contact for the document."""
    service = registry.runtime.service
    return {
        "title": "Competition Service",
        "version": metadata.version("competition"),
        "license": {"name": LICENCE, "url": LICENCE_URL},
        "contact": {"name": service.name, "email": service.support_email},
    }


def parts_of(registry: Any) -> dict[str, Part]:
    """Core and the enabled plugins, by their packages."""
    runtime = registry.runtime
    vocabularies = runtime.catalogue[examples.Vocabulary]
    words = {package: each.words for package, each in vocabularies.items()}
    plugins = {package: _part(package, name, words) for package, name in runtime.packages.items()}
    return plugins | {"competition.core": CORE}


@subscriber(Assembled)
def build_document(event: Assembled) -> None:
    """Build the document when the application is assembled. Raises ConfigurationError if a
    view or a type can't be described, or a glossary can't be read."""
    try:
        event.registry.document = describe(event.registry)
    except TypeError as error:
        raise ConfigurationError(f"The OpenAPI document can't be built: {error}.") from error


@subscriber(Assembled)
def check_summaries(event: Assembled) -> None:
    """Check that every view has a docstring. Raises ConfigurationError if one has none."""
    for endpoint in endpoints(event.registry):
        if not inspect.cleandoc(endpoint.view.__doc__ or ""):
            raise ConfigurationError(
                f"{endpoint.method} {endpoint.path} has no docstring"
                f" ({endpoint.view.__module__}.{endpoint.view.__name__}). Write one: its first line"
                " is the summary in the document."
            )


@subscriber(Assembled)
def check_body_fields(event: Assembled) -> None:
    """Check that each added field has a body. Raises ConfigurationError if no endpoint takes a
    body with the field's slot."""
    slots = {getattr(each.body, "slot", None) for each in endpoints(event.registry)}
    for added in event.registry.runtime.catalogue[BodyField].values():
        if added.slot not in slots:
            known = ", ".join(sorted(filter(None, slots))) or "none"
            raise ConfigurationError(
                f"The field {added.name!r} is added to the body {added.slot!r}, which no endpoint"
                f" takes. Require the plugin that declares this body. Known bodies: {known}."
            )


def _part(package: str, name: str, words: dict[str, Json]) -> Part:
    """The Part of a plugin. Its description is the first paragraph of the package's docstring.

    An example uses the plugin's word for a field. If there is none, it uses core's word, or else
    the word of a built-in plugin.
    """
    description = inspect.cleandoc(import_module(package).__doc__ or "").partition("\n\n")[0]
    ours = (each for owner, each in words.items() if owner.startswith(BUILT_IN_PLUGINS))
    others = {name: value for each in ours for name, value in each.items()}
    return Part(
        name,
        description.replace("\n", " "),
        {**others, **examples.CORE, **words.get(package, {})},
        prefix="" if package.startswith(BUILT_IN_PLUGINS) else name,
        glossary={**CORE.glossary, **glossary.of(package)},
    )
