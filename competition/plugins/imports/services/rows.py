"""Store the rows of imports, and read them again."""

import io
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Select, delete, func, insert, select

from competition.core.imports import Errors, Line, Row, imported_people
from competition.core.messages import packed, unpacked
from competition.core.storage import files
from competition.core.storage.pictures import received_file
from competition.core.users import accounts
from competition.core.work import Work
from competition.plugins.imports.models import Import, ImportRow

# How many characters of a cell are shown if the cell has no valid value.
LONGEST_SHOWN = 500


def store(work: Work, found: Import, rows: Sequence[Row], first: int) -> None:
    """Store rows that are checked. `first` is the position of the first of them among the rows of
    the file, from 0.

    A row about a person who has been erased in the meantime is stored without its values.
    """
    kept = accounts.keep_from_erasure(work, {each.user_id for each in rows if each.user_id})
    stored = []
    for position, row in enumerate(rows, start=first):
        is_erased = row.user_id is not None and row.user_id not in kept
        line = row.line
        source = {
            "cells": line.cells,
            "types": line.types,
            "errors": _packed_errors(line.errors),
            "warnings": [packed(each) for each in line.warnings],
            "alts": line.alts,
        }
        stored.append(
            {
                "import_id": found.id,
                "position": position,
                "line": line.number,
                "user_id": row.user_id,
                "files": _stored_pictures(work, found, row),
                "errors": _packed_errors(row.errors),
                "warnings": [packed(each) for each in row.warnings],
                "source": {name: {} for name in source} if is_erased else source,
                "state": "invalid" if is_erased else row.state,
                "values": {} if is_erased else shown(row),
                "before": {} if is_erased else msgspec.to_builtins(row.before),
            }
        )
    work.db.execute(insert(ImportRow), stored)


def _stored_pictures(work: Work, found: Import, row: Row) -> dict[str, str]:
    """Store the pictures of a row, unless it is invalid. Returns their storage keys by the names of
    the pictures. The check of the row has already verified that they are pictures."""
    keys = {}
    for name, content in row.line.pictures.items() if row.state != "invalid" else ():
        stream = io.BytesIO(content)
        extension = received_file(stream, name, filename=name).extension
        keys[name] = files.store(work, stream, extension, plugin="imports", subject=subject(found))
    return keys


def shown(row: Row) -> dict[str, Any]:
    """The values of a row, and the cells that have no valid value, as JSON. Long cells are cut,
    because a cell may be as long as a file, which is too long for an index."""
    cells = {
        name: text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
        for name, text in row.line.cells.items()
    }
    values: dict[str, Any] = msgspec.to_builtins({**cells, **row.values})
    return values


def _packed_errors(errors: Any) -> dict[str, list[Any]]:
    return {name: [packed(each) for each in messages] for name, messages in errors.items()}


def _unpacked_errors(errors: Any) -> Errors:
    return {name: [unpacked(each) for each in messages] for name, messages in errors.items()}


def is_outdated(stored_row: ImportRow, row: Row) -> bool:
    """Whether applying a row would now have another effect than the stored row shows."""
    effect = (stored_row.state, stored_row.values, stored_row.before)
    return effect != (row.state, shown(row), msgspec.to_builtins(row.before))


def stored(work: Work, found: Import) -> list[ImportRow]:
    """The rows of an import, in the order of the file."""
    rows = select(ImportRow).where(ImportRow.import_id == found.id).order_by(ImportRow.position)
    return list(work.db.scalars(rows))


def line_of(row: ImportRow) -> Line:
    """The line of a stored row, as it was read."""
    source = row.source
    return Line(
        row.line,
        source["cells"],
        source["types"],
        _unpacked_errors(source["errors"]),
        [unpacked(each) for each in source["warnings"]],
        alts=source["alts"],
    )


def counts(work: Work, found: Import) -> dict[str, int]:
    """The number of rows of an import by state, and of all rows."""
    counted = (
        select(ImportRow.state, func.count())
        .where(ImportRow.import_id == found.id)
        .group_by(ImportRow.state)
    )
    by_state: dict[str, int] = {state: count for state, count in work.db.execute(counted)}
    return {"rows": sum(by_state.values()), **by_state}


def invitations(work: Work, import_id: int) -> int:
    """How many rows of an import would create an account with an email address."""
    would_invite = (
        ImportRow.import_id == import_id,
        ImportRow.state == "new",
        ImportRow.user_id.is_(None),
        ImportRow.values.has_key("email"),
    )
    return work.db.scalar(select(func.count()).where(*would_invite)) or 0


def people(import_id: int) -> Select[Any]:
    """SELECT of the ids of the accounts that the rows of an import are about."""
    is_known = ImportRow.user_id.is_not(None)
    return select(ImportRow.user_id).where(ImportRow.import_id == import_id, is_known)


@imported_people("imports")
def people_of(work: Work, import_id: int, kind: str, scope: int) -> Select[Any] | None:
    """SELECT of the ids of the accounts that the rows of an import are about. None if there is no
    such import of this kind and scope, or if it is not checked.

    See `competition.core.imports.people_of`.
    """
    found = work.db.get(Import, import_id)
    if found is None or (found.kind, found.scope) != (kind, scope):
        return None
    return people(import_id) if found.status in ("checked", "applying", "applied") else None


def delete_of(work: Work, found: Import) -> None:
    """Delete the rows of an import, and their pictures."""
    work.db.execute(delete(ImportRow).where(ImportRow.import_id == found.id))
    files.delete_of(work, subject(found))


def subject(found: Import) -> str:
    """The subject of the files and of the audit entries of an import."""
    return f"import {found.id}"
