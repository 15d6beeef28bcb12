"""The query parameters of lists. `competition.core.lists` makes pages of them."""

import re
from collections.abc import Iterable
from typing import Any

import colander

from competition.core.errors import NotFound
from competition.core.lists import LARGEST_SIZE
from competition.core.schemas import Schema, Text, Timestamp, Type, node


class PageNumber(Type):
    """The number of a page. Anything else leads to no page: 404 (decisions B3). With so few digits,
    the number of the first item on the page is an integer of PostgreSQL's."""

    schema = {"type": "integer", "minimum": 1, "default": 1}  # noqa: RUF012  # a constant

    def read(self, node: colander.SchemaNode, value: Any) -> int:
        if not re.fullmatch(r"[0-9]{1,7}", str(value).strip()) or int(value) == 0:
            raise NotFound("There is no such page.")
        return int(value)


class PageSize(Type):
    """The size of a page: at most the limit, and None for what is no size (decisions B1)."""

    schema = {"type": "integer", "minimum": 1, "maximum": LARGEST_SIZE}  # noqa: RUF012  # a constant

    def read(self, node: colander.SchemaNode, value: Any) -> int | None:
        text = str(value).strip()
        if not text.isascii() or not text.isdigit():
            return None
        return min(int(text[:10]), LARGEST_SIZE) or None


class Ordering(Type):
    """The name of a field, with a minus for descending. An unknown name is read as no name
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
        description="The field to order by, with a minus for descending. Others are ignored.",
    )


def searched(what: str) -> colander.SchemaNode:
    """The query parameter `search`; `what` names the fields that are searched."""
    return node(
        Text(0, 255),
        missing="",
        description=f"Words to search for in {what}: each a substring, in any case.",
    )


class PageQuery(Schema):
    """The query of a list whose order and period clients can't choose."""

    page = node(PageNumber(), missing=1, description="The page, from 1. Beyond the last one: 404.")
    limit = node(PageSize(), missing=None, description=f"Items a page, {LARGEST_SIZE} at most.")
    page_size = node(PageSize(), missing=None, description="The same; `limit` wins.")


class ListQuery(PageQuery):
    """The query of other lists; each adds its filters and `ordering`."""

    created_after = node(
        Timestamp(), missing=None, description="No older than this; UTC without an offset."
    )
    created_before = node(
        Timestamp(), missing=None, description="No newer than this; UTC without an offset."
    )
