"""Write an export to a temporary file.

The file is complete before its first byte is sent. So a slow client holds no connection to the
database, an error is a reply and not half a file, and a client knows the length.
"""

import os
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, Any, BinaryIO

from sqlalchemy import ARRAY, Result, Row, String, func, literal

from competition.core import audit
from competition.core.audit import security_log
from competition.core.database import over_sets
from competition.core.errors import Invalid
from competition.core.exports import Export, ExportFilter, Format, Table
from competition.core.messages import Message
from competition.core.texts import name_key
from competition.core.users import schools
from competition.core.work import Work, changing, snapshot
from competition.plugins.exports.errors import ExportRunning
from competition.plugins.exports.services.formats import formats_of
from competition.plugins.exports.services.names import SchoolNames, file_name

# How many rows are read at a time.
ROWS_AT_A_TIME = 1000
ZIP = "application/zip"


class Turn:
    """A lock that lets only one export of the process run at a time, because an export keeps a
    processor busy that other requests need too. All threads share one instance
    (`Runtime.part`)."""

    def __init__(self) -> None:
        self.lock = Lock()


@dataclass(frozen=True)
class WrittenFile:
    stream: IO[bytes]
    length: int
    name: str
    media_type: str


class Counted:
    """An iterator over rows that counts them. Raises Invalid if there are more than the format
    allows."""

    def __init__(self, rows: Iterable[Row[Any]], most: int | None) -> None:
        self.rows = iter(rows)
        self.most = most
        self.count = 0

    def __iter__(self) -> Iterator[Row[Any]]:
        return self

    def __next__(self) -> Row[Any]:
        row = next(self.rows)
        self.count += 1
        if self.most is not None and self.count > self.most:
            raise Invalid.field(
                "format",
                Message(
                    "There are more than ${max} rows. Choose csv, or use filters.", max=self.most
                ),
            )
        return row


def write(
    work: Work,
    export: Export,
    added: Sequence[ExportFilter],
    path: Mapping[str, Any],
    query: Mapping[str, Any],
    filters: Mapping[str, Any],
) -> WrittenFile:
    """Write a table to a temporary file, and record that in the audit trail. The caller closes the
    file.

    `added` are the filters that plugins have added. `path` has the values of the URL's path, and
    `query` all parameters of the query with their defaults. `filters` has only those that the
    client has set, for the audit trail.

    Raises ExportRunning if the process is writing another export. Raises Invalid if the table does
    not fit into the format, and the errors of the table and its filters.
    """
    turn = work.runtime.part(Turn)
    if not turn.lock.acquire(blocking=False):
        raise ExportRunning
    stream = TemporaryFile()  # noqa: SIM115  # the caller closes it
    try:
        chosen = formats_of(export)[query["format"]]
        with snapshot(work) as reader, over_sets(reader.db):
            table = export.table(reader, query, **path)
            for each in added:
                if query[each.name] is not None:
                    table = each.narrow(reader, table, query[each.name])
            is_archive = query.get("per_school")
            with rows_of(reader, table, query) as found:
                rows = Counted(found, chosen.most_rows)
                if is_archive:
                    _write_archive(stream, chosen, table, rows)
                else:
                    chosen.write(stream, table, rows)
        _record(work, export, table, query["format"], filters, rows.count)
    except BaseException:
        stream.close()
        raise
    finally:
        turn.lock.release()
    length = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    extension, media_type = ("zip", ZIP) if is_archive else (chosen.extension, chosen.media_type)
    name = file_name(export.name, table.subject, work.now.date(), extension)
    return WrittenFile(stream, length, name, media_type)


def rows_of(work: Work, table: Table, query: Mapping[str, Any]) -> Result[*tuple[Any, ...]]:
    """The rows of the table, which are fetched from the database a thousand at a time.

    With `school` in the query, they are only the rows of this school, whichever of its names and
    spellings they have. With `per_school`, for an archive, the rows are ordered by school.
    """
    statement, order = table.rows, table.order
    if query.get("school"):
        wanted = name_key(schools.own_name(work, query["school"]))
        own = schools.own_names(work, _schools(work, table))
        names = [name for name in own if name_key(own[name]) == wanted]
        statement = statement.where(_school(table).in_(names))
    if query.get("per_school"):
        names = _schools(work, table)
        keys = (
            func.unnest(
                literal(names, ARRAY(String)), literal([*map(name_key, names)], ARRAY(String))
            )
            .table_valued("name", "key", name="school_name")
            .render_derived()
        )
        statement = statement.outerjoin(keys, keys.c.name == _school(table))
        order = (keys.c.key, *order)
    statement = statement.order_by(None).order_by(*order)
    return work.db.execute(statement, execution_options={"yield_per": ROWS_AT_A_TIME})


def _schools(work: Work, table: Table) -> list[str]:
    """The names of all schools in the table, each in all its spellings."""
    names = table.rows.with_only_columns(_school(table)).order_by(None).distinct()
    return [name for name in work.db.scalars(names) if name is not None]


def _school(table: Table) -> Any:
    return table.rows.selected_columns["school"]


def _write_archive(
    stream: BinaryIO, chosen: Format, table: Table, rows: Iterable[Row[Any]]
) -> None:
    """Write a ZIP archive with a file for each school. The rows have to be ordered by school."""
    names = SchoolNames(chosen.extension)
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for _, group in groupby(rows, lambda row: name_key(row.school or "")):
            same = iter(group)
            first = next(same)
            # Write to a temporary file first: a spreadsheet is itself an archive, and writing one
            # needs a file that can seek.
            with TemporaryFile() as file:
                chosen.write(file, table, chain((first,), same))
                file.seek(0)
                with archive.open(names.name(first.school or ""), "w") as member:
                    shutil.copyfileobj(file, member)


def _record(
    work: Work,
    export: Export,
    table: Table,
    format: str,
    filters: Mapping[str, Any],
    rows: int,
) -> None:
    """Record the export in the audit trail and in the security log. This is committed before the
    first byte is sent."""
    with changing(work) as writer:
        new = {"table": export.name, "format": format, "filters": filters, "rows": rows}
        audit.record(writer, "table.export", subject=table.subject, new=new)
        security_log.record_committed(writer, "table_exported", table=export.name, rows=rows)
