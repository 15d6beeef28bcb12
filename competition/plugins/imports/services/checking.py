"""Check an uploaded file, in the first of the two jobs of an import.

The check reads without a transaction, and its rows are stored in many transactions. So the progress
moves while a long file is checked, and no lock is held. A worker that dies leaves rows behind; the
next run deletes them.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from uuid import UUID

from sqlalchemy import delete

from competition.core.errors import PermissionDenied
from competition.core.imports import LINE, Asked, ImportKind, Line, Row, Unreadable
from competition.core.messages import Message, packed
from competition.core.runtime import Runtime
from competition.core.storage import files
from competition.core.users import callers
from competition.core.users.models import User
from competition.core.work import Work, reading
from competition.plugins.imports.models import Import, ImportRow
from competition.plugins.imports.services import asking, rows
from competition.plugins.imports.services.reading import files as files_of_rows
from competition.plugins.imports.services.reading.headers import NoHeader
from competition.plugins.imports.services.reading.tables import no_rows

# A transaction stores at most `CHUNK` rows, or the rows that were checked within `PAUSE` seconds.
CHUNK, PAUSE = 500, 0.5
# Stands for a byte that the encoding of a text file does not have.
UNKNOWN = "\ufffd"

Begin = Callable[[], AbstractContextManager[Work]]


class Stopped(Exception):
    """The import was cancelled while it was being checked."""


def check(runtime: Runtime, begin: Begin, import_id: int) -> None:
    """Check a file, and store its rows. `begin` begins a transaction of the job.

    Raises Unreadable if the file can't be read, an ApiError if the import is not possible any
    longer, and Stopped if it was cancelled.
    """
    with begin() as work:
        found = _checking(work, import_id)
        work.db.execute(delete(ImportRow).where(ImportRow.import_id == import_id))
        found.done = 0
        kind = kind_of(work, found)
        file, form, asked_columns = found.file, found.format, found.asked_columns
    assert file is not None
    with reading(runtime) as work:
        with files.open(work, file) as stream:
            try:
                content = files_of_rows.read(stream, form, kind, asked_columns)
            except NoHeader as problem:
                # Store the columns of the line that came closest, so that a page can offer them.
                with begin() as writer:
                    found = _checking(writer, import_id)
                    found.columns = problem.header.columns
                    found.ignored_columns = problem.header.ignored
                raise
            lines = list(content.lines)
        if not lines and not content.columns:
            raise no_rows()
        if not lines:
            raise Unreadable(
                Message(
                    "This file has a header, but no rows below it. Add the rows, and send it again."
                )
            )
        fields = frozenset(content.columns.values())
        with begin() as writer:
            found = _checking(writer, import_id)
            found.total = len(lines)
            found.columns = dict(content.columns)
            found.ignored_columns = content.ignored
            exam_id, created_by_id, scope = found.exam_id, found.created_by_id, found.scope
        act_for(work, created_by_id, kind, scope)
        asked = Asked(import_id, exam_id, fields, scope=scope)
        basis = kind.basis and kind.basis(work, asked)
        with begin() as writer:
            _checking(writer, import_id).basis = basis
        for first, chunk in _chunks(checked(work, kind, asked, lines)):
            with begin() as writer:
                found = _checking(writer, import_id)
                rows.store(writer, found, chunk, first)
                found.done = first + len(chunk)


def finish(work: Work, import_id: int) -> None:
    """Set the status of an import to `checked`, store the counts of its rows, and delete its file.

    Raises Stopped if the import was cancelled.
    """
    found = _checking(work, import_id)
    found.status = "checked"
    found.checked_at = work.now
    found.counts = rows.counts(work, found)
    kind = work.runtime.catalogue[ImportKind].get(found.kind)
    if kind is not None and kind.invites:
        found.counts = {**found.counts, "invitations": rows.invitations(work, import_id)}
    if kind is not None and kind.missing is not None:
        asked = Asked(import_id, found.exam_id, frozenset(), scope=found.scope)
        named: list[UUID] = [*work.db.scalars(rows.people(import_id))]
        found.counts = {**found.counts, "missing": kind.missing(work, asked, named)}
    asking.remove_file(work, found)


def fail(work: Work, import_id: int, detail: str) -> None:
    """Mark an import as failed, and store the reason `detail`. If the import was being checked,
    delete its rows. Does nothing if the import is neither being checked nor being applied, for
    example because it was cancelled."""
    found = work.db.get(Import, import_id, with_for_update=True, populate_existing=True)
    if found is None or found.status not in ("checking", "applying"):
        return
    was_checking = found.status == "checking"
    found.detail = packed(detail)
    asking.end(work, found, "failed")
    if was_checking:
        rows.delete_of(work, found)


def _checking(work: Work, import_id: int) -> Import:
    found = work.db.get(Import, import_id, with_for_update=True, populate_existing=True)
    if found is None or found.status != "checking":
        raise Stopped
    return found


def kind_of(work: Work, found: Import) -> ImportKind:
    """The kind of an import. Raises Unreadable if its plugin has been disabled."""
    kind = work.runtime.catalogue[ImportKind].get(found.kind)
    if kind is None:
        raise Unreadable(
            Message(
                "The plugin for this kind of import has been disabled. Ask the operator to"
                " enable it, and send the file again."
            )
        )
    return kind


def act_for(work: Work, user_id: object, kind: ImportKind, scope: int | None) -> None:
    """Make a user the actor of this work, with the user's current rights.

    Raises Unreadable if the account is no longer active. Raises PermissionDenied, or another error
    of access, if the user may no longer import the kind, or if the user's scope, such as their
    school, is no longer `scope`.
    """
    user = work.db.get(User, user_id) if user_id is not None else None
    if user is None or not user.is_active:
        raise Unreadable(
            Message(
                "The account that sent or applied this import is no longer active. Another"
                " member of staff has to send the file again."
            )
        )
    # The second factor was checked when the user uploaded or applied the import.
    identity = callers.identity_of(work, user, user.id, has_second_factor=True)
    work.actor = replace(identity, session_id=None)
    refusal = kind.access.refusal(work.actor)
    if refusal is not None:
        raise refusal
    if kind.scope is not None and kind.scope(work) != scope:
        raise PermissionDenied


def checked(
    work: Work,
    kind: ImportKind,
    asked: Asked,
    lines: list[Line],
    stored_pictures: Iterable[Mapping[str, str]] = (),
) -> Iterator[Row]:
    """The rows of these lines, checked by the function `check` of their kind. When an import is
    applied, `stored_pictures` are the `files` of its rows."""
    found = [_row(kind, line) for line in lines]
    for row, keys in zip(found, stored_pictures, strict=False):
        row.files = keys
    for row in kind.check(work, asked, found):
        if row.errors:
            row.state = "invalid"
            row.before = {}
        yield row


def _row(kind: ImportKind, line: Line) -> Row:
    row = Row(line, {}, warnings=[*line.warnings])
    found = {name: [*messages] for name, messages in line.errors.items()}
    if LINE in found:
        row.errors = found
    else:
        # The valid cells are read, too, so that the row's person is known.
        valid = {name: text for name, text in line.cells.items() if name not in found}
        row.values, row.errors = kind.read(valid)
        row.errors |= found
    if row.errors:
        row.state = "invalid"
    row.warnings += _doubts(row)
    return row


def _doubts(row: Row) -> Iterator[Message]:
    """Warnings about cells that were probably typed in another way than they are stored."""
    for name, text in row.line.cells.items():
        is_text = isinstance(row.values.get(name), str)
        if is_text and row.line.types.get(name) in ("date", "boolean"):
            yield Message(
                "The spreadsheet stores ${field} as ${value}. Is that what you have typed?",
                field=name,
                value=text,
            )
        if UNKNOWN in text:
            yield Message(
                "${field} has a character that can't be read (${character}). Correct the cell, or"
                " save the file as UTF-8, and send it again.",
                field=name,
                character=UNKNOWN,
            )


def _chunks(checked_rows: Iterator[Row]) -> Iterator[tuple[int, list[Row]]]:
    """The rows in chunks, each as a pair of the position of its first row, from 0, and the rows."""
    first, chunk = 0, list[Row]()
    began = time.monotonic()
    for row in checked_rows:
        chunk.append(row)
        if len(chunk) == CHUNK or time.monotonic() - began > PAUSE:
            yield first, chunk
            first, chunk = first + len(chunk), []
            began = time.monotonic()
    if chunk:
        yield first, chunk
