"""The query parameters of lists. `competition.core.lists` returns the requested pages."""

import re
from collections.abc import Iterable
from typing import Any

import colander

from competition.core.errors import NotFound
from competition.core.lists import LARGEST_SIZE, NO_SUCH_PAGE
from competition.core.schemas import Schema, Text, Timestamp, Type, node


class PageNumber(Type):
    """The number of a page. A value that is not a page number gets 404 (decisions B3). At most
    seven digits are accepted, so that the offset of the page's first item fits into PostgreSQL's
    bigint."""

    schema = {"type": "integer", "minimum": 1, "default": 1}  # noqa: RUF012  # a constant

    def read(self, node: colander.SchemaNode, value: Any) -> int:
        if not re.fullmatch(r"[0-9]{1,7}", str(value).strip()) or int(value) == 0:
            raise NotFound(NO_SUCH_PAGE)
        return int(value)


class PageSize(Type):
    """The size of a page. A value that is too large is read as the largest size. A value that is
    not a positive integer is read as None, which stands for the default (decisions B1)."""

    schema = {"type": "integer", "minimum": 1, "maximum": LARGEST_SIZE}  # noqa: RUF012  # a constant

    def read(self, node: colander.SchemaNode, value: Any) -> int | None:
        text = str(value).strip()
        if not text.isascii() or not text.isdigit():
            return None
        return min(int(text[:10]), LARGEST_SIZE) or None


class Ordering(Type):
    """The name of a field, with a minus for descending order. An unknown name is ignored
    (decisions B6)."""

    def __init__(self, fields: Iterable[str]) -> None:
        names = [sign + name for name in fields for sign in ("", "-")]
        self.schema = {"type": "string", "enum": names}

    def read(self, node: colander.SchemaNode, value: Any) -> str:
        return value if value in self.schema["enum"] else ""


def ordered_by(fields: Iterable[str]) -> colander.SchemaNode:
    """The query parameter `ordering`, which may name one of the fields."""
    return node(
        Ordering(fields),
        missing="",
        description="The field to order by, with a minus for descending order. Other values are"
        " ignored.",
    )


def searched(what: str) -> colander.SchemaNode:
    """The query parameter `search`; `what` names the fields that are searched."""
    return node(
        Text(0, 255),
        missing="",
        description=f"Words to search for in {what}. Each of them has to occur, even as a part of a"
        " longer word, in upper or lower case, with or without accents.",
    )


class PageQuery(Schema):
    """The query of a list whose order and period clients can't choose."""

    page = node(
        PageNumber(),
        missing=1,
        description="The number of the page, from 1. For a number beyond the last page, the status"
        " is 404.",
    )
    limit = node(PageSize(), missing=None, description=f"Items per page, {LARGEST_SIZE} at most.")
    page_size = node(
        PageSize(),
        missing=None,
        description="The same as `limit`. If you send both, `limit` counts.",
    )


class ListQuery(PageQuery):
    """The query of a list that clients can restrict to a period. Each list adds its filters and
    `ordering`."""

    created_after = node(
        Timestamp(),
        missing=None,
        description="Only items created at this time or later. A time without an offset is UTC.",
    )
    created_before = node(
        Timestamp(),
        missing=None,
        description="Only items created at this time or earlier. A time without an offset is UTC.",
    )
