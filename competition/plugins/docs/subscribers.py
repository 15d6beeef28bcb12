"""Build the documents when the application is assembled, before it processes requests."""

import inspect

from pyramid.exceptions import ConfigurationError

from competition.core.catalogue import ApiAssembled
from competition.core.events import subscriber
from competition.core.web.service import endpoints
from competition.plugins.docs.document import asyncapi, served


@subscriber(ApiAssembled)
def build_documents(event: ApiAssembled) -> None:
    """Build both documents. Raises ConfigurationError if a view, a shape or a type can't be
    described, or a glossary can't be read."""
    try:
        event.registry.document = served.describe(event.registry)
    except TypeError as error:
        raise ConfigurationError(f"The OpenAPI document can't be built: {error}.") from error
    try:
        event.registry.events_document = asyncapi.describe(event.registry)
    except TypeError as error:
        raise ConfigurationError(f"The AsyncAPI document can't be built: {error}.") from error


@subscriber(ApiAssembled)
def check_summaries(event: ApiAssembled) -> None:
    """Check that every view has a docstring. Raises ConfigurationError if one has none."""
    for endpoint in endpoints(event.registry):
        if not inspect.cleandoc(endpoint.view.__doc__ or ""):
            raise ConfigurationError(
                f"{endpoint.method} {endpoint.path} has no docstring"
                f" ({endpoint.view.__module__}.{endpoint.view.__name__}). Write one: its first line"
                " is the summary in the document."
            )
