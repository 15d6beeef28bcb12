"""Upload, read and cancel imports."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Text, and_, cast, false, or_, select, true

from competition.core import audit
from competition.core.auth.access import StaffRole, has_rank
from competition.core.errors import ApiError, Invalid, NotFound, existing
from competition.core.imports import Asked, ImportKind
from competition.core.jobs import jobs
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.messages import Message
from competition.core.seasons import current as seasons
from competition.core.storage import files
from competition.core.storage.pictures import ReceivedFile
from competition.core.work import Work
from competition.plugins.imports.models import Import, ImportRow
from competition.plugins.imports.services import rows
from competition.plugins.imports.services.reading import files as reading
from competition.plugins.imports.services.reading import formats, headers

# The longest name of a file that is stored, in characters.
LONGEST_NAME = 255
ORDERING = {
    "id": Import.id,
    "filename": Import.filename,
    "kind": Import.kind,
    "status": Import.status,
    "created_at": Import.created_at,
}
ROW_ORDERING = {"line": ImportRow.position}


def kind_named(work: Work, kind: str) -> ImportKind:
    """Guard: the kind of import with this name, after checking that the caller may import it.

    Raises NotFound if no enabled plugin declares the kind, and an error of access, such as
    PermissionDenied, if the caller may not import it.
    """
    found = existing(work.runtime.catalogue[ImportKind].get(kind))
    refusal = _refusal(work, found)
    if refusal is not None:
        raise refusal
    return found


def _refusal(work: Work, kind: ImportKind) -> ApiError | type[ApiError] | None:
    """The error that says why the caller may not import rows of this kind, or None."""
    refusal = kind.access.refusal(work.identity)
    if refusal is None and kind.scope is not None:
        try:
            kind.scope(work)
        except ApiError as error:
            return error
    return refusal


def kind_of_upload(work: Work, kind_or_id: str) -> ImportKind:
    """Guard of the upload: the kind of import that the path names, as in `kind_named`. In other
    requests to this path, `kind_or_id` is the id of an import."""
    return kind_named(work, kind_or_id)


def kinds(work: Work) -> list[ImportKind]:
    """The kinds of rows that the caller may import, in the order in which plugins declare them."""
    found = work.runtime.catalogue[ImportKind].values()
    return [each for each in found if _refusal(work, each) is None]


def upload(work: Work, kind: ImportKind, sent: Mapping[str, Any]) -> Import:
    """Store a file, and enqueue its check.

    Raises InvalidFileType for a file that the kind does not accept, Invalid for wrong fields and
    for a file with a password or too many rows or columns, and StorageUnavailable if the file can't
    be stored. Also raises the errors of `admit`, such as NotFound for an exam that does not exist.
    """
    file: ReceivedFile = sent["file"]
    wanted = sent["format"]
    if wanted is not None and wanted not in kind.formats:
        raise Invalid.field(
            "format",
            Message("This must be one of: ${choices}.", "not_a_choice", choices=[*kind.formats]),
        )
    columns = _checked_columns(kind, sent["columns"])
    _check_exam(work, kind, sent["exam"])
    form = formats.detected(file.stream, file.filename, wanted, kind)
    reading.check_limits(file.stream, form, kind, columns)
    found = Import(
        kind=kind.name,
        format=form,
        filename=_printable(file.filename)[:LONGEST_NAME],
        exam_id=sent["exam"],
        scope=kind.scope and kind.scope(work),
        asked_columns=columns,
        created_by_id=work.identity.user_id,
        created_at=work.now,
    )
    work.db.add(found)
    work.db.flush()
    found.file = files.store(
        work,
        file.stream,
        formats.STORED_AS.get(form, form),
        plugin="imports",
        subject=rows.subject(found),
    )
    jobs.enqueue(work, "imports.check", import_id=found.id)
    audit.record(work, "import.upload", subject=rows.subject(found), new={"kind": kind.name})
    work.db.flush()
    return found


def _checked_columns(
    kind: ImportKind, asked: Mapping[str, str | None] | None
) -> dict[str, str | None]:
    known = {each.name for each in kind.columns}
    columns = dict(asked or {})
    for name in columns.values():
        is_number = kind.numbered and headers.NUMBER.fullmatch(name or "")
        if name is not None and name not in known and not is_number:
            raise Invalid.field(
                "columns",
                Message(
                    "There is no field ${name}. The fields are: ${fields}.",
                    name=name,
                    fields=sorted(known),
                ),
            )
    return columns


def _check_exam(work: Work, kind: ImportKind, exam_id: int | None) -> None:
    if exam_id is None and kind.exam == "required":
        raise Invalid.field("exam", Message("This field is required.", "required"))
    if exam_id is not None and kind.exam is None:
        raise Invalid.field(
            "exam", Message("This kind of import does not belong to an exam. Leave the exam out.")
        )
    admit(work, kind, Asked(0, exam_id, frozenset()))


def admit(work: Work, kind: ImportKind, asked: Asked) -> None:
    """Check whether an exam, if the import names one, can take the rows. Raises the errors of the
    kind's own check (`ImportKind.admit`) if it can't.

    If the import names an exam, no season can be opened until the commit. From then on the import
    itself prevents that while it is checked or applied (`blockers`). So the exam's season can't be
    closed in between, which would make the import fail later.
    """
    if asked.exam_id is not None:
        work.lock(seasons.LOCK, shared=True)
    if kind.admit is not None:
        kind.admit(work, asked)


def _printable(name: str) -> str:
    return "".join(each for each in name if each.isprintable()) or "file"


def page_of_imports(work: Work, query: Query) -> Page[Import]:
    """A page of the imports that the caller may see."""
    found = select(Import).where(
        _is_visible(work), *contains_every_word(query["search"], Import.filename)
    )
    if query["kind"]:
        found = found.where(Import.kind == query["kind"])
    if query["status"]:
        found = found.where(Import.status == query["status"])
    return paginate(work, found, query, key=Import.id, created=Import.created_at, ordering=ORDERING)


def _is_visible(work: Work) -> ColumnElement[bool]:
    """SQL condition: whether the caller may see an import.

    Callers who may import its kind may see it, and so may managers. If the kind has a scope, such
    as a school, callers below manager see only imports of their own scope. Nobody sees imports of
    a kind whose plugin is disabled.
    """
    kinds = work.runtime.catalogue[ImportKind].values()
    if has_rank(work.identity, StaffRole.MANAGER):
        return Import.kind.in_([each.name for each in kinds])
    conditions: list[ColumnElement[bool]] = [false()]
    for each in kinds:
        if _refusal(work, each) is None:
            scope = None if each.scope is None else each.scope(work)
            is_in_scope = true() if scope is None else Import.scope == scope
            conditions.append(and_(Import.kind == each.name, is_in_scope))
    return or_(*conditions)


def visible(work: Work, kind_or_id: str) -> Import:
    """The import with the id `kind_or_id`. Raises NotFound if the caller may see no such import, or
    if `kind_or_id` is the name of a kind."""
    return with_id(work, _as_id(kind_or_id))


def _as_id(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise NotFound
    return int(text)


def locked(work: Work, import_id: int) -> Import:
    """The same as `with_id`, but locked."""
    return with_id(work, import_id, lock=True)


def with_id(work: Work, import_id: int, *, lock: bool = False) -> Import:
    """The import with this id, read again. Raises NotFound if there is none that the caller may
    see."""
    statement = select(Import).where(Import.id == import_id, _is_visible(work))
    if lock:
        statement = statement.with_for_update()
    return existing(work.db.scalar(statement.execution_options(populate_existing=True)))


def cancel(work: Work, kind_or_id: str) -> None:
    """Cancel an import, and delete its rows and files.

    Raises NotFound if the caller may see no import with this id, and Invalid if the import is being
    applied or has been applied.
    """
    found = locked(work, _as_id(kind_or_id))
    if found.status in ("applying", "applied"):
        raise Invalid(Message("This import has been applied, so it can't be cancelled."))
    if found.status != "cancelled":
        audit.record(work, "import.cancel", subject=rows.subject(found))
    end(work, found, "cancelled")
    rows.delete_of(work, found)


def end(work: Work, found: Import, status: Any) -> None:
    """Set the final status of a locked import, and delete its uploaded file."""
    found.status = status
    found.ended_at = work.now
    remove_file(work, found)


def remove_file(work: Work, found: Import) -> None:
    """Delete the uploaded file of an import."""
    key, found.file = found.file, None
    if key is not None:
        files.delete(work, key)


def page_of_rows(work: Work, found: Import, query: Query) -> Page[ImportRow]:
    """A page of the rows of an import, in the order of the lines."""
    statement = select(ImportRow).where(
        ImportRow.import_id == found.id,
        *contains_every_word(query["search"], cast(ImportRow.values, Text)),
    )
    if query["state"]:
        statement = statement.where(ImportRow.state == query["state"])
    position = ImportRow.position
    return paginate(work, statement, query, key=position, default=[position], ordering=ROW_ORDERING)
