"""Read a whole file: its lines, and the fields of its columns."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import IO

from competition.core.errors import Invalid
from competition.core.imports import TABLES, ImportKind, Line, Unreadable, is_windows_1252
from competition.core.messages import Message
from competition.plugins.imports.services.reading import encodings, headers, tables
from competition.plugins.imports.services.reading.formats import is_text


@dataclass(frozen=True)
class Content:
    """The lines of a file. `columns` has the fields by the headers of their columns, and `ignored`
    the other headers. A file that is no table has neither."""

    lines: Iterable[Line]
    columns: Mapping[str, str]
    ignored: list[str]


def check_limits(
    stream: IO[bytes], form: str, kind: ImportKind, asked: Mapping[str, str | None]
) -> None:
    """Check a file before it is stored. Raises Invalid if it has too many rows or columns, or a
    password.

    A file that can't be read for another reason is not rejected here. The check of the import then
    fails, and stores the reason.
    """
    try:
        for count, _ in enumerate(read(stream, form, kind, asked).lines, start=1):
            if count > tables.MOST_ROWS:
                raise tables.too_many_rows()
    except Unreadable as unreadable:
        if unreadable.is_rejected:
            raise Invalid.field("file", unreadable.message) from None


def read(
    stream: IO[bytes], form: str, kind: ImportKind, asked: Mapping[str, str | None]
) -> Content:
    """The lines of a file. `asked` maps headers to fields, in addition to the names of the columns.

    Raises Unreadable, now or while the lines are read, if the file can't be read or has no header.
    """
    stream.seek(0)
    content = _table(stream, form, kind, asked) if form in TABLES else _other(stream, form, kind)
    if is_text(form) and is_windows_1252(stream):
        return replace(content, lines=encodings.with_warnings(content.lines))
    return content


def _other(stream: IO[bytes], form: str, kind: ImportKind) -> Content:
    return Content(kind.readers[form](stream), {}, [])


def _table(
    stream: IO[bytes], form: str, kind: ImportKind, asked: Mapping[str, str | None]
) -> Content:
    names = headers.Names(kind, asked)
    found = []
    problem: Unreadable | None = None
    for table in tables.tables(stream, form):
        try:
            found.append((*headers.found_header(table.rows, names), table))
        except Unreadable as unreadable:
            # With another separator, the file may be readable.
            problem = unreadable
    if problem is not None and all(header.missing for header, *_ in found):
        raise problem
    # Read a text file with the separator with which the most columns are recognised.
    header, rows, table = max(found, key=lambda each: (not each[0].missing, *each[0].likeness))
    if header.missing:
        raise headers.unreadable_header(header, kind, table.sheet)
    lines = headers.lines_of(rows, header, table.separator, kind.numbered)
    if others := table.others():
        warning = Message(
            "Only the sheet “${sheet}” is read. If other sheets have rows too, save each of them as"
            " a file of its own: ${others}.",
            sheet=table.sheet,
            others=others,
        )
        lines = _with_warning(lines, warning)
    return Content(lines, header.columns, header.ignored)


def _with_warning(lines: Iterator[Line], warning: Message) -> Iterator[Line]:
    """The same lines, with this warning at the first of them."""
    for line in islice(lines, 1):
        yield replace(line, warnings=[warning, *line.warnings])
    yield from lines
