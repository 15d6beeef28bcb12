"""Pagination of lists (decisions B1 to B8).

`paginate` fetches one page of any SELECT. `competition.core.web.paging` declares the query
parameters of lists.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Generic, Required, TypedDict, TypeVar, Unpack, overload
from urllib.parse import parse_qsl, urlencode, urlsplit

from sqlalchemy import ColumnElement, Row, Select, func, select
from sqlalchemy.orm import InstrumentedAttribute

from competition.core.database import SearchKey
from competition.core.errors import NotFound
from competition.core.messages import Message
from competition.core.work import Work

T = TypeVar("T")
U = TypeVar("U")

DEFAULT_SIZE = 20
LARGEST_SIZE = 100

Column = ColumnElement[Any] | InstrumentedAttribute[Any]
# The validated query parameters of a list, by name.
Query = Mapping[str, Any]

# The name of the column that `paginate` adds to each row.
COUNT = "count_of_all"
NO_SUCH_PAGE = Message("There is no such page. Begin with page 1.")
NO_ORDERING: Mapping[str, Column] = MappingProxyType({})
NO_VALUES: Mapping[str, Any] = MappingProxyType({})


class Pagination(TypedDict):
    count: int
    page: int
    page_size: int
    total_pages: int
    has_next: bool
    has_previous: bool
    next: str | None
    previous: str | None


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list. `count` is the number of items on all pages."""

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
        """The position of this page, with links to its neighbours. `url` is the absolute URL of the
        request."""

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


# Cached, because thousands of clients request the same pages, and each page has two links.
@lru_cache(maxsize=1000)
def page_url(url: str, number: int) -> str:
    """The same URL with another ``page`` and all its other parameters (decisions B4)."""
    parts = urlsplit(url)
    query = [(k, v) for k, v in parse_qsl(parts.query, keep_blank_values=True) if k != "page"]
    return parts._replace(query=urlencode([*query, ("page", str(number))])).geturl()


def page_size(query: Query, default: int = DEFAULT_SIZE) -> int:
    """The number of items per page: `limit`, otherwise `page_size`, otherwise the default."""
    size: int = query["limit"] or query["page_size"] or default
    return size


def page_bounds(query: Query, count: int) -> tuple[int, int]:
    """The number and the size of the requested page of a list with `count` items.

    Use this only for a list whose items and count are known without a query, such as a published
    leaderboard. For other lists, use `paginate`. Raises NotFound beyond the last page.
    """
    number, size = query["page"], page_size(query)
    if number > 1 and (number - 1) * size >= count:
        raise NotFound(NO_SUCH_PAGE)
    return number, size


class PageOptions(TypedDict, total=False):
    """The options of `paginate`, which describes them."""

    key: Required[Column]
    created: Column | None
    ordering: Mapping[str, Column]
    default: Sequence[Any]
    size: int
    values: Mapping[str, Any]
    count: ColumnElement[int] | None


@overload
def paginate(
    work: Work, statement: Select[T], query: Query, **options: Unpack[PageOptions]
) -> Page[T]: ...
@overload
def paginate(
    work: Work,
    statement: Select[*tuple[Any, ...]],
    query: Query,
    **options: Unpack[PageOptions],
) -> Page[Row[Any]]: ...
def paginate(
    work: Work,
    statement: Select[Any],
    query: Query,
    *,
    key: Column,
    created: Column | None = None,
    ordering: Mapping[str, Column] = NO_ORDERING,
    default: Sequence[Any] = (),
    size: int = DEFAULT_SIZE,
    values: Mapping[str, Any] = NO_VALUES,
    count: ColumnElement[int] | None = None,
) -> Page[Any]:
    """Fetch and count the requested page of a SELECT in a single query.

    If the statement selects one entity or column, the items are its values. If it selects several,
    the items are rows.

    `query` is a validated PageQuery or ListQuery. `created` is the column to which the time bounds
    of a ListQuery apply. `ordering` maps the names that clients may order by to columns. If the
    client sends no such name, items are ordered by `default` or, without it, by `created`, newest
    first. `key` is a unique column that breaks ties, so that pages never overlap. `size` is the
    default page size. `values` are the values of the statement's bindparams. `count` is an SQL
    expression for the number of all items, for a statement that is expensive to count. Raises
    NotFound beyond the last page.
    """
    if created is not None:
        statement = statement.where(*in_period(query, created))
    order = order_of(query, key, created, ordering, default)
    number, size = query["page"], page_size(query, size)
    if count is None:
        found = statement.with_only_columns(key).order_by(None).subquery()
        count = select(func.count()).select_from(found).scalar_subquery()
    page = statement.add_columns(count.label(COUNT)).order_by(None).order_by(*order)
    rows = work.db.execute(page.limit(size).offset((number - 1) * size), values).all()
    if number > 1 and not rows:
        raise NotFound(NO_SUCH_PAGE)
    # Each row has the count of all items as its last value.
    items = [row[0] if len(row) == 2 else row for row in rows]
    return Page(items, rows[0].count_of_all if rows else 0, number, size)


def in_period(query: Query, created: Column) -> list[ColumnElement[bool]]:
    """SQL conditions: an item was created in the period that a ListQuery names. Empty if the query
    names no period."""
    after, before = query["created_after"], query["created_before"]
    bounds = [created >= after] if after else []
    return [*bounds, created <= before] if before else bounds


def order_of(
    query: Query,
    key: Column,
    created: Column | None,
    ordering: Mapping[str, Column],
    default: Sequence[Any] = (),
) -> list[Any]:
    """The columns that a list is ordered by, as `paginate` describes them."""
    requested = query.get("ordering", "")
    column = ordering.get(requested.removeprefix("-"))
    if column is not None:
        return [column.desc(), key.desc()] if requested.startswith("-") else [column, key]
    newest_first = () if created is None else (created.desc(),)
    return [*(default or newest_first), key.desc()]


def contains(text: str, column: Column) -> ColumnElement[bool]:
    """SQL condition: whether the text occurs in the column. Upper and lower case, accents, forms of
    quotation marks and invisible characters make no difference (decisions B8)."""
    key = column if isinstance(column.type, SearchKey) else func.search_key(column)
    return key.like(func.search_pattern(text))


def contains_every_word(search: str, column: Column) -> list[ColumnElement[bool]]:
    """SQL conditions, one for each word of the search: whether the word occurs in the column, which
    `contains` decides."""
    return [contains(word, column) for word in search.split()]
