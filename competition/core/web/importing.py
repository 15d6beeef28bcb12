"""Declare a kind of rows that staff can import from a file: the directive ``config.add_import``.

Each node of the row's schema is a column. So a cell can have the same rules as the field of the
endpoint through which a person would enter the value:

    class NoteRow(Schema):
        email = node(Email(), headers=("E-mail",), example="emmy@school.example")
        text = node(Text(1, 500), missing=drop, headers=("Note", "Remarque"), example="Well done")

A node without `missing` is a required column, and needs a value in each line. All other nodes have
``missing=drop``, because an empty cell changes nothing. With ``column_required=True``, a file needs
the column, but its cells may be empty. `headers` are further names of the column in files.
`example` is the value of the column in the template, and `description` explains the column.
"""

from collections.abc import Mapping
from typing import Any

import colander
from pyramid.config import Configurator

from competition.core.auth.access import Access
from competition.core.catalogue import catalogue_of
from competition.core.imports import FULL_NAME, Column, Errors, ImportKind, Read
from competition.core.schemas import Email, Schema, Text, Uuid, drop, node
from competition.core.web.validation import error_tree

# Other names, in English and French, of columns that several kinds of imports have.
EMAIL = (
    *("E-mail", "Email address", "E-mail address", "Mail", "Courriel", "Mél"),
    *("Adresse e-mail", "Adresse email", "Adresse mail", "Adresse électronique"),
)
SCHOOL = (
    *("School name", "Name of school", "Name of the school", "Établissement", "École"),
    *("Nom de l'établissement", "Nom de l'école", "Lycée", "Collège"),
)
NUMBER = (
    *("External id", "Student number", "Student id", "Pupil number", "Pupil id"),
    *("Admission number", "Admission no", "Adm. no", "Registration number", "Registration no"),
    *("Matricule", "Numéro", "Numéro d'élève"),
)
FIRST_NAME = (
    *("First name", "First names", "Firstname", "Given name", "Given names", "Other names"),
    *("Other name", "Forename", "Forenames", "Prénom", "Prénoms"),
)
LAST_NAME = (
    *("Last name", "Last names", "Lastname", "Surname", "Surnames", "Family name"),
    *("Nom", "Noms", "Nom de famille"),
)


class ComparedName(Text):
    """A name that is only compared with the name of an account. A cell with an invalid name counts
    as empty."""

    def __init__(self) -> None:
        super().__init__(1, 301)

    def read(self, node: colander.SchemaNode, value: Any) -> Any:
        try:
            return super().read(node, value)
        except colander.Invalid:
            return colander.drop


class NamedCandidate(Schema):
    """The columns of a row about a candidate: the id, the email address, or the school's number.
    Names only help to find mistakes."""

    candidate_id = node(
        Uuid(),
        missing=drop,
        headers=("Candidate id",),
        description="The candidate's id. One of the id, the address and the number is enough.",
    )
    email = node(
        Email(),
        missing=drop,
        headers=EMAIL,
        example="emmy@school.example",
        description="The candidate's email address, or the login at slip.invalid.",
    )
    external_id = node(
        Text(1, 50),
        missing=drop,
        headers=NUMBER,
        description="The number by which the school knows the candidate.",
    )
    school = node(
        Text(1, 200),
        missing=drop,
        headers=SCHOOL,
        description="The school, if several schools use the same number.",
    )
    name = node(
        ComparedName(),
        missing=drop,
        headers=FULL_NAME,
        description="The first and the last name, in any order. A name that is not the candidate's"
        " gets a warning.",
    )
    first_name = node(
        ComparedName(),
        missing=drop,
        headers=FIRST_NAME,
        description="The first name, if it has a column of its own.",
    )
    last_name = node(
        ComparedName(),
        missing=drop,
        headers=LAST_NAME,
        description="The last name, if it has a column of its own.",
    )


def add_import(
    config: Configurator,
    name: str,
    *,
    access: Access,
    row: type[Schema] | str,
    check: Any,
    apply: Any,
    admit: Any = None,
    basis: Any = None,
    scope: Any = None,
    missing: Any = None,
    readers: Mapping[str, Any] | None = None,
    **options: Any,
) -> None:
    """Configuration directive ``config.add_import``: declare a kind of rows that staff import
    from files.

    `row` is the schema of a row. `check`, `apply`, `admit`, `basis`, `scope` and `missing` are
    functions of the types that `competition.core.imports` describes under these names. All of them,
    the schema and the `readers` may be dotted paths. The other options are those of `ImportKind`.
    """
    schema = config.maybe_dotted(row)()
    kind = ImportKind(
        name,
        access,
        columns=tuple(map(_column, schema.children)),
        read=_reader(schema),
        check=config.maybe_dotted(check),
        apply=config.maybe_dotted(apply),
        admit=config.maybe_dotted(admit),
        basis=config.maybe_dotted(basis),
        scope=config.maybe_dotted(scope),
        missing=config.maybe_dotted(missing),
        readers={each: config.maybe_dotted(reader) for each, reader in (readers or {}).items()},
        **options,
    )
    catalogue_of(config).add(ImportKind, name, kind)


def _column(node: Any) -> Column:
    return Column(
        node.name,
        is_required=node.required or getattr(node, "column_required", False),
        headers=tuple(getattr(node, "headers", ())),
        example=getattr(node, "example", ""),
        description=node.description,
    )


def _in_its_lines(node: Any, cell: Any) -> Any:
    """The value of a cell. If the node accepts only one line of text, line breaks are replaced by
    spaces: people break names in a spreadsheet into lines, because cells are narrow."""
    if isinstance(cell, str) and isinstance(node.typ, Text) and not node.typ.lines:
        return " ".join(cell.splitlines())
    return cell


def _reader(schema: Schema) -> Read:
    nodes = {each.name: each for each in schema.children}

    def read(cells: Mapping[str, str]) -> tuple[dict[str, Any], Errors]:
        values: dict[str, Any] = {}
        errors: Errors = {}
        for name, cell in nodes.items():
            try:
                value = cell.deserialize(_in_its_lines(cell, cells.get(name, colander.null)))
            except colander.Invalid as invalid:
                errors |= error_tree(invalid)
            else:
                if value is not colander.drop:
                    values[name] = value
        return values, errors

    return read


def includeme(config: Configurator) -> None:
    config.add_directive("add_import", add_import)
