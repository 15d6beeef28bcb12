"""Imports: files with which staff create or change many objects, such as candidates.

Core and all plugins can declare what can be imported. The directive
(`competition.core.web.importing`) registers an `ImportKind`:

    config.add_import(
        "notes",
        access=staff(StaffRole.ADMIN),
        row=".schemas.NoteRow",
        check=".services.check_notes",
        apply=".services.apply_notes",
    )

A plugin reads the files, runs the checks in the background and shows their results. If no such
plugin is enabled, nothing can be imported.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, Literal
from uuid import UUID

from sqlalchemy import Select

from competition.core.auth.access import Access
from competition.core.catalogue import OwnName, declaration
from competition.core.work import Work

UTF_16 = (b"\xff\xfe", b"\xfe\xff")
# The effect that applying a row would have.
State = Literal["new", "changed", "unchanged", "invalid"]
# The type that a spreadsheet stores for a cell that is not plain text. A text is `shifted` if it
# has raised or lowered characters, such as exponents: without the format, 5² is 52.
CellType = Literal["number", "date", "boolean", "shifted"]
# The file formats of tables. An ImportKind may have `readers` for further formats.
TABLES = ("csv", "xlsx", "ods", "xls")
# Messages by field. Those under `LINE` are about the whole line.
Errors = dict[str, list[str]]
LINE = "line"
# Headers, in English and French, of columns that have the first and the last name together.
FULL_NAME = (
    *("Name", "Names", "Full name", "Full names", "First and last name", "First name and surname"),
    *("Surname and first name", "Surname and other names", "Name and surname"),
    *("Candidate name", "Name of candidate", "Student name", "Name of student"),
    *("Student's name", "Pupil name", "Pupil's name", "Name of pupil", "Nom complet"),
    *("Nom et prénom", "Nom et prénoms", "Nom prénom", "Noms et prénoms", "Prénom et nom"),
    *("Prénom nom", "Nom de l'élève", "Nom et prénom de l'élève"),
)


@dataclass(frozen=True)
class Line:
    """A line of an imported file. `number` is the line number that an editor or spreadsheet shows.

    `cells` has the text of each field; empty cells are left out. `types` has the types of the cells
    that a spreadsheet does not store as plain text, by field. `errors` and `warnings` are problems
    that the reader of a format has found; the errors are by field. `pictures` has the contents of
    images, and `alts` their alternative texts, both by the names that the cells use for the images.
    """

    number: int
    cells: Mapping[str, str]
    types: Mapping[str, CellType] = field(default_factory=dict)
    errors: Mapping[str, Sequence[str]] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    alts: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Row:
    """A line of an imported file, and the effect that applying it would have.

    The function `check` of the ImportKind gets rows whose `state` is `unchanged`, or `invalid` if a
    cell has no valid value. The function sets `state`, `before`, and `user_id`, the account that
    the row is about. `values` has the valid values by field, and is shown to the user who imports
    the file. `before` has the old value of each field that the row changes. `found` passes data
    from `check` to the function `apply`; it is not stored.
    """

    line: Line
    values: dict[str, Any]
    state: State = "unchanged"
    before: dict[str, Any] = field(default_factory=dict)
    errors: Errors = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    user_id: UUID | None = None
    # The keys of the line's pictures in the storage, by the names that the cells use for them.
    files: Mapping[str, str] = field(default_factory=dict)
    found: Any = None

    def reject(self, name: str, message: str) -> None:
        """Mark the row as invalid, with this message for a field."""
        self.errors.setdefault(name, []).append(message)
        self.state = "invalid"

    def change(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
        """Compare the old values of an object with the new ones, for the fields of `new`, and set
        `before` to the old values that differ. If there are any, the row becomes `changed`, unless
        it is invalid."""
        self.before = {name: old[name] for name in new if old[name] != new[name]}
        if self.before and self.state != "invalid":
            self.state = "changed"


@dataclass(frozen=True)
class Asked:
    """The import of a file, as the functions of an ImportKind get it.

    `exam_id` is the exam that the import names, if any. `fields` are the fields for which the file
    has a column. `invite` says whether new accounts get an email. Rows are checked again before
    they are applied, in the same transaction. `is_applied` is true for this second check, which has
    to lock what it reads.
    """

    id: int
    exam_id: int | None
    fields: frozenset[str]
    invite: bool = True
    is_applied: bool = False
    # The id of the object that the import belongs to, such as a school, if its kind has a `scope`.
    scope: int | None = None


@dataclass(frozen=True)
class Column:
    """A column of an imported table. Its header in a file is `name`, the name of the field, or one
    of `headers`. The template for staff shows `example`."""

    name: str
    is_required: bool
    headers: tuple[str, ...]
    example: str
    description: str


# Read the cells of a line. Returns the valid values, and the messages for invalid cells, by field.
Read = Callable[[Mapping[str, str]], tuple[dict[str, Any], Errors]]
# Check the rows, in their order. This is called with all rows of a file, and yields each of them.
# It must not change anything.
Check = Callable[[Work, Asked, Sequence[Row]], Iterable[Row]]
# Apply rows that the check has found to be `new` or `changed`.
Apply = Callable[[Work, Asked, Sequence[Row]], None]
# Check whether an exam can take the rows. It is called for the upload, and again with
# `is_applied` before rows are applied. Raises an ApiError if the exam can't take them.
Admit = Callable[[Work, Asked], None]
# Returns everything that the meaning of the rows depends on, as a JSON value. If this value has
# changed since the check, the import is not applied.
Basis = Callable[[Work, Asked], Any]
# Returns the id of the object that the caller's imports belong to, such as a school. Raises an
# ApiError if the caller can't import anything.
Scope = Callable[[Work], int]
# Returns how many people of the scope, such as pupils of a school, the import does not name. The
# last argument has the ids of the accounts that the rows name.
Missing = Callable[[Work, Asked, Collection[UUID]], int]
# Read a file in another format than a table. Raises Unreadable if the file can't be read.
Reader = Callable[[IO[bytes]], Iterable[Line]]


class Unreadable(Exception):
    """A file can't be read. `message` says why, to the person who sent it.

    If `is_rejected`, the upload itself is rejected. Otherwise the import fails.
    """

    def __init__(self, message: str, *, is_rejected: bool = False) -> None:
        self.message = message
        self.is_rejected = is_rejected
        super().__init__(str(message))


@dataclass(frozen=True)
class ImportKind(OwnName):
    """A kind of rows that can be imported, such as candidates.

    - `access`: who may import rows of this kind.
    - `columns`, `read`: derived from the schema of a row.
    - `check`, `apply`, `admit`, `basis`, `missing`: functions, described at the types `Check`,
      `Apply`, `Admit`, `Basis` and `Missing`.
    - `scope`: a function that returns the id of the object to which the caller's imports belong,
      such as a school (see the type `Scope`). Callers below manager see only imports of their own
      scope.
    - `exam`: whether an import names an exam. If it is None, an import can't name one.
    - `numbered`: the name of a field, such as `answers`, that a file may replace by one column per
      question, or "" if there is none. The header of such a column is the number of the question,
      such as "7" or "Q7", and its cells are read under the number ("7").
    - `one_of`: a table needs a column for at least one of these fields.
    - `joined`: headers of columns that combine several fields, such as "Name" for two names. Such
      cells can't be split, so a table that has such a column instead of the required ones is
      rejected with a reason.
    - `others`: words that show that a header is about other people than the row, such as "parent".
      So the column "Parent (email)" is not read as the column `email`.
    - `readers`: readers for formats other than tables, by the name of the format.
    - `withheld`: fields that the export of a person's data leaves out, because the person may not
      see their values yet, such as scores.
    - `invites`: whether new rows become accounts, whose owners get an email if the row has an email
      address. If `always_invites` is false, the caller may choose to send no emails.
    """

    name: str
    access: Access
    columns: tuple[Column, ...]
    read: Read
    check: Check
    apply: Apply
    admit: Admit | None = None
    basis: Basis | None = None
    scope: Scope | None = None
    missing: Missing | None = None
    exam: Literal["required", "optional"] | None = None
    numbered: str = ""
    one_of: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    readers: Mapping[str, Reader] = field(default_factory=dict)
    withheld: tuple[str, ...] = ()
    invites: bool = False
    always_invites: bool = False

    @property
    def formats(self) -> tuple[str, ...]:
        return (*TABLES, *self.readers)

    @property
    def creates_without_email(self) -> bool:
        """Whether new rows may become accounts without an email address."""
        return self.invites and not any(
            each.is_required for each in self.columns if each.name == "email"
        )


def decoded(stream: IO[bytes]) -> str:
    """The text of a file: UTF-8, UTF-16 with a byte order mark, or otherwise Windows-1252."""
    text = _decoded(stream)
    return _content(stream).decode("cp1252", "replace") if text is None else text


def is_windows_1252(stream: IO[bytes]) -> bool:
    """Whether a text file is read as Windows-1252, because it is neither UTF-8 nor UTF-16. It may
    have another encoding: nothing in a file tells such encodings apart."""
    return _decoded(stream) is None


def _content(stream: IO[bytes]) -> bytes:
    stream.seek(0)
    content = stream.read()
    stream.seek(0)
    return content


def _decoded(stream: IO[bytes]) -> str | None:
    content = _content(stream)
    try:
        return content.decode("utf-16" if content.startswith(UTF_16) else "utf-8-sig")
    except UnicodeDecodeError:
        return None


# Returns a SELECT of the ids of the accounts that the rows of an import name. The arguments are the
# id, the kind and the scope of the import. None if there is no such import that was checked.
PeopleOf = Callable[[Work, int, str, int], Select[Any] | None]


@dataclass(frozen=True)
class ImportedPeople(OwnName):
    """The function that finds the people whom an import names. The plugin that runs imports
    declares it."""

    name: str
    people_of: PeopleOf


def imported_people(name: str) -> Callable[[PeopleOf], PeopleOf]:
    """Declare that the decorated function finds the accounts that the rows of an import name. A
    scan of its module finds it."""
    return declaration(ImportedPeople, name, lambda people_of: ImportedPeople(name, people_of))


def people_of(work: Work, import_id: int, kind: str, scope: int) -> Select[Any] | None:
    """SELECT of the ids of the accounts that the rows of an import name. None if there is no
    checked import with this id, kind and scope."""
    known = work.runtime.catalogue[ImportedPeople].values()
    return next((each.people_of(work, import_id, kind, scope) for each in known), None)
