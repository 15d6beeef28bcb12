"""The OpenAPI document of an application: core and the enabled plugins."""

import inspect
from importlib import import_module, metadata
from typing import Any

from competition.core import examples
from competition.core.slots import Field
from competition.core.web.bodies import BodyField
from competition.core.web.service import endpoints
from competition.plugins.docs.document import glossary
from competition.plugins.docs.document.openapi import document
from competition.plugins.docs.document.shapes import Json, Part

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
    """The `Part` (tag, example values and descriptions of fields) of core and of each enabled
    plugin, by its package."""
    runtime = registry.runtime
    vocabularies = runtime.catalogue[examples.Vocabulary]
    words = {package: each.words for package, each in vocabularies.items()}
    plugins = {package: _part(package, name, words) for package, name in runtime.packages.items()}
    return plugins | {"competition.core": CORE}


def _part(package: str, name: str, words: dict[str, Json]) -> Part:
    """How a plugin appears in the document. Its description is the first paragraph of the
    package's docstring.

    The example value of a field is the one that the plugin has registered. If there is none, it is
    core's, and otherwise that of a built-in plugin.
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
