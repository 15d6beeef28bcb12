"""The endpoints of exports: one for each table that core or a plugin declares."""

from collections.abc import Sequence
from typing import Any

from pyramid.config import Configurator
from pyramid.response import FileIter, Response

from competition.core.catalogue import catalogue_of
from competition.core.exports import Export, ExportFilter
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.exports.errors import ExportRunning
from competition.plugins.exports.schemas import query_of
from competition.plugins.exports.services import writing
from competition.plugins.exports.services.formats import formats_of


def add_operations(config: Configurator) -> None:
    """Add an endpoint for each export that core and the plugins have declared with
    `config.add_export`."""
    catalogue = catalogue_of(config)
    for export in catalogue[Export].values():
        added = [each for each in catalogue[ExportFilter].values() if each.export == export.name]
        config.add_service(service_of(export, added))


def service_of(export: Export, added: Sequence[ExportFilter]) -> Service:
    """The service of an export: its path, with the GET endpoint that writes and sends the file.
    `added` are the filters that plugins have added to the export."""
    schemas = {name: dict(schema) for name, schema in export.schemas.items()}
    service, query = Service(export.path, schemas), query_of(export, added)
    defaults = {each.name: each.missing for each in query().children}
    media_types = [each.media_type for each in formats_of(export).values()]
    if export.by_school:
        media_types.append(writing.ZIP)

    def view(request: Request, **path: Any) -> Any:
        given = request.validated
        filters = {
            name: value
            for name, value in given.items()
            if name != "format" and value != defaults[name]
        }
        file = writing.write(request.work, export, added, path, given, filters)
        is_text = file.media_type.startswith("text/")
        response = Response(
            app_iter=FileIter(file.stream),
            content_type=file.media_type,
            charset="utf-8" if is_text else None,
            content_length=file.length,
        )
        response.headers["Content-Disposition"] = f'attachment; filename="{file.name}"'
        return response

    # With these names, the OpenAPI document lists the endpoint among those of the plugin that
    # declares the table.
    view.__module__, view.__doc__ = export.table.__module__, export.table.__doc__
    view.__name__ = view.__qualname__ = f"export_{export.name.replace('.', '_')}"
    service.get(
        access=export.access,
        query=query,
        guard=export.guard,
        errors=(*export.errors, *(error for each in added for error in each.errors), ExportRunning),
        media_type=tuple(media_types),
    )(view)
    return service
