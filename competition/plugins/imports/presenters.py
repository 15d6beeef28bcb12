"""The shapes of imports in the API."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict
from uuid import UUID

from competition.core.auth.access import StaffRole, has_rank
from competition.core.imports import ImportKind, State
from competition.core.lists import Page, Pagination
from competition.core.messages import unpacked
from competition.core.users.profiles import StaffProfile, editor_profiles, without_contacts
from competition.core.work import Work
from competition.plugins.imports import models
from competition.plugins.imports.models import ImportRow, Status

COUNTS = ("rows", "new", "changed", "unchanged", "invalid", "applied")


class ImportProgress(TypedDict):
    """How many of the file's lines have been checked. Both numbers are 0 until the file has been
    read."""

    done: int
    total: int


class ImportCounts(TypedDict):
    """The number of rows by state. All are 0 until the file is checked. `missing` is only present
    for pupils: how many pupils of the school the file does not name."""

    rows: int
    new: int
    changed: int
    unchanged: int
    invalid: int
    applied: int
    missing: NotRequired[int]


class Import(TypedDict):
    """An uploaded file. `columns` maps the headers of the file to fields, and `ignored_columns` are
    the other headers. `invitations` is how many new accounts have an email address, to which the
    service sends an email if the import is applied with `invite`. `detail` says why an import has
    failed. A failed import has changed nothing. For callers below moderator, `email` and `phone` of
    the staff in `created_by` and `applied_by` are empty.
    """

    id: int
    kind: str
    format: str
    filename: str
    exam: int | None
    status: Status
    progress: ImportProgress
    counts: ImportCounts
    invitations: int
    columns: dict[str, str]
    ignored_columns: list[str]
    detail: str | None
    created_by: StaffProfile | None
    created_at: datetime
    applied_by: StaffProfile | None
    applied_at: datetime | None


class ImportList(TypedDict):
    results: list[Import]
    pagination: Pagination


class RowOfImport(TypedDict):
    """A line of the file, and what applying it does. `before` has the values that it replaces.
    `errors` has the messages by field; those under `line` are about the whole line."""

    line: int
    state: State
    values: dict[str, Any]
    before: dict[str, Any]
    errors: dict[str, list[str]]
    warnings: list[str]


class RowList(TypedDict):
    results: list[RowOfImport]
    pagination: Pagination


class FieldOfImport(TypedDict):
    """A field that a column of a file can have. `headers` are the names that the column may have
    instead of the field's own name."""

    name: str
    is_required: bool
    headers: list[str]
    example: str
    description: str


class KindOfImport(TypedDict):
    """A kind of rows that can be imported, such as candidates.

    `exam` says whether an import of this kind names an exam. A file needs a column for one of the
    fields in `one_of`. `numbered` is null, or the name of a field, such as `answers`. Instead of
    this field, a file may have columns whose names are the numbers of questions. `invites` says
    whether new accounts with an email address are invited: `always`, or if the import is applied
    with `invite` (`optional`). It is null if rows don't become accounts. `creates_without_email`
    says whether rows without an email address become accounts, too.
    """

    name: str
    formats: list[str]
    endings: list[str]
    exam: Literal["required", "optional"] | None
    fields: list[FieldOfImport]
    one_of: list[str]
    numbered: str | None
    invites: Literal["always", "optional"] | None
    creates_without_email: bool


class KindsOfImports(TypedDict):
    results: list[KindOfImport]


def kinds(found: Iterable[tuple[ImportKind, list[str]]]) -> KindsOfImports:
    """The reply with these kinds of imports. `found` has pairs of a kind and the endings of the
    file names that it accepts."""
    return KindsOfImports(results=[_kind(*each) for each in found])


def _kind(kind: ImportKind, endings: list[str]) -> KindOfImport:
    return KindOfImport(
        name=kind.name,
        formats=[*kind.formats],
        endings=endings,
        exam=kind.exam,
        fields=[
            FieldOfImport(
                name=each.name,
                is_required=each.is_required,
                headers=[*each.headers],
                example=each.example,
                description=each.description,
            )
            for each in kind.columns
        ],
        one_of=[*kind.one_of],
        numbered=kind.numbered or None,
        invites=("always" if kind.always_invites else "optional") if kind.invites else None,
        creates_without_email=kind.creates_without_email,
    )


def one(work: Work, found: models.Import) -> Import:
    people = _people(work, [found.created_by_id, found.applied_by_id])
    return _import(found, people)


def import_list(work: Work, page: Page[models.Import], url: str) -> ImportList:
    ids = {each.created_by_id for each in page.items} | {each.applied_by_id for each in page.items}
    people = _people(work, ids)
    return ImportList(
        results=[_import(each, people) for each in page.items], pagination=page.pagination(url)
    )


def _people(work: Work, ids: Iterable[UUID | None]) -> Mapping[UUID | None, StaffProfile]:
    """The profiles of the staff who uploaded or applied imports, by id. Callers below moderator,
    such as teachers, get them without email addresses and phone numbers."""
    people = editor_profiles(work, ids)
    if has_rank(work.identity, StaffRole.MODERATOR):
        return people
    return {user_id: without_contacts(each) for user_id, each in people.items()}


def _import(found: models.Import, people: Mapping[UUID | None, StaffProfile]) -> Import:
    return Import(
        id=found.id,
        kind=found.kind,
        format=found.format,
        filename=found.filename,
        exam=found.exam_id,
        status=found.status,
        progress=ImportProgress(done=found.done, total=found.total),
        counts=_counts(found),
        invitations=found.counts.get("invitations", 0),
        columns=found.columns,
        ignored_columns=found.ignored_columns,
        detail=None if found.detail is None else unpacked(found.detail),
        created_by=people.get(found.created_by_id),
        created_at=found.created_at,
        applied_by=people.get(found.applied_by_id),
        applied_at=found.applied_at,
    )


def _counts(found: models.Import) -> ImportCounts:
    counts: ImportCounts = ImportCounts(**{name: found.counts.get(name, 0) for name in COUNTS})  # type: ignore[typeddict-item]  # every field
    if "missing" in found.counts:
        counts["missing"] = found.counts["missing"]
    return counts


def row_list(page: Page[ImportRow], url: str) -> RowList:
    return RowList(results=[_row(each) for each in page.items], pagination=page.pagination(url))


def _row(row: ImportRow) -> RowOfImport:
    return RowOfImport(
        line=row.line,
        state=row.state,
        values=row.values,
        before=row.before,
        errors={name: [unpacked(each) for each in found] for name, found in row.errors.items()},
        warnings=[unpacked(each) for each in row.warnings],
    )
