"""Exports: tables that staff can download as files, such as the results of an exam.

Core and all plugins can declare exports:

    config.add_export(
        "notes", "/exports/notes/", ".exports.notes", access=staff(StaffRole.ADMIN)
    )

The function `notes` in the module `exports` returns a `Table` with a SELECT. The names of the
selected columns are the headers of the file. The first paragraph of the function's docstring is the
summary of the export's endpoint in the API reference:

    def notes(work: Work, query: Query) -> Table:
        \"\"\"Export the notes, the latest first.\"\"\"
        return Table(select(Note.id, Note.text), order=(Note.id.desc(),))

Another plugin can add a filter to an export, as a query parameter of its endpoint:

    config.add_export_filter("notes", "course", ".schemas.COURSE", ".exports.of_course")

A plugin adds the endpoints and writes the files. If no such plugin is enabled, the declarations do
nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from pyramid.config import Configurator
from sqlalchemy import Row, Select

from competition.core.auth.access import Access
from competition.core.catalogue import OwnName, catalogue_of
from competition.core.errors import ApiError
from competition.core.work import Work


@dataclass(frozen=True)
class Table:
    """The contents of an export: the rows of a SELECT, ordered by the expressions in `order`.

    The names of the selected columns are the headers. If the columns of the file differ from the
    selected columns, `cells` turns a row into the values of a line, and `header` has the headers.
    `subject` names the object that the table is about, such as ``exam 7``, in the name of the file
    and in the audit trail.
    """

    rows: Select[*tuple[Any, ...]]
    order: Sequence[Any]
    subject: str = ""
    header: Sequence[str] = ()
    cells: Callable[[Row[Any]], Iterable[Any]] = tuple

    @property
    def headers(self) -> list[str]:
        return [*self.header] or [*self.rows.selected_columns.keys()]


# Writes the rows of a table to a file.
Writer = Callable[[BinaryIO, Table, Iterable[Row[Any]]], None]


@dataclass(frozen=True)
class Format:
    """A file format of exports. `write` writes such a file, and `most_rows` is how many rows it may
    have at most; None if there is no limit."""

    extension: str
    media_type: str
    write: Writer
    most_rows: int | None = None


@dataclass(frozen=True, kw_only=True)
class Export(OwnName):
    """A table that callers with `access` can download from `path`.

    `table` is called as ``(work, query, **path)``: with a Work that reads a single snapshot of the
    database, the values of the filters, and the arguments in the path. `query` is the schema of the
    filters. It may be the schema that a list uses, because the parameters for its pages are left
    out. `guard` and `errors` have the same meaning as for any endpoint
    (`competition.core.web.endpoint`). `formats` are further formats, in addition to those that
    every export has. If `by_school` is true, the table has a column `school`, and callers can get
    the rows of one school, or a file for each school.
    """

    name: str
    path: str
    table: Callable[..., Table]
    access: Access
    query: type[Any] | None = None
    guard: Callable[..., Any] | None = None
    errors: tuple[type[ApiError], ...] = ()
    formats: Mapping[str, Format] = field(default_factory=dict)
    by_school: bool = False
    # The JSON Schemas of the path's arguments, by name, in the same form as `schemas` of a Service.
    schemas: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class ExportFilter:
    """A filter that a plugin adds to an export, which may be another plugin's.

    `parameter` is the schema node of the query parameter `name`, and its default is None. If a
    client sends another value, `narrow` is called as ``(work, table, value)``, and returns the
    filtered table. `errors` are the errors that `narrow` raises.
    """

    export: str
    name: str
    parameter: Any
    narrow: Callable[[Work, Table, Any], Table]
    errors: tuple[type[ApiError], ...] = ()


def add_export(config: Configurator, name: str, path: str, table: Any, **options: Any) -> None:
    """Configuration directive ``config.add_export``: declare a table that staff can download.

    `options` are the fields of `Export`; `access` is required. `table`, and each option, may be the
    dotted path of its value. The paths are imported only in processes that answer requests.
    """
    if config.registry.has_endpoints:
        found = {option: config.maybe_dotted(value) for option, value in options.items()}
        export = Export(name=name, path=path, table=config.maybe_dotted(table), **found)
        catalogue_of(config).add(Export, name, export)


def add_export_filter(
    config: Configurator,
    export: str,
    name: str,
    parameter: Any,
    narrow: Any,
    *,
    errors: tuple[type[ApiError], ...] = (),
) -> None:
    """Configuration directive ``config.add_export_filter``: add a filter to an export.

    `parameter` and `narrow` may be dotted paths, as in ``config.add_export``.
    """
    if config.registry.has_endpoints:
        found = config.maybe_dotted(parameter), config.maybe_dotted(narrow)
        added = ExportFilter(export, name, *found, errors)
        catalogue_of(config).add(ExportFilter, f"{export}.{name}", added)


def includeme(config: Configurator) -> None:
    config.add_directive("add_export", add_export)
    config.add_directive("add_export_filter", add_export_filter)
