import json
from typing import Any, Literal

import colander

from competition.core.imports import State
from competition.core.messages import Message
from competition.core.schemas import (
    LARGEST_ID,
    Boolean,
    Choice,
    Integer,
    Schema,
    Text,
    Type,
    node,
)
from competition.core.web.forms import FormFile, Upload
from competition.core.web.paging import ListQuery, PageQuery, ordered_by, searched
from competition.plugins.imports.models import Status
from competition.plugins.imports.services.asking import ORDERING, ROW_ORDERING
from competition.plugins.imports.services.reading.formats import MEDIA_TYPES

# The largest file, in bytes.
LARGEST = 10 * 1024 * 1024
FILE = (
    Upload(
        "file",
        LARGEST,
        media_types=tuple(dict.fromkeys(MEDIA_TYPES.values())),
        # The name under which the web pages get these rules. By default it is the field's name, but
        # the upload of question images already uses `file`.
        rule="import",
    ),
)
MOST_COLUMNS = 100
LONGEST_HEADER = 1_000


class Mapping(Type):
    """A JSON object that maps headers to fields or null. Forms send it as text."""

    schema = {"type": "string"}  # noqa: RUF012  # a constant

    def read(self, node: colander.SchemaNode, value: Any) -> dict[str, str | None]:
        try:
            found = json.loads(value) if isinstance(value, str) else value
        except (ValueError, RecursionError):
            found = None
        if (
            not isinstance(found, dict)
            or len(found) > MOST_COLUMNS
            or any(len(header) > LONGEST_HEADER or "\0" in header for header in found)
            or not all(isinstance(each, str | None) for each in found.values())
        ):
            raise colander.Invalid(
                node,
                Message(
                    "This must be a JSON object. Its keys are headers of the file, and its values"
                    " are fields or null."
                ),
            )
        return found


class NewImport(Schema):
    is_form = True
    file = node(FormFile())
    format = node(
        Text(0, 20),
        missing=None,
        description="The format of the file. Without it, the content and the name decide.",
    )
    exam = node(Integer(1, LARGEST_ID), missing=None)
    columns = node(Mapping(), missing=None)


class Application(Schema):
    optional = True
    invalid = node(Choice(Literal["refuse", "skip"]), missing="refuse")
    invite = node(Boolean(), missing=True)


class ImportFilters(ListQuery):
    ordering = ordered_by(ORDERING)
    search = searched("the name of the file")
    kind = node(Text(0, 100), missing="", description="Only imports of this kind.")
    status = node(Choice(Status), missing=None, description="Only imports in this status.")


class RowFilters(PageQuery):
    ordering = ordered_by(ROW_ORDERING)
    search = searched("the values")
    state = node(Choice(State), missing=None, description="Only rows in this state.")


class TemplateQuery(Schema):
    format = node(
        Choice(Literal["csv", "xlsx"]), missing="csv", description="The format of the file."
    )
