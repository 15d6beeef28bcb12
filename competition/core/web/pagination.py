"""Lists in pages: one way to ask, one total order, one pagination object (decisions B1 to B8)."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Generic, TypedDict, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit

import colander
from sqlalchemy import (
    ColumnElement,
    Dialect,
    Integer,
    Row,
    Select,
    String,
    TypeDecorator,
    bindparam,
    func,
    literal_column,
    select,
    type_coerce,
)
from sqlalchemy.orm import InstrumentedAttribute

from competition.core.errors import NotFound
from competition.core.web.schemas import Schema, Text, Timestamp, Type, node
from competition.core.work import Work

T = TypeVar("T")
U = TypeVar("U")

DEFAULT_SIZE = 20
LARGEST_SIZE = 100

Column = ColumnElement[Any] | InstrumentedAttribute[Any]
Query = Mapping[str, Any]
Condition = Callable[[Any], ColumnElement[bool]]
# By the names of fields: what is given, and the value where it is true or false.
Form = tuple[tuple[str, bool | None], ...]

COUNT = "count_of_all"
# In a pattern of LIKE.
ESCAPED = str.maketrans({character: f"\\{character}" for character in "\\%_"})


class Pagination(TypedDict):
    count: int
    page: int
    page_size: int
    total_pages: int
    has_next: bool
    has_previous: bool
    next: str | None
    previous: str | None


class PageNumber(Type):
    """The number of a page; what is no number leads to no page: 404 (decisions B3). With so few
    digits the number of an item on it is an integer of PostgreSQL's."""

    schema = {"type": "integer", "minimum": 1, "default": 1}  # noqa: RUF012  # a constant

    def read(self, node: colander.SchemaNode, value: Any) -> int:
        if not re.fullmatch(r"[0-9]{1,7}", str(value).strip()) or int(value) == 0:
            raise NotFound("There is no such page.")
        return int(value)


class PageSize(Type):
    """The size of a page: clamped above the limit, the default for what is no size (decisions
    B1)."""

    schema = {"type": "integer", "minimum": 1, "maximum": LARGEST_SIZE}  # noqa: RUF012  # a constant

    def read(self, node: colander.SchemaNode, value: Any) -> int | None:
        text = str(value).strip()
        if not text.isascii() or not text.isdigit():
            return None
        return min(int(text[:10]), LARGEST_SIZE) or None


class Ordering(Type):
    """The name of a field, with a minus for descending; an unknown one is as none (decisions
    B6)."""

    def __init__(self, fields: Iterable[str]) -> None:
        names = [sign + name for name in fields for sign in ("", "-")]
        self.schema = {"type": "string", "enum": names}

    def read(self, node: colander.SchemaNode, value: Any) -> str:
        return value if value in self.schema["enum"] else ""


def ordered_by(fields: Iterable[str]) -> colander.SchemaNode:
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
    page = node(PageNumber(), missing=1, description="The page, from 1. Beyond the last one: 404.")
    limit = node(PageSize(), missing=None, description=f"Items a page, {LARGEST_SIZE} at most.")
    page_size = node(PageSize(), missing=None, description="The same; `limit` wins.")


class ListQuery(PageQuery):
    """The query of every paginated list; a list adds its filters and `ordering`."""

    created_after = node(
        Timestamp(), missing=None, description="No older than this; UTC without an offset."
    )
    created_before = node(
        Timestamp(), missing=None, description="No newer than this; UTC without an offset."
    )


@dataclass(frozen=True)
class Page(Generic[T]):
    """`count` is of all pages together."""

    items: Sequence[T]
    count: int
    number: int
    size: int

    @property
    def total_pages(self) -> int:
        return max(1, -(-self.count // self.size))

    def map(self, function: Callable[[T], U]) -> "Page[U]":
        return Page([function(item) for item in self.items], self.count, self.number, self.size)

    def pagination(self, url: str) -> Pagination:
        """`url` is the absolute one that this page was asked for under."""

        def link(number: int) -> str | None:
            return page_url(url, number) if 1 <= number <= self.total_pages else None

        return Pagination(
            count=self.count,
            page=self.number,
            page_size=self.size,
            total_pages=self.total_pages,
            has_next=self.number < self.total_pages,
            has_previous=self.number > 1,
            next=link(self.number + 1),
            previous=link(self.number - 1),
        )


# Thousands look at the same pages.
@lru_cache(maxsize=1000)
def page_url(url: str, number: int) -> str:
    """The same URL with another ``page``; every other parameter is kept (decisions B4)."""
    parts = urlsplit(url)
    query = [(k, v) for k, v in parse_qsl(parts.query, keep_blank_values=True) if k != "page"]
    return parts._replace(query=urlencode([*query, ("page", str(number))])).geturl()


def page_size(query: Query, default: int = DEFAULT_SIZE) -> int:
    size: int = query["limit"] or query["page_size"] or default
    return size


def page_bounds(query: Query, count: int, default: int = DEFAULT_SIZE) -> tuple[int, int]:
    """The page's number and size. Raises NotFound beyond the last page."""
    number, size = query["page"], page_size(query, default)
    if number > 1 and (number - 1) * size >= count:
        raise NotFound("There is no such page.")
    return number, size


def paginate(
    work: Work,
    statement: Select[T],
    query: Query,
    *,
    key: Column,
    created: Column,
    ordering: Mapping[str, Column],
    default: Sequence[Any] | None = None,
    size: int = DEFAULT_SIZE,
) -> Page[T]:
    """A page of the entities that `statement` selects, in one statement.

    `query` is what a ListQuery with an `ordering` let through; `created` is what its time bounds
    compare; `ordering` are the fields that may be ordered by, an unknown one is ignored; `default`
    is the order without one, newest first if not given. `key` breaks ties, so that pages never
    overlap. Raises NotFound beyond the last page.
    """
    page = _page_of(statement, query, key, created, ordering, default, page_size(query, size))
    rows = work.db.execute(page).all()
    return _page([row[0] for row in rows], rows, query, size)


@dataclass(frozen=True, eq=False, kw_only=True)
class ListOfRows:
    """A list of rows of tables, not of a class, which cost a third of what entities do; `key`,
    `created` and `ordering` are as in `paginate`. `rows` is what is listed without a query.

    Conditions are made of what was asked for: `filters` and `parts` by the names of the query's
    fields, `word` of each word of `search`. `parts` and words are looked for inside texts.

    `counts` are statements that know how many rows there are without counting them, by the fields
    that are given; a filter's value is a parameter of its name.

    A statement is put together once for each form that queries have: which fields are given, how
    many words, which order and size. What they are given is a value of it, but for true and false,
    which are conditions of their own."""

    rows: Select[Any]
    key: Column
    created: Column
    ordering: Mapping[str, Column]
    filters: Mapping[str, Condition] = field(default_factory=dict)
    parts: Mapping[str, Condition] = field(default_factory=dict)
    word: Condition
    counts: Mapping[tuple[str, ...], Select[int]] = field(default_factory=dict)

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        times = {"created_after": self.created.__ge__, "created_before": self.created.__le__}
        return {**times, **self.filters, **self.parts}

    def page(self, work: Work, query: Query) -> Page[Row[Any]]:
        """Items have the names of the columns. Raises NotFound beyond the last page."""
        given = {name: query[name] for name in self.conditions if query[name] not in (None, "")}
        words = {f"word_{at}": word for at, word in enumerate(query["search"].split())}
        size = page_size(query)
        form = tuple(
            (name, value if isinstance(value, bool) else None) for name, value in given.items()
        )
        asked = query["ordering"]
        # What nobody knows changes nothing, and is no form.
        ordering = asked if asked.removeprefix("-") in self.ordering else ""
        before = (query["page"] - 1) * size
        page = page_statement(self, form, len(words), ordering, size, before == 0)
        rows = work.db.execute(page, {**given, **words, "before": before}).all()
        return _page(rows, rows, query, DEFAULT_SIZE)


# There are far more forms than anybody asks for.
@lru_cache(maxsize=1000)
def page_statement(
    of: ListOfRows, form: Form, words: int, ordering: str, size: int, is_first: bool
) -> Select[Any]:
    """The statement of a page, each row with the count of all."""
    statement = of.rows.where(
        *(of.conditions[name](bindparam(name) if value is None else value) for name, value in form),
        *(of.word(bindparam(f"word_{at}")) for at in range(words)),
    )
    order = _order(ordering, of.key, of.created, of.ordering, None)
    if words or any(name in of.parts for name, _ in form):
        # An index of trigrams is asked once, for the count and the page: that is most of the work.
        # Other indexes count faster than rows could be gathered.
        counted = statement.with_only_columns(of.key).add_columns(func.count().over().label(COUNT))
        found = _bounded(counted, order, size, is_first).subquery()
        page = select(*of.rows.selected_columns, found.c[COUNT])
        return page.join(found, of.key == found.c[0]).order_by(*order)
    known = None if words else of.counts.get(tuple(name for name, _ in form))
    count = _count(statement, of.key) if known is None else known.scalar_subquery().label(COUNT)
    return _bounded(statement.add_columns(count), order, size, is_first)


def _bounded(
    statement: Select[Any], order: Sequence[Any], size: int, is_first: bool
) -> Select[Any]:
    """With the size in its text PostgreSQL plans for so few, once. Of an offset it would think the
    worst, and plan each time: nearly all who ask want the first page, which has none."""
    bounded = statement.order_by(*order).limit(literal_column(f"{size}"))
    return bounded if is_first else bounded.offset(bindparam("before", type_=Integer))


def _page_of(
    statement: Select[Any],
    query: Query,
    key: Column,
    created: Column,
    ordering: Mapping[str, Column],
    default: Sequence[Any] | None,
    size: int,
) -> Select[Any]:
    """The statement of a page, each row with the count of all."""
    if query["created_after"]:
        statement = statement.where(created >= query["created_after"])
    if query["created_before"]:
        statement = statement.where(created <= query["created_before"])
    order = _order(query["ordering"], key, created, ordering, default)
    page = statement.add_columns(_count(statement, key)).order_by(None).order_by(*order)
    return page.limit(size).offset((query["page"] - 1) * size)


def _count(statement: Select[Any], key: Column) -> ColumnElement[int]:
    found = statement.with_only_columns(key).order_by(None).subquery()
    return select(func.count()).select_from(found).scalar_subquery().label(COUNT)


def _order(
    asked: str,
    key: Column,
    created: Column,
    ordering: Mapping[str, Column],
    default: Sequence[Any] | None,
) -> list[Any]:
    column = ordering.get(asked.removeprefix("-"))
    if column is None:
        return [*(default or [created.desc()]), key.desc()]
    return [column.desc(), key.desc()] if asked.startswith("-") else [column, key]


def _page(items: Sequence[U], rows: Sequence[Row[Any]], query: Query, size: int) -> Page[U]:
    """Raises NotFound."""
    if not rows and query["page"] > 1:
        raise NotFound("There is no such page.")
    count = rows[0].count_of_all if rows else 0
    return Page(items, count, query["page"], page_size(query, size))


class Part(TypeDecorator[str]):
    """What LIKE compares with: any text that has this one in it, whose characters mean
    themselves."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return value and f"%{value.translate(ESCAPED)}%"


def contains(column: Column, part: Any) -> ColumnElement[bool]:
    """Whether a text has this part, in any case."""
    return column.ilike(type_coerce(part, Part))


def contains_every_word(search: str, column: Column) -> list[ColumnElement[bool]]:
    """Conditions of a search: every word is somewhere in the text, in any case (decisions B8)."""
    return [contains(column, word) for word in search.split()]
