"""The declaration of an endpoint.

The checks and the reply follow the declaration, and the OpenAPI document is built from it. The
decorators in `competition.core.web.service` take the fields of `Endpoint` as options.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from email.utils import format_datetime
from functools import cached_property
from typing import Any, Literal, Required, Self, TypedDict

from pyramid.response import Response

from competition.core.auth.access import Access
from competition.core.errors import (
    ApiError,
    AuthenticationFailed,
    Invalid,
    InvalidToken,
    NotAuthenticated,
    NotFound,
    PermissionDenied,
    ServiceUnavailable,
    UnsupportedMediaType,
)
from competition.core.schemas import LARGEST_ANONYMOUS_JSON, Schema
from competition.core.seasons.current import SeasonClosed
from competition.core.storage.pictures import InvalidFileType
from competition.core.web import counting
from competition.core.web.forms import FileSizeExceeded, Upload
from competition.core.web.paging import PageQuery
from competition.core.web.paths import PathType
from competition.core.web.request import JSON, LARGEST_JSON, Request

# The shortest notice before an endpoint ends: six months (spec "Versioning").
SHORTEST_NOTICE = timedelta(days=181)


@dataclass(frozen=True)
class Deprecation:
    """The announced end of an endpoint.

    Its replies announce both days: the endpoint is deprecated from `since` on, and will be removed
    on `sunset`. Raises ValueError if less than six months are between them.
    """

    since: date
    sunset: date

    def __post_init__(self) -> None:
        if self.sunset - self.since < SHORTEST_NOTICE:
            raise ValueError(
                f"The notice from {self.since} to {self.sunset} is shorter than six months. Choose"
                " a later sunset."
            )

    def announce(self, request: Request, response: Response) -> None:
        """Response callback: add the headers Deprecation (RFC 9745) and Sunset (RFC 8594)."""
        since, sunset = (datetime.combine(day, time(), UTC) for day in (self.since, self.sunset))
        response.headers["Deprecation"] = f"@{int(since.timestamp())}"
        response.headers["Sunset"] = format_datetime(sunset, usegmt=True)


class Options(TypedDict, total=False):
    """The options of the decorators of a Service. `Endpoint` describes them."""

    access: Required[Access]
    status: int | tuple[int, ...]
    body: type[Schema] | None
    query: type[Schema] | None
    headers: type[Schema] | None
    files: tuple[Upload, ...]
    guard: Callable[..., Any] | None
    errors: tuple[type[ApiError], ...]
    changes_season: bool
    limit: str
    polled: bool | tuple[str, ...]
    versioned: bool
    media_type: str | tuple[str, ...]
    transaction: bool | Literal["on demand"]
    deprecation: Deprecation | None
    hashes_password: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class Endpoint:
    """One method of one path. The decorators of a Service take `access` and the fields below
    it as arguments."""

    method: str
    path: str
    view: Callable[..., Any]
    # The shape of the reply, from the view's return annotation.
    returns: Any
    parameters: dict[str, PathType]

    # The callers to whom the endpoint is open.
    access: Access
    # The status of success. If there are several, the first is the default, and the view itself
    # sets any other status. The reply has the same shape for each status.
    status: int | tuple[int, ...] = 200
    # The schema of the JSON body. `request.validated` has its fields.
    body: type[Schema] | None = None
    # The schema of the query. `request.validated` has its fields.
    query: type[Schema] | None = None
    # The schema of headers. Its field ``idempotency_key`` reads the header ``Idempotency-Key``.
    headers: type[Schema] | None = None
    # The file fields of a multipart body. If there is a `body` too, its schema reads both JSON and
    # the form.
    files: tuple[Upload, ...] = ()
    # A service function ``(work, **path, **headers)``. It may reject a request before the body is
    # validated, and returns ``request.target``.
    guard: Callable[..., Any] | None = None
    # The errors that the view raises. Errors that follow from the other options need not be listed.
    errors: tuple[type[ApiError], ...] = ()
    # Whether the view changes what belongs to an exam, or to a plan of exams: in a closed season,
    # it raises SeasonClosed.
    changes_season: bool = False
    # The name of the rate limit that counts the requests: see `competition.core.web.counting`.
    limit: str = counting.GENERAL
    # Whether replies have an ETag, and an unchanged reply is a 304. A tuple has the names of fields
    # that do not count as a change.
    polled: bool | tuple[str, ...] = False
    # Whether replies have the object's version as their ETag. The view sets it (`request.tag`).
    versioned: bool = False
    # The media type of the reply. If there are several, the view returns a Response for those that
    # are not JSON.
    media_type: str | tuple[str, ...] = JSON
    # Whether a GET changes or locks something. All other methods have a transaction anyway. With
    # "on demand", the view begins one itself if there is something to change (`work.changing`).
    transaction: bool | Literal["on demand"] = False
    # The announced end of the endpoint.
    deprecation: Deprecation | None = None
    # For an endpoint that hashes a password, or compares a password with a hash: its requests hold
    # a hashing permit (`competition.core.auth.hashing`). It has to be declared, because a request
    # waits for the permit before it uses a connection to the database.
    hashes_password: bool = False

    def __deepcopy__(self, memo: object) -> Self:
        # Cornice copies the options of each view. An endpoint never changes, so it needs no copy.
        return self

    @cached_property
    def statuses(self) -> tuple[int, ...]:
        return self.status if isinstance(self.status, tuple) else (self.status,)

    @cached_property
    def media_types(self) -> tuple[str, ...]:
        return self.media_type if isinstance(self.media_type, tuple) else (self.media_type,)

    @property
    def only_reads(self) -> bool:
        """Whether the work of a request has no transaction, unless the view begins one itself."""
        return self.method == "GET" and self.transaction is not True

    @property
    def takes_body(self) -> bool:
        return self.body is not None or bool(self.files)

    @property
    def largest_json(self) -> int:
        """The largest JSON body, in bytes."""
        # The body of an endpoint that hashes a password is read before the caller is known.
        if self.access.needs_user and not self.hashes_password:
            return LARGEST_JSON
        return LARGEST_ANONYMOUS_JSON if self.body is None else self.body.largest

    @cached_property
    def names_account(self) -> bool:
        """Whether the body has a field `email`, by which requests without a user are counted."""
        fields = self.body().children if self.body else ()
        return any(field.name == "email" for field in fields)

    @cached_property
    def header_names(self) -> dict[str, str]:
        """The names of the declared headers, such as ``Idempotency-Key``, by the fields of the
        schema."""
        fields = self.headers().children if self.headers else ()
        return {field.name: field.name.replace("_", "-").title() for field in fields}

    def all_errors(self) -> set[type[ApiError]]:
        """The errors that the endpoint can return: the declared errors, and the errors that follow
        from the other options."""
        found = {*self.errors, *self.access.errors(), *counting.errors(self.limit)}
        if self.changes_season:
            found.add(SeasonClosed)
        if self.access.api_key:
            # The service reads the key from the database, and the key may not have the scope.
            found |= {NotAuthenticated, AuthenticationFailed, PermissionDenied, ServiceUnavailable}
        if self.access.needs_user:
            found |= {NotAuthenticated, InvalidToken}
        if self.hashes_password:
            found.add(ServiceUnavailable)
        if self.parameters or (self.query and issubclass(self.query, PageQuery)):
            found.add(NotFound)
        if self.takes_body or self.query or self.headers:
            found.add(Invalid)
        if self.takes_body:
            found.add(UnsupportedMediaType)
        if self.files:
            found |= {InvalidFileType, FileSizeExceeded, ServiceUnavailable}
        return found
